import FeatureFlags
import Synchronization
import Testing

private struct Observed: FlagCollectionProtocol {
    @Flag(default: 0, description: "A number")
    var number: Int
    @Flag(default: 0, excludedProviderNames: ["First"], description: "Not from the first provider")
    var second: Int
    @Flag(default: 0.5, description: "A number that may be none")
    var ratio: Double
    @Flag(default: Point(x: 0), description: "No equality")
    var point: Point
    @Flag(description: "May be nil")
    var note: String?
}

/// A type without equality.
private struct Point: Codable, FlagProtocol {
    var x: Int
}

@Suite("The values of a flag", .timeLimit(.minutes(10)))
struct FlagValuesTests {
    private let first = StoreProvider("First")
    private let last = StoreProvider("Last")

    private func loader() -> FlagsLoader<Observed> {
        FlagsLoader(Observed.self, providers: [first, last])
    }

    @Test("The current value comes first, then every other one in order, from whatever source")
    func values() async throws {
        let flag = loader().$number
        try last.set(.integer(1), "number")
        var values = flag.values.makeAsyncIterator()
        try first.set(.integer(2), "number")
        try last.set(.integer(3), "number")
        try last.set(nil, "number")
        try first.set(.string("none"), "number")
        flag.setDefault(4)
        flag.setDefault(5)
        try first.set(.integer(5), "number")
        try flag.resetValue()
        flag.setDefault(6)
        #expect(try await values.next(4) == [1, 2, 5, 6], "a broken value leaves the last good one")
    }

    @Test("Changes of other flags, and of providers that the flag excludes, give no value")
    func leavesOut() async throws {
        let flag = loader().$second
        var values = flag.values.makeAsyncIterator()
        try first.set(.integer(1), "second")
        try last.set(.integer(2), "number")
        try last.set(.integer(3), "second")
        #expect(try await values.next(2) == [0, 3])
    }

    @Test("Values are the same where they are equal, or stored alike where the type can't tell")
    func dropsRepeated() async throws {
        let loader = loader()
        var ratios = loader.$ratio.values.map { "\($0)" }.makeAsyncIterator()
        var points = loader.$point.values.map(\.x).makeAsyncIterator()
        var notes = loader.$note.values.makeAsyncIterator()
        for value in [.double(.nan), .string("nan"), .double(1), .integer(1), .double(2)] as [FlagValue] {
            try last.set(value, "ratio")
        }
        #expect(try await ratios.next(4) == ["0.5", "nan", "1.0", "2.0"])
        for x in [0, 1, 1, 2] {
            loader.$point.setDefault(Point(x: x))
        }
        #expect(try await points.next(3) == [0, 1, 2])
        try last.set(.string("a"), "note")
        try last.set(nil, "note")
        #expect(try await notes.next(3) == [nil, "a", nil])
    }

    @Test("A computed value, a dynamic default and a silent provider are asked anew at each change of another source")
    func asksAnew() async throws {
        let manager = FlagsManager(providers: [SilentProvider(), last])
        let computed = Atomic(0)
        let dynamic = Atomic(0)
        let flags = [
            Flag(
                key: "computed", default: 0, computedValue: { computed.load(ordering: .relaxed) },
                description: "Computed"),
            Flag(key: "dynamic", dynamicDefault: { dynamic.load(ordering: .relaxed) }, description: "Dynamic"),
            Flag(key: "silent", default: 0, description: "In a silent provider"),
        ]
        for flag in flags { try manager.register(flag) }
        var values = flags.map { $0.values.makeAsyncIterator() }
        for index in values.indices { #expect(await values[index].next() == 0) }
        computed.store(1, ordering: .relaxed)
        dynamic.store(2, ordering: .relaxed)
        try flags[2].set(3, in: "Silent")
        try last.set(.bool(true), "other")
        for index in values.indices { #expect(await values[index].next() == index + 1) }
    }

    @Test("A list of providers that changes is looked at at each change")
    func followsDynamicList() async throws {
        let list = Mutex([first])
        let loader = FlagsLoader(Observed.self, dynamicProviders: { list.withLock { $0 } })
        var values = loader.$number.values.makeAsyncIterator()
        #expect(await values.next() == 0)
        try last.set(.integer(1), "number")
        list.withLock { $0 = [last] }
        try first.set(.integer(9), "number")
        #expect(await values.next() == 1)
        #expect(first.values.observerCount == 0)
        try last.set(.integer(2), "number")
        #expect(await values.next() == 2)
    }

    @Test("A provider that is inserted or removed makes another value, and tells of its changes")
    func followsList() async throws {
        let manager = FlagsManager(providers: [last])
        let flag = manager.addCollection(Observed.self).$number
        var values = flag.values.makeAsyncIterator()
        var changes = manager.changes.makeAsyncIterator()
        try last.set(.integer(1), "number")
        try first.set(.integer(2), "number")
        #expect(try await values.next(2) == [0, 1])
        try manager.insert(first)
        #expect(await values.next() == 2)
        let silent = SilentProvider()
        try silent.setStoredValue(.integer(3), at: path("number"))
        try manager.insert(silent)
        #expect(await values.next() == 3)
        try first.set(.integer(4), "number")
        manager.removeProvider(named: "Silent")
        #expect(await values.next() == 4)
        manager.removeProvider(named: "First")
        #expect(await values.next() == 1)
        #expect(first.values.observerCount == 0)
        try manager.insert(first)
        #expect(first.values.observerCount == 2)
        #expect(await changes.next()?.provider == "Last")
        try first.set(.integer(5), "number")
        #expect(await changes.next()?.provider == "First")
    }

    @Test(
        "Under 8 tasks that write, every consumer sees each value once, in one order, and the last is what a read gives"
    )
    func losesNothing() async throws {
        let flag = loader().$number
        let store = first.values
        let (started, start) = AsyncStream.makeStream(of: Void.self)
        let consumers = (0..<3).map { _ in
            Task {
                var values = flag.values.makeAsyncIterator()
                start.yield()
                return try await values.next(8001)
            }
        }
        for await _ in started.prefix(3) {}
        let updates = store.updates
        try await withThrowingTaskGroup { group in
            for task in 0..<8 {
                group.addTask {
                    for number in 1...1000 { try store.set(.integer(Int128(task * 1000 + number)), at: path("number")) }
                }
            }
            try await group.waitForAll()
        }
        var told: [Int] = [0]
        for await update in updates.prefix(8000) {
            told.append(try Int.decode(#require(try update.value(at: path("number")))))
        }
        for consumer in consumers { #expect(try await consumer.value == told) }
        #expect(flag.wrappedValue == told.last)
    }

    @Test("A consumer is forgotten by all sources when it is cancelled or dropped")
    func unregisters() async throws {
        let flag = loader().$number
        let (started, start) = AsyncStream.makeStream(of: Void.self)
        let task = Task {
            for await _ in flag.values { start.yield() }
        }
        for await _ in started { break }
        #expect(first.values.observerCount == 1 && last.values.observerCount == 1)
        task.cancel()
        await task.value
        #expect(first.values.observerCount == 0 && last.values.observerCount == 0)
        for await _ in flag.values { break }
        #expect(first.values.observerCount == 0 && last.values.observerCount == 0)
        #expect(flag.defaultObserverCount == 0)
    }
}
