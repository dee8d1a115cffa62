import FeatureFlags
import Testing

@Suite("Updates of a store", .timeLimit(.minutes(10)))
struct StoreUpdateTests {
    @Test("Each change is told once, in order, with its keys and what is held then")
    func tellsChanges() async throws {
        let store = FlagValueStore(["a": .integer(1)])
        var updates = store.updates.makeAsyncIterator()
        try store.set(.integer(2), at: path("a"))
        try store.set(.integer(2), at: path("a"))
        try store.set(nil, at: path("none"))
        try store.set(.bool(true), at: path("ui/blue"))
        store.replace(with: ["ui": .dictionary(["blue": .bool(true), "red": .bool(false)]), "b": .string("x")])
        store.replace(with: ["ui": .dictionary(["blue": .bool(true), "red": .bool(false)]), "b": .string("x")])
        store.fail(FlagValueError("gone"))
        store.replace(with: ["b": .string("x")])
        let told = try await updates.next(5)
        #expect(
            told.map { $0.keys.map(\.text) } == [
                ["a"], ["ui/blue"], ["a", "b", "ui/red"], ["b", "ui/blue", "ui/red"], ["b"],
            ])
        #expect(try told[0].value(at: path("a")) == .integer(2))
        #expect(try told[0].value(at: path("ui/blue")) == nil)
        #expect(try told[2].value(at: path("a")) == nil)
        #expect(throws: FlagValueError("gone")) { try told[3].value(at: path("b")) }
        #expect(try told[4].value(at: path("b")) == .string("x"))
    }

    @Test("What can't be stored changes nothing, and says why")
    func refuses() throws {
        let store = FlagValueStore(["ui": .string("text")])
        let problem = try #require(throws: FlagValueError.self) { try store.set(.bool(true), at: path("ui/blue")) }
        #expect(problem.description.hasPrefix("can't change ui/blue: \"ui\" is "))
        store.fail(FlagValueError("gone"))
        #expect(throws: FlagValueError("gone")) { try store.set(.bool(true), at: path("a")) }
        #expect(throws: FlagValueError("gone")) { try store.values }
    }

    @Test("Several consumers each get every change that 8 tasks make, once, and all in one order")
    func losesNothing() async throws {
        let store = FlagValueStore()
        let consumers = [store.updates, store.updates].map { updates in
            Task { await updates.prefix(8000).reduce(into: [FlagUpdate]()) { $0.append($1) } }
        }
        try await withThrowingTaskGroup { group in
            for task in 0..<8 {
                group.addTask {
                    for number in 1...1000 { try store.set(.integer(Int128(number)), at: path("tasks/\(task)")) }
                }
            }
            try await group.waitForAll()
        }
        var changes: [[String]] = []
        for consumer in consumers {
            var last: [String: Int128] = [:]
            let updates = await consumer.value
            for update in updates {
                let key = try #require(update.keys.first)
                let value = try update.value(at: key)
                #expect(update.keys.count == 1 && value == .integer(last[key.text, default: 0] + 1))
                last[key.text, default: 0] += 1
            }
            #expect(last.count == 8 && Set(last.values) == [1000])
            #expect(try updates.last?.value(at: path("tasks")) == store.value(at: path("tasks")))
            changes.append(updates.map { $0.keys.map(\.text).joined() })
        }
        #expect(changes[0] == changes[1])
    }

    @Test("A consumer is forgotten when it is cancelled or dropped, and ends with the store")
    func unregisters() async throws {
        var store: FlagValueStore? = FlagValueStore()
        let values = try #require(store)
        do {
            var dropped = values.updates.makeAsyncIterator()
            #expect(values.observerCount == 1)
            try values.set(.integer(1), at: path("a"))
            _ = await dropped.next()
        }
        #expect(values.observerCount == 0)
        let cancelled = Task { [updates = values.updates] in for await _ in updates {} }
        #expect(values.observerCount == 1)
        cancelled.cancel()
        await cancelled.value
        #expect(values.observerCount == 0)
        store = nil
    }

    @Test("A stream of updates ends with the store")
    func ends() async {
        var store: FlagValueStore? = FlagValueStore()
        let updates = store?.updates
        store = nil
        var count = 0
        if let updates { for await _ in updates { count += 1 } }
        #expect(count == 0)
    }
}
