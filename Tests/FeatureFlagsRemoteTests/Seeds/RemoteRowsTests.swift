import FeatureFlags
import FeatureFlagsRemote
import FeatureFlagsXML
import Foundation
import TestClock
import Testing

/// The rows about values from elsewhere: CloudKit's, ToggleUI's and SwiftFeatureConfigs'.
@Suite("Remote values of the libraries that people move from")
struct RemoteRowsTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    struct Toggles: FlagCollectionProtocol {
        @Flag(default: false, description: "The first feature")
        var feature1: Bool

        @Flag(default: true, description: "The second feature")
        var feature2: Bool
    }

    @Test
    func `CloudKit: records are fetched once at the start, kept for a start offline, and told once they are stored`()
        async throws
    {
        let cache = folder.file("toggles.cache")
        let server = try await RemoteServer { _ in
            .json(#"{"records": [{"fields": {"featureName": {"value": "feature1"}, "isActive": {"value": 1}}}]}"#)
        }
        let remote = try RemoteProvider(server.address(), shape: .records, cache: cache, options: .by(ManualClock()))
        let toggles = FlagsLoader(
            Toggles.self, providers: [remote], keyConfiguration: KeyConfiguration(keyTransform: .none))
        var changes = toggles.changes.makeAsyncIterator()
        // A read never fetches.
        #expect(!toggles.feature1 && toggles.feature2)
        #expect(server.count(at: "/flags.json") == 0)
        try await remote.setUp()
        #expect(await changes.next()?.keyPath == keyPath("feature1"))
        #expect(toggles.feature1 && toggles.feature2)

        // A pushed change has them fetched again: one is new, one is gone, and one has the wrong type.
        server.answer(
            .json(#"[{"featureName": "feature2", "isActive": 0}, {"featureName": "feature3", "isActive": "on"}]"#))
        try await remote.refresh()
        #expect(!toggles.feature1 && !toggles.feature2)
        #expect(server.count(at: "/flags.json") == 2)

        // On an error the old values stay, and the next start without a server has them.
        server.answer(.status(500))
        await #expect(throws: RemoteError.self) { try await remote.refresh() }
        #expect(!toggles.feature2)
        await remote.tearDown()
        let offline = FlagsLoader(
            Toggles.self,
            providers: [try RemoteProvider(server.address(), shape: .records, cache: cache)],
            keyConfiguration: KeyConfiguration(keyTransform: .none))
        #expect(!offline.feature2)
    }

    @Test func `RealFlags: who waits for fetches is told of each, of one that changes nothing and of one that fails`()
        async throws
    {
        let server = try await RemoteServer { _ in .json(#"{"feature1": true}"#) }
        let remote = try RemoteProvider(server.address(), options: .by(ManualClock()))
        let flags = FlagsLoader(Toggles.self, providers: [remote])
        var fetches = remote.outcomes.makeAsyncIterator()
        try await remote.setUp()
        let first = try #require(await fetches.next())
        #expect(first == nil && flags.feature1, "the values are in force by then")
        try await remote.refresh()
        #expect(try #require(await fetches.next()) == nil)
        server.answer(.status(500))
        await #expect(throws: RemoteError.self) { try await remote.refresh() }
        #expect(try #require(await fetches.next())?.description.contains("500") == true && flags.feature1)
        await remote.tearDown()
        #expect(await fetches.next() == nil)
    }

    @Test func `ToggleUI: values below a nested key are decoded when they are read, an index counting into an array`()
        async throws
    {
        let server = try await RemoteServer { _ in
            .json(#"{"version": 3, "config": {"list": [{"on": true}], "title": 7, "layout": {"columns": [1, null]}}}"#)
        }
        let remote = try RemoteProvider(server.address(), name: "Remote Config", shape: .json(at: ["config"]))
        try await remote.setUp()
        #expect(try remote.value(of: Bool.self, at: keyPath("list", "0", "on")) == true)
        #expect(throws: FlagDecodingError.self) { try remote.decode(String.self, at: keyPath("title")) }
        let missing = #expect(throws: FlagDecodingError.self) { try remote.decode(Int.self, at: keyPath("none")) }
        #expect(missing?.isKeyNotFound == true)
        #expect(try remote.storedValue(at: keyPath("version")) == nil)
        await remote.tearDown()
    }

    struct MyConfigs: FlagCollectionProtocol {
        @Flag(default: "default", description: "What the server says")
        var served: String

        @Flag(default: "default", description: "What ships with the app")
        var shipped: String

        @Flag(default: "default", description: "What neither says")
        var neither: String
    }

    @Test func `SwiftFeatureConfigs: remote, cached, bundled and default are four levels, key by key`() async throws {
        let cache = folder.file("MyConfigs.cache")
        let bundle = folder.file("MyConfigs.plist")
        let list = { @Sendable (entries: String) in "<plist version=\"1.0\"><dict>\(entries)</dict></plist>" }
        try Data(
            list("<key>served</key><string>bundled</string><key>shipped</key><string>bundled</string>").utf8
        ).write(to: bundle)
        let server = try await RemoteServer { _ in
            .answer(200, ["ETag": "\"1\""], Data(list("<key>served</key><string>remote</string>").utf8))
        }
        let configs = {
            let remote = try RemoteProvider(
                server.address(), shape: .propertyList, cache: cache, options: .by(ManualClock()))
            let bundled = LocalProvider(localURL: bundle, name: "Bundled", isWritable: false)
            return (
                remote,
                FlagsLoader(
                    MyConfigs.self, providers: [remote, bundled],
                    keyConfiguration: KeyConfiguration(keyTransform: .none))
            )
        }
        let (remote, first) = try configs()
        #expect([first.served, first.shipped, first.neither] == ["bundled", "bundled", "default"])
        try await remote.setUp()
        #expect([first.served, first.shipped, first.neither] == ["remote", "bundled", "default"])
        await remote.tearDown()
        server.answer(.status(503))
        let (_, second) = try configs()
        #expect([second.served, second.shipped, second.neither] == ["remote", "bundled", "default"])
    }
}
