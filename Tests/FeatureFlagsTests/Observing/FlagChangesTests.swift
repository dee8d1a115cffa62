import FeatureFlags
import Testing

private struct Shop: FlagCollectionProtocol {
    @Flag(default: false, description: "Sells")
    var isOpen: Bool
    @Flag(default: 1, excludedProviderNames: ["Remote"], description: "Not from afar")
    var tills: Int
    @FlagCollection(description: "Paying")
    var paying: Paying
}

private struct Paying: FlagCollectionProtocol {
    @Flag(default: false, description: "By card")
    var card: Bool
    @FlagCollection(keyConfiguration: .skip, description: "Abroad")
    var abroad: Abroad
}

private struct Abroad: FlagCollectionProtocol {
    @Flag(default: "", description: "The currency")
    var currency: String
}

@Suite("The changes of many flags", .timeLimit(.minutes(10)))
struct FlagChangesTests {
    private let remote = StoreProvider("Remote")
    private let local = StoreProvider("Local")

    private func loader() -> FlagsLoader<Shop> {
        FlagsLoader(Shop.self, providers: [remote, local])
    }

    private func texts(_ changes: FlagChangeStream, _ count: Int) async throws -> [String] {
        var changes = changes.makeAsyncIterator()
        return try await changes.next(count).map(\.description)
    }

    /// Changes of all sorts: of each flag, of none, at one stroke, and resets.
    private func change() throws {
        try remote.set(.bool(true), "is_open")
        try remote.set(.integer(5), "tills")
        try local.set(.integer(2), "tills")
        try local.set(.integer(2), "tills")
        try local.set(.string("no flag"), "other")
        local.values.replace(with: ["paying": .dictionary(["card": .bool(true), "currency": .string("EUR")])])
        local.values.fail(FlagValueError("gone"))
        local.values.replace(with: ["paying": .dictionary(["card": .bool(true)])])
        try local.resetValue(at: path("paying/card"))
    }

    private static let told = [
        "is_open in Remote: boolean true", "tills in Local: integer 2", "tills in Local: none",
        "paying/card in Local: boolean true",
        "paying/currency in Local: string \"EUR\"", "paying/card in Local: gone", "paying/currency in Local: gone",
        "paying/card in Local: boolean true", "paying/card in Local: none",
    ]

    @Test("Of a loader, one for each declared flag whose stored value changed, each with its provider")
    func loaderChanges() async throws {
        let changes = loader().changes
        try change()
        #expect(try await texts(changes, 9) == Self.told)
    }

    @Test("Of some keys, and of a group, no others")
    func someChanges() async throws {
        let loader = loader()
        let (keys, group) = (loader.changes(of: [try path("tills"), try path("none")]), loader.$paying.changes)
        let below = loader.changes(of: [try path("paying")])
        try change()
        #expect(try await texts(keys, 2) == Self.told.filter { $0.hasPrefix("tills") })
        let paying = Self.told.filter { $0.hasPrefix("paying") }
        #expect(try await texts(group, paying.count) == paying)
        #expect(try await texts(below, paying.count) == paying)
    }

    @Test("Of a manager, also for flags that are added later")
    func managerChanges() async throws {
        let manager = FlagsManager(providers: [remote, local])
        let (all, some) = (manager.changes, manager.changes(of: [try path("later")]))
        manager.addCollection(Shop.self)
        try change()
        try manager.register(Flag(key: "later", default: 0, description: "Registered"))
        try remote.set(.integer(1), "later")
        #expect(try await texts(all, 10) == Self.told + ["later in Remote: integer 1"])
        #expect(try await texts(some, 1) == ["later in Remote: integer 1"])
    }

    @Test("A change carries the key path, the provider's name and the value")
    func carries() async throws {
        var changes = loader().changes.makeAsyncIterator()
        try local.set(.string("3"), "tills")
        let change = try #require(await changes.next())
        #expect(change.keyPath == (try path("tills")) && change.provider == "Local")
        #expect(change.value == .string("3") && change.problem == nil)
    }

    @Test("A consumer is forgotten when it is cancelled or dropped")
    func unregisters() async throws {
        let loader = loader()
        do {
            let changes = loader.changes
            try local.set(.integer(2), "tills")
            for await _ in changes { break }
            #expect(remote.values.observerCount == 1 && local.values.observerCount == 1)
        }
        #expect(remote.values.observerCount == 0 && local.values.observerCount == 0)
        let task = Task { for await _ in loader.changes {} }
        task.cancel()
        await task.value
        #expect(remote.values.observerCount == 0 && local.values.observerCount == 0)
    }
}
