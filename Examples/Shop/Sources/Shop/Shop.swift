import FeatureFlags
import FeatureFlagsXML
import Foundation

/// A shop that says what its flags are, and says so again whenever the dashboard, or anything else, changes one.
@main
struct Shop {
    static func main() async throws {
        let folder = URL(fileURLWithPath: FileManager.default.currentDirectoryPath)
        let values = folder.appending(path: "shop.xml")
        let local = LocalProvider(localURL: values)
        let manager = FlagsManager(providers: [local])
        let flags = manager.addCollection(ShopFlags.self)

        try manager.writeManifest(to: folder.appending(path: "shop.manifest.xml"))
        if !FileManager.default.fileExists(atPath: values.path) {
            try flags.$quickCheckout.set(flags.quickCheckout, in: local.name)
        }
        show(flags)
        guard !CommandLine.arguments.contains("--once") else { return }
        print("Now open the dashboard on \(values.path) and change a flag. Press Ctrl-C to end.")
        for await change in manager.changes {
            print("\n\(change.keyPath) was changed in \(change.provider).")
            show(flags)
        }
    }

    private static func show(_ flags: FlagsLoader<ShopFlags>) {
        print("Paying takes \(flags.quickCheckout ? "one click" : "a form").")
        print("The shop asks for a rating: \(flags.ratingMode.rawValue).")
        print("Delivery costs \(flags.delivery.fee), and nothing from \(flags.delivery.freeFrom) on.")
    }
}
