import FeatureFlags
import FeatureFlagsXML
import Foundation

/// A till whose flags are declared in `till.manifest.xml`: the plugin `GenerateFlags` makes `TillFlags` of it while this is
/// built.
@main
enum Till {
    static func main() {
        let local = LocalProvider(localURL: URL(fileURLWithPath: "till.xml"))
        let flags = FlagsManager(providers: [local]).addCollection(TillFlags.self)
        print("Receipts on paper: \(flags.receipt.paper.rawValue).")
        print("Cash is rounded: \(flags.rounding ? "yes" : "no").")
    }
}
