import FeatureFlags
import Synchronization
import Testing

private struct Flags: FlagCollectionProtocol {
    @Flag("A number") var number = 0
    @Flag("A text") var text: String? = "none"
    @FlagCollection(description: "A group") var group: Group
}

private struct Group: FlagCollectionProtocol {
    @Flag("Left") var left = 0
    @Flag("Right") var right = 0
    @Flag(default: 0, excludedProviderNames: ["First"], description: "Not from the first provider") var second: Int
}

@Suite("The states of a group and of a collection", .timeLimit(.minutes(10)))
struct CollectionSnapshotsTests {
    private let first = StoreProvider("First")
    private let last = StoreProvider("Last")
    private let flags: FlagsLoader<Flags>

    init() { flags = FlagsLoader(Flags.self, providers: [first, last]) }

    @Test("The current state comes first, then every other one in order, from whatever source")
    func group() async throws {
        try last.set(1, "group/left")
        var states = flags.$group.makeAsyncIterator()
        try first.set(2, "group/left")
        try last.set(3, "group/left")
        try first.set(4, "group/right")
        try first.set("broken", "group/right")
        try first.set(nil, "group/left")
        flags.group.$right.setDefault(7)
        try flags.group.$right.resetValue()
        flags.group.$right.setDefault(8)
        let pairs = try await states.next(6).map { [$0.left, $0.right] }
        #expect(pairs == [[1, 0], [2, 0], [2, 4], [3, 4], [3, 7], [3, 8]])
    }

    @Test("What a provider changes at once is one state")
    func together() async throws {
        var states = flags.$group.snapshots.makeAsyncIterator()
        first.values.replace(with: ["group": ["left": 5, "right": 6], "number": 1])
        first.values.replace(with: ["group": ["right": 7]])
        let pairs = try await states.next(3).map { [$0.left, $0.right] }
        #expect(pairs == [[0, 0], [5, 6], [0, 7]])
    }

    @Test("Changes of other flags, and of providers that a flag excludes, are no state of the group")
    func leavesOut() async throws {
        var states = flags.$group.makeAsyncIterator()
        try last.set(1, "number")
        try first.set(1, "group/second")
        try last.set(2, "group/second")
        #expect(try await states.next(2).map(\.second) == [0, 2])
    }

    @Test("A whole collection is followed with its groups, and each state can be compared and saved")
    func collection() async throws {
        var states = flags.snapshots.makeAsyncIterator()
        let before = flags.snapshot()
        #expect(await states.next() == before)
        try first.set("", "text")
        try first.set(3, "group/left")
        let between = try #require(await states.next())
        let after = try #require(await states.next())
        #expect(between.text?.isEmpty == true && between.group.left == 0 && after.group.left == 3)
        #expect(after.differences(from: before).map(\.text) == ["text", "group/left"])
        #expect(after == flags.snapshot())
        try before.save(to: first)
        #expect(try await states.next(2).last == before)
    }

    @Test("Defaults that are nil and optionals that lose their value are states")
    func optionals() async throws {
        var states = flags.snapshots.makeAsyncIterator()
        flags.$text.setDefault(nil)
        try last.set("a", "text")
        try last.set(nil, "text")
        #expect(try await states.next(4).map(\.text) == ["none", nil, "a", nil])
    }

    @Test("A computed value, a dynamic default and a silent provider are asked anew at each change of another source")
    func asksAnew() async throws {
        let silent = SilentProvider()
        let flags = FlagsLoader(Asked.self, providers: [silent, last])
        var states = flags.snapshots.makeAsyncIterator()
        #expect(await states.next() == flags.snapshot())
        Asked.number.store(4, ordering: .relaxed)
        try silent.setStoredValue(9, at: path("silent"))
        try last.set(true, "other")
        let state = try #require(await states.next())
        #expect(state.computed == 4 && state.dynamic == 4 && state.silent == 9)
    }

    @Test("A list of providers that changes makes another state, and its providers are followed")
    func followsList() async throws {
        let manager = FlagsManager(providers: [last])
        let flags = manager.addCollection(Flags.self)
        var states = flags.$group.makeAsyncIterator()
        #expect(await states.next()?.left == 0)
        try first.set(2, "group/left")
        try manager.insert(first)
        try first.set(3, "group/left")
        #expect(try await states.next(2).map(\.left) == [2, 3])
        manager.removeProvider(named: "First")
        #expect(await states.next()?.left == 0)
        #expect(first.values.observerCount == 0)
    }

    @Test("Under 8 tasks that write, a consumer sees every state once, and the last is what a read gives")
    func losesNothing() async throws {
        let store = first.values
        var states = flags.$group.makeAsyncIterator()
        let updates = store.updates
        try await withThrowingTaskGroup { group in
            for task in 0..<8 {
                let side = task.isMultiple(of: 2) ? "group/left" : "group/right"
                group.addTask {
                    for number in 1...250 { try store.set(.integer(Int128(task * 250 + number)), at: path(side)) }
                }
            }
            try await group.waitForAll()
        }
        var told = [[0, 0]]
        for await update in updates.prefix(2000) {
            let sides = try ["group/left", "group/right"].map { try update.value(at: path($0)).map(Int.decode) ?? 0 }
            told.append(sides)
        }
        #expect(try await states.next(2001).map { [$0.left, $0.right] } == told)
        #expect(told.last == [flags.group.left, flags.group.right])
    }

    @Test("A consumer is forgotten by all sources when it is cancelled or dropped")
    func unregisters() async throws {
        let (started, start) = AsyncStream.makeStream(of: Void.self)
        let task = Task { [flags] in
            for await _ in flags.snapshots { start.yield() }
        }
        for await _ in started { break }
        #expect(first.values.observerCount == 1 && last.values.observerCount == 1)
        task.cancel()
        await task.value
        #expect(first.values.observerCount == 0 && last.values.observerCount == 0)
        for await _ in flags.$group { break }
        #expect(first.values.observerCount == 0 && last.values.observerCount == 0)
        #expect(flags.group.$left.defaultObserverCount == 0)
    }
}

private struct Asked: FlagCollectionProtocol {
    static let number = Atomic(0)

    @Flag(default: 0, computedValue: { Asked.number.load(ordering: .relaxed) }, description: "Computed")
    var computed: Int
    @Flag(dynamicDefault: { Asked.number.load(ordering: .relaxed) }, description: "Dynamic") var dynamic: Int
    @Flag(default: 0, description: "In a silent provider") var silent: Int
}
