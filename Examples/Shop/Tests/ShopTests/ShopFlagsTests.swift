import FeatureFlags
import FeatureFlagsObservation
import FeatureFlagsTesting
import Observation
import Synchronization
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

    @Test("A view of the shop is drawn again when its fee changes")
    func delivery() throws {
        let observed = ObservedFlags(FlagsLoader(ShopFlags.self, providers: [InMemoryProvider()]))
        let isOutdated = Atomic(false)
        withObservationTracking {
            #expect(observed.delivery.fee == 4.9)
        } onChange: {
            isOutdated.store(true, ordering: .relaxed)
        }
        try observed.delivery.$fee.set(3.9)
        #expect(isOutdated.load(ordering: .relaxed) && observed.delivery.fee == 3.9)
    }
}
