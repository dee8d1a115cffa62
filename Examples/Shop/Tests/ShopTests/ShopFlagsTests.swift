import FeatureFlags
import FeatureFlagsTesting
import Testing

@testable import Shop

@Suite("The shop's flags")
struct ShopFlagsTests {
    private let flags = FlagsLoader(ShopFlags.self, providers: [])

    @Test("Paying in one click is off unless somebody switches it on")
    func quickCheckout() {
        #expect(!flags.quickCheckout)
        withFlag(flags.$quickCheckout).enabled { #expect(flags.quickCheckout) }
        #expect(!flags.quickCheckout)
    }
}
