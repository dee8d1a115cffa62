import FeatureFlags
import FeatureFlagsConnection
import FeatureFlagsXML
import Foundation

/// A shop whose session and saved settings a dashboard shows and changes while it runs.
@main
struct ConnectedShop {
    static func main() async throws {
        let file = URL(filePath: CommandLine.arguments.dropFirst().first ?? "shop.xml")
        let session = InMemoryProvider(name: "Session")
        let saved = UserDefaultsProvider(.standard, name: "Saved", keyPrefix: "flags/")
        let manager = FlagsManager(providers: [session, LocalProvider(localURL: file), saved])
        let flags = manager.addCollection(ShopFlags.self)
        try manager.writeManifest(to: file.deletingPathExtension().appendingPathExtension("manifest.xml"))

        let connection = try await manager.connect(named: "shop")
        print("The shop is open: \(connection.state)")
        fflush(nil)

        // Each line from the keyboard is a customer: "pay" buys, "sale" begins a sale, which lasts for this session.
        while let line = readLine() {
            if line == "sale" { try flags.$deliveryFee.set(0, in: session) }
            print(
                "Paying takes \(flags.quickCheckout ? "one click" : "a form"), and delivery costs \(flags.deliveryFee)."
            )
            fflush(nil)
        }
    }
}

/// What the shop can switch.
struct ShopFlags: FlagCollectionProtocol {
    @Flag("Pay in one click") var quickCheckout = false

    @Flag("What delivery costs, in euros") var deliveryFee = 4.9
}
