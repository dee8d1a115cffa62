import FeatureFlags
import FeatureFlagsXML
import FlagHistory
import Foundation
import Testing

@testable import FlagChanges

@Suite("A snapshot of all flags")
struct SnapshotTests {
    @Test func `it holds the values in force and the definitions, and nothing of internal flags`() async throws {
        let project = try Project()
        let service = try project.service()
        _ = try await service.apply(
            Change(key: .of("checkout", "limit"), action: .setText("7")), by: Project.author)
        let (snapshot, _) = try await service.snapshot()
        let values = try PropertyListDocument(source: snapshot.values).root
        #expect(try values.value(at: .of("checkout", "limit")) == 7)
        #expect(try values.value(at: .of("checkout", "fast")) == nil, "it has its default")
        #expect(try values.value(at: .of("stray")) == "nobody defined me")
        let manifest = try #require(snapshot.manifest)
        #expect(!String(decoding: snapshot.values + manifest, as: UTF8.self).contains("token"))
        #expect(try FlagManifest(document: PropertyListDocument(source: manifest)).definitions.count == 6)
        #expect(snapshot.head == (try service.history.chainHead()))
    }

    @Test func `its version is another one after each change, and the same until then`() async throws {
        let project = try Project()
        let service = try project.service()
        let first = try await service.snapshot().version
        #expect(try await service.snapshotVersion() == first)
        _ = try await service.apply(Change(key: .of("checkout", "limit"), action: .setText("7")), by: Project.author)
        let second = try await service.snapshot().version
        #expect(second != first)
        _ = try await service.apply(Change(key: .of("checkout", "limit"), action: .setText("5")), by: Project.author)
        #expect(try await service.snapshot().version != first, "the file holds the same, and the history more")
    }

    @Test func `while a file can't be read, one has the last good values, and says which are`() async throws {
        let project = try Project()
        let service = try project.service()
        let sound = try await service.snapshot()
        try project.write("<plist")
        let stale = try await service.snapshot()
        #expect(try await service.snapshotVersion() == stale.version && stale.version != sound.version)
        #expect(stale.snapshot.values == sound.snapshot.values)
        #expect(stale.snapshot.broken.count > sound.snapshot.broken.count)
    }

    @Test func `a sound value is none of a broken source, also where an earlier provider never held a good one`()
        async throws
    {
        let project = try Project(
            values: Project.plist("<key>fee</key><string>x</string>"),
            manifest: Project.manifest([("fee", "double", "")]))
        let second = project.folder.appending(path: "second.xml")
        try Data(Project.plist("<key>fee</key><real>3.75</real>").utf8).write(to: second)
        let service = try project.service(others: [.init(name: "Second", url: second, isWritable: false)])
        let snapshot = try await service.snapshot().snapshot
        #expect(String(decoding: snapshot.values, as: UTF8.self).contains("3.75") && snapshot.broken.isEmpty)
        try Data(Project.plist("<key>fee</key><string>y</string>").utf8).write(to: second)
        #expect(try await service.snapshot().snapshot.broken.keys.sorted() == ["fee"])
    }

    @Test func `where another server defines the flags, no definition and no lock is changed here`() async throws {
        let project = try Project()
        var options = ChangeService.Options()
        let server = "https://flags.example.org/"
        options.sources = [FollowedSource(provider: "main", definingServer: server) { SourceStatus(source: server) }]
        let service = try project.service(options)
        for action in [Change.Action.lock, .unlock, .retire("old")] {
            let error = await #expect(throws: ChangeError.self) {
                try await service.apply(Change(key: .of("checkout", "limit"), action: action), by: Project.author)
            }
            #expect(error?.description.contains("https://flags.example.org/") == true)
        }
        let change = Change(key: .of("checkout", "limit"), action: .setText("7"))
        #expect(try await service.apply(change, by: Project.author) != .unchanged)
    }
}
