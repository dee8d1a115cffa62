import FeatureFlags

/// What the shop can switch.
struct ShopFlags: FlagCollectionProtocol {
    @Flag(default: false, description: "Pay in one click")
    var quickCheckout: Bool

    @Flag(default: .never, description: "When the shop asks for a rating")
    var ratingMode: RatingMode

    @FlagCollection(description: "What delivery costs")
    var delivery: DeliveryFlags
}

enum RatingMode: String, CaseIterable, FlagProtocol {
    case never, atLaunch, afterPurchase
}

struct DeliveryFlags: FlagCollectionProtocol {
    @Flag(default: 4.9, description: "In euros")
    var fee: Double

    @Flag(
        default: 30,
        description: FlagMetadata(
            description: "In euros; the lock keeps the dashboard from changing it", isLocked: true))
    var freeFrom: Double
}
