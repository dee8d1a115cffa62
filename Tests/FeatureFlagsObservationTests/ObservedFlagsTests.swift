import FeatureFlags
import FeatureFlagsObservation
import FeatureFlagsTesting
import Testing

@Suite("An observable view of a collection", .timeLimit(.minutes(10)))
struct ObservedFlagsTests {
    private let first = InMemoryProvider(name: "First")
    private let last = InMemoryProvider(name: "Last")
    private let manager: FlagsManager
    private let flags: FlagsLoader<ShopFlags>
    private let observed: ObservedFlags<ShopFlags>

    init() {
        manager = FlagsManager(providers: [first, last])
        flags = manager.addCollection(ShopFlags.self)
        observed = ObservedFlags(flags)
    }

    enum Change: String, CaseIterable {
        case upperProvider, lowerProvider, removal, reset, defaultValue, insertedProvider, removedProvider, replacement
    }

    @Test("A flag that was read is told of, whatever has changed it", arguments: Change.allCases)
    func tellsOfEachSource(change: Change) async throws {
        try last.setStoredValue(.integer(7), at: path("retries"))
        let reading = Reading { #expect(observed.retries == 7) }
        switch change {
        case .upperProvider: try first.setStoredValue(.integer(8), at: path("retries"))
        case .lowerProvider: try last.setStoredValue(.integer(8), at: path("retries"))
        case .removal: try last.setStoredValue(nil, at: path("retries"))
        case .reset: try flags.$retries.resetValue()
        case .defaultValue:
            try last.setStoredValue(nil, at: path("retries"))
            await reading.notice()
            let second = Reading { #expect(observed.retries == 3) }
            flags.$retries.setDefault(9)
            return await second.notice()
        case .insertedProvider: try manager.insert(InMemoryProvider(name: "New", values: ["retries": 8]))
        case .removedProvider: manager.removeProvider(named: "Last")
        case .replacement: last.replaceValues(with: ["retries": 8])
        }
        await reading.notice()
        #expect(observed.retries != 7)
    }

    @Test("A change of a flag that was not read is not told of, nor is a value that a provider above hides")
    func leavesOthersOut() async throws {
        try first.setStoredValue(.integer(7), at: path("retries"))
        let fee = Reading { #expect(observed.delivery.fee == 4.5) }
        let retries = Reading { #expect(observed.retries == 7) }
        try last.setStoredValue(.bool(true), at: path("quick_checkout"))
        try last.setStoredValue(.integer(8), at: path("retries"))
        // The notices of one change come before those of the next, so these show that none was due before.
        let quick = Reading { #expect(observed.quickCheckout) }
        try last.setStoredValue(.bool(false), at: path("quick_checkout"))
        await quick.notice()
        #expect(!fee.isNotified)
        try first.setStoredValue(.double(3), at: path("delivery", "fee"))
        await fee.notice()
        #expect(!retries.isNotified)
        try first.setStoredValue(.integer(9), at: path("retries"))
        await retries.notice()
    }

    @Test("A group is a view of its own, with the same handles and the same error")
    func groups() async throws {
        let delivery = observed.delivery
        #expect(delivery.$fee === observed.delivery.$fee)
        let reading = Reading { #expect(delivery.fee == 4.5) }
        let above = Reading { #expect(delivery.freeAbove == 50) }
        observed.delivery.$fee.value = 2
        #expect(reading.isNotified && !above.isNotified)
        #expect(delivery.fee == 2 && flags.delivery.fee == 2)
    }

    @Test("A property that the collection computes is told of for each flag that it reads, and for no other")
    func computed() async throws {
        let off = Reading { #expect(!observed.retriesQuickly) }
        // While the first condition fails, the second is not read.
        observed.$retries.value = 5
        #expect(!off.isNotified)
        observed.$quickCheckout.value = true
        #expect(off.isNotified)
        let on = Reading { #expect(observed.retriesQuickly) }
        try last.setStoredValue(.integer(1), at: path("retries"))
        try first.setStoredValue(.integer(1), at: path("retries"))
        await on.notice()
        #expect(!observed.retriesQuickly)
    }

    @Test("A flag's own computed value and a task's override count, and the view goes on after the override's body")
    func overrides() async throws {
        withFlag(flags.$retries).set(to: 20) { #expect(observed.retries == 20) }
        let reading = Reading { #expect(observed.retries == 3) }
        try last.setStoredValue(.integer(4), at: path("retries"))
        await reading.notice()
        #expect(observed.retries == 4)

        let computed = Flag(
            key: "computed", default: 1,
            computedValue: { [last] in last.heldValue(at: path("switch")) == true ? 2 : nil },
            description: "Computed")
        try manager.register(computed)
        let handle = ObservedFlag(computed)
        let computedReading = Reading { #expect(handle.value == 1 && !handle.isOverridden) }
        try last.setStoredValue(.bool(true), at: path("switch"))
        await computedReading.notice()
        #expect(handle.value == 2)
    }

    @Test("The last error is told of, of whichever flag it is, until a change succeeds or it is dismissed")
    func lastError() throws {
        let manager = FlagsManager(providers: [InMemoryProvider(values: ["retries": 1], isWritable: false)])
        let observed = ObservedFlags(manager.addCollection(ShopFlags.self))
        let reading = Reading { #expect(observed.lastError == nil) }
        observed.delivery.$fee.value = 1
        #expect(reading.isNotified)
        #expect((observed.lastError as? FlagError)?.isReadOnly == true)
        #expect((observed.delivery.lastError as? FlagError)?.isReadOnly == true)
        #expect(observed.$retries.lastError == nil && observed.delivery.fee == 4.5)
        let dismissed = Reading { #expect(observed.lastError != nil) }
        observed.dismissError()
        #expect(dismissed.isNotified && observed.lastError == nil)
        observed.$retries.value = 2
        try manager.insert(InMemoryProvider(name: "Writable"))
        observed.$retries.value = 2
        #expect(observed.lastError == nil && observed.$retries.lastError == nil && observed.retries == 2)
    }
}
