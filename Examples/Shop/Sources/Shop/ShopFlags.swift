import FeatureFlags

/// What the shop can switch.
struct ShopFlags: FlagCollectionProtocol {
    @Flag("Pay in one click")
    var quickCheckout = false

    @Flag("When the shop asks for a rating")
    var ratingMode = RatingMode.never

    @FlagCollection("What delivery costs")
    var delivery: DeliveryFlags
}

enum RatingMode: String, CaseIterable, FlagProtocol {
    case never, atLaunch, afterPurchase
}

struct DeliveryFlags: FlagCollectionProtocol {
    @Flag("In euros")
    var fee = 4.9

    @Flag(FlagMetadata(description: "In euros; the lock keeps the dashboard from changing it", isLocked: true))
    var freeFrom = 30.0
}
