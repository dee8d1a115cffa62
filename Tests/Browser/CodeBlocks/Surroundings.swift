import FeatureFlags
import FeatureFlagsXML
import Foundation

/// The flags that the examples of the documentation speak of.
struct ShopFlags: FlagCollectionProtocol {
    @Flag(default: false, description: "Pay in one click")
    var quickCheckout: Bool

    @Flag(default: 3, description: "How often a failed payment is tried again")
    var paymentRetries: Int

    @FlagCollection(description: "What delivery costs")
    var delivery: DeliveryFlags
}

struct DeliveryFlags: FlagCollectionProtocol {
    @Flag(default: 4.9, description: "In euros")
    var fee: Double
}

let file = URL(fileURLWithPath: "flags.xml")
let local = LocalProvider(localURL: file)
let manager = FlagsManager(providers: [local])
let flags = manager.addCollection(ShopFlags.self)
