import FeatureFlags
import FeatureFlagsObservation
import Observation
import Synchronization
import Testing

@Suite("What follows a flag for a view", .timeLimit(.minutes(10)))
struct FollowingTests {
    private let memory = InMemoryProvider()
    private let flags: FlagsLoader<ShopFlags>

    init() { flags = FlagsLoader(ShopFlags.self, providers: [memory]) }

    private var observers: Int { memory.store?.observerCount ?? -1 }

    @Test("A flag is followed from its first read, once, and no other is")
    func begins() {
        let observed = ObservedFlags(flags)
        #expect(observed.$retries.following == nil && observers == 0)
        observed.$retries.value = 4
        #expect(observers == 0, "a change needs no following")
        for _ in 0..<3 { #expect(observed.retries == 4 && observed.$retries.isOverridden) }
        #expect(observers == 1 && observed.$quickCheckout.following == nil)
    }

    @Test("It ends when the view is released")
    func endsWithView() async throws {
        var observed: ObservedFlags? = ObservedFlags(flags)
        #expect(observed?.retries == 3 && observed?.delivery.fee == 4.5)
        let tasks = [observed?.$retries.following, observed?.delivery.$fee.following].compactMap(\.self)
        #expect(tasks.count == 2 && observers == 2)
        weak let view = observed
        observed = nil
        #expect(view == nil)
        for task in tasks { await task.value }
        #expect(observers == 0)
    }

    @Test("A handle and a group outlive the view, and end by themselves")
    func endsWithHandle() async throws {
        var observed: ObservedFlags? = ObservedFlags(flags)
        var handle = observed?.$retries
        var group = observed?.delivery
        #expect(observed?.retries == 3 && observed?.quickCheckout == false && group?.fee == 4.5)
        let quick = try #require(observed?.$quickCheckout.following)
        let retries = try #require(handle?.following)
        let fee = try #require(group?.$fee.following)
        observed = nil
        try memory.setStoredValue(.integer(4), at: path("retries"))
        #expect(handle?.value == 4 && group?.fee == 4.5)
        group = nil
        await quick.value
        await fee.value
        #expect(observers == 1)
        let reading = Reading { #expect(handle?.value == 4) }
        try memory.setStoredValue(.integer(5), at: path("retries"))
        await reading.notice()
        handle = nil
        await retries.value
        #expect(observers == 0)
    }

    @Test("Notices of other changes are on the main actor, and those of its own before a change returns")
    func isolation() async throws {
        let observed = ObservedFlags(flags)
        let (places, continuation) = AsyncStream.makeStream(of: Bool.self)
        let onMain = Atomic(0)
        await MainActor.run {
            withObservationTracking {
                _ = observed.retries
            } onChange: {
                MainActor.assumeIsolated { _ = onMain.add(1, ordering: .relaxed) }
                continuation.yield(true)
            }
        }
        try memory.setStoredValue(.integer(4), at: path("retries"))
        for await _ in places { break }
        #expect(onMain.load(ordering: .relaxed) == 1)
    }

    @Test("While threads change, read and release, the last value is told of, and nothing is left behind")
    func races() async throws {
        let observed = ObservedFlags(flags)
        let watching = Task { @MainActor in
            while observed.retries != -1 || observed.delivery.fee != -1 {
                let reading = Reading { _ = (observed.retries, observed.delivery.fee) }
                // A change before the reading may have been told of before it.
                if observed.retries == -1, observed.delivery.fee == -1 { break }
                await reading.notice()
            }
        }
        await withDiscardingTaskGroup { group in
            for writer in 1...4 {
                group.addTask { [memory, flags] in
                    for number in 1...50 {
                        observed.$retries.value = writer * 100 + number
                        memory.replaceValues(with: ["retries": .integer(Int128(number))])
                        for task in Self.change(flags, number) { await task.value }
                    }
                }
            }
        }
        memory.replaceValues(with: ["retries": -1, "delivery": ["fee": -1.0]])
        await watching.value
        #expect(observed.lastError == nil && observers == 2)
    }

    /// Reads and changes flags through a view of its own, and returns what followed them for it.
    private static func change(_ flags: FlagsLoader<ShopFlags>, _ number: Int) -> [Task<Void, Never>] {
        let observed = ObservedFlags(flags)
        _ = (observed.retries, observed.delivery.fee)
        observed.delivery.$fee.value = Double(number)
        return [observed.$retries.following, observed.delivery.$fee.following].compactMap(\.self)
    }

    @Test("A change through a handle and another one at the same time are both told of")
    func meetingChanges() async throws {
        let handle = ObservedFlag(flags.$retries)
        for round in 1...200 {
            let first = Reading { _ = handle.value }
            async let other: Void = memory.replaceValues(with: ["retries": .integer(Int128(1000 + round))])
            async let own: Void = handle.set(2000 + round)
            await first.notice()
            var seen = 0
            let second = Reading { seen = handle.value }
            _ = try await (other, own)
            if seen != flags.retries { await second.notice() }
            #expect(handle.value == flags.retries && handle.value > 1000)
        }
    }
}
