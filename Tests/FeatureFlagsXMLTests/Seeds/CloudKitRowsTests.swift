import FeatureFlags
import Foundation
import Synchronization
import Testing

/// A server of toggles as records, the answers of which a test sets.
private final class Server: Sendable {
    struct Unreachable: Error {}

    private let state = Mutex<(records: String?, fetches: Int)>((nil, 0))

    var fetches: Int { state.withLock { $0.fetches } }

    func answer(_ records: String?) { state.withLock { $0.records = records } }

    /// The records `{featureName, isActive}` as one object, by name.
    func fetch() throws -> Data {
        let answer = state.withLock { state in
            state.fetches += 1
            return state.records
        }
        guard let answer else { throw Unreachable() }
        let records = try JSONSerialization.jsonObject(with: Data(answer.utf8)) as? [[String: Any]]
        var toggles: [String: Any] = [:]
        for record in records ?? [] {
            if let name = record["featureName"] as? String { toggles[name] = record["isActive"] }
        }
        return try JSONSerialization.data(withJSONObject: toggles)
    }
}

private struct Toggles: FlagCollectionProtocol {
    @Flag(key: "feature1", default: false, description: "Falls back to off")
    var feature1: Bool
    @Flag(key: "feature2", default: true, description: "Falls back to on")
    var feature2: Bool
}

/// Identifiers with their fallback values, as the document declares them.
private enum FeatureToggle: String, CaseIterable {
    case feature1, featureTwo

    var fallbackValue: Bool { self == .featureTwo }
}

/// What section 5 of the list of seed systems says of CloudKit FeatureToggles, a test for each claim.
@Suite("CloudKit FeatureToggles", .timeLimit(.minutes(10)))
struct CloudKitRowsTests {
    private let folder: TemporaryFolder
    private let server = Server()

    init() throws { folder = try TemporaryFolder() }

    /// The app at its start.
    private func start() -> (manager: FlagsManager, toggles: FlagsLoader<Toggles>) {
        let provider = CodableProvider(name: "Server", cache: folder.file("toggles.json")) { [server] in
            try server.fetch()
        }
        let manager = FlagsManager(providers: [provider])
        return (manager, manager.addCollection(Toggles.self))
    }

    @Test("A toggle has an identifier and a fallback, and reading it never fetches")
    func reading() {
        let (_, toggles) = start()
        #expect(!toggles.feature1 && toggles.feature2)
        #expect(server.fetches == 0)
    }

    @Test("An enum of identifiers with fallback values is registered case by case")
    func identifiable() async throws {
        server.answer(#"[{"featureName": "feature1", "isActive": 1}]"#)
        let manager = FlagsManager(providers: [CodableProvider(name: "Server") { [server] in try server.fetch() }])
        let flags = FeatureToggle.allCases.map {
            Flag(key: $0.rawValue, default: $0.fallbackValue, description: "A toggle")
        }
        for flag in flags { try manager.register(flag) }
        #expect(flags.map(\.wrappedValue) == [false, true])
        try await manager.setUp()
        #expect(flags.map(\.wrappedValue) == [true, true])
    }

    @Test("Any text is an identifier", arguments: ["", "a.b", "a/b", "1", "ä 😀", "-x", "with \"quotes\""])
    func identifiers(_ identifier: String) async throws {
        let name = try String(decoding: JSONEncoder().encode(identifier), as: UTF8.self)
        server.answer("[{\"featureName\": \(name), \"isActive\": 1}]")
        let local = InMemoryProvider(name: "Local")
        let manager = FlagsManager(
            providers: [local, CodableProvider(name: "Server") { [server] in try server.fetch() }])
        let flag = Flag(key: identifier, default: false, description: "A toggle")
        try manager.register(flag)
        try await manager.setUp()
        #expect(flag.wrappedValue)
        try flag.set(false, in: "Local")
        #expect(!flag.wrappedValue)
    }

    @Test("A toggle's value is saved locally")
    func saving() throws {
        let local = InMemoryProvider()
        let toggles = FlagsLoader(Toggles.self, providers: [local])
        toggles.$feature1.setValue(true)
        #expect(toggles.feature1)
    }

    @Test("Records say 1 or 0; one of a wrong type or without its field gives the fallback, and says why")
    func records() async throws {
        server.answer(
            #"[{"featureName": "feature1", "isActive": 1}, {"featureName": "feature2", "isActive": "never"},"#
                + #" {"isActive": 1}, {"featureName": "feature3"}]"#)
        let (manager, toggles) = start()
        try await manager.setUp()
        #expect(toggles.feature1 && toggles.feature2)
        #expect(manager.diagnostics.current.map(\.flag) == [toggles.$feature2.keyPath])
    }

    @Test("Toggles are fetched once at the start, and kept for a start without a connection")
    func offline() async throws {
        server.answer(#"[{"featureName": "feature1", "isActive": 1}]"#)
        try await start().manager.setUp()
        #expect(server.fetches == 1)
        server.answer(nil)
        let (manager, toggles) = start()
        #expect(toggles.feature1, "before any fetch")
        await #expect(throws: Server.Unreachable.self) { try await manager.setUp() }
        #expect(toggles.feature1)
    }

    @Test("Who listens is told of the updated toggles, once they are stored")
    func notification() async throws {
        server.answer(#"[{"featureName": "feature1", "isActive": 1}, {"featureName": "feature2", "isActive": 0}]"#)
        let (manager, toggles) = start()
        var updates = manager.changes.makeAsyncIterator()
        try await manager.setUp()
        #expect(await updates.next()?.description == "feature1 in Server: integer 1")
        #expect(toggles.feature1 && FileManager.default.fileExists(atPath: folder.file("toggles.json").path))
        #expect(await updates.next()?.description == "feature2 in Server: integer 0")
    }

    @Test("A pushed change has the toggles fetched again: created ones are noticed, deleted ones are gone")
    func refetching() async throws {
        server.answer(#"[{"featureName": "feature2", "isActive": 0}]"#)
        let (manager, toggles) = start()
        try await manager.setUp()
        #expect(!toggles.feature2)
        server.answer(#"[{"featureName": "feature1", "isActive": 1}]"#)
        try await manager.refresh()
        #expect(toggles.feature1, "created")
        #expect(toggles.feature2, "deleted, so the fallback")
        #expect(start().toggles.feature2, "and not stored any more")
    }

    @Test("On an error the old values stay", arguments: [nil, "no JSON"])
    func failing(answer: String?) async throws {
        server.answer(#"[{"featureName": "feature1", "isActive": 1}]"#)
        let (manager, toggles) = start()
        try await manager.setUp()
        server.answer(answer)
        await #expect(throws: (any Error).self) { try await manager.refresh() }
        #expect(toggles.feature1 && start().toggles.feature1)
    }

    @Test("Where the values can't be kept, they are in force, and it is said")
    func unwritableCache() async throws {
        let provider = CodableProvider(name: "Server", cache: folder.file("none/toggles.json"))
        let toggles = FlagsLoader(Toggles.self, providers: [provider])
        let problem = #expect(throws: FlagValueError.self) { try provider.update(Data(#"{"feature1": true}"#.utf8)) }
        #expect(problem?.description.hasPrefix("can't save the data of the provider Server") == true)
        #expect(toggles.feature1)
    }
}
