import FeatureFlags
import FlagHistory
import Foundation
import Testing

@testable import FlagChanges

@Suite("Values files of other environments")
struct EnvironmentTests {
    private let project: Project
    private let service: ChangeService
    private let author = ChangeAuthor(name: "ada", role: .admin, origin: .form)

    private static let key = FlagKeyPath(components: ["fee"])

    init() throws {
        let more = "<key>default</key><integer>1</integer><key>requiresRestart</key><true/>"
        project = try Project(
            values: Project.plist(""), manifest: Project.manifest([("fee", "integer", more)]))
        let url = project.folder.appending(path: "staging.xml")
        try Data(Project.plist("<key>fee</key><integer>7</integer>").utf8).write(to: url)
        service = try project.service(others: [
            FlagFiles.Provider(name: "staging", url: url, isWritable: true, isAsked: false)
        ])
    }

    @Test("A read doesn't ask them, and says what they hold")
    func notAsked() async throws {
        let entry = try #require(try await service.overview().catalogue[Self.key])
        #expect(entry.resolution.effectiveValue == .integer(1) && entry.resolution.source == .defaultValue)
        #expect(entry.resolution["staging"]?.stored == .integer(7))
        #expect(entry.resolution.readings.map(\.isAsked) == [true, false])
        #expect(!entry.resolution.isOverridden)
    }

    @Test("A change that names none goes to the file here, and one that names them changes nothing here")
    func changes() async throws {
        let catalogue = try await service.overview().catalogue
        #expect(catalogue.usualProvider(for: Self.key)?.name == FlagFiles.localProviderName)
        _ = try await service.apply(
            Change(key: Self.key, action: .setValue(.integer(8)), provider: "staging"), by: author)
        let overview = try await service.overview()
        #expect(overview.catalogue[Self.key]?.resolution["staging"]?.stored == .integer(8))
        #expect(overview.catalogue[Self.key]?.resolution.effectiveValue == .integer(1))
        #expect(overview.pendingRestart.waits.isEmpty)
        _ = try await service.apply(Change(key: Self.key, action: .setValue(.integer(2))), by: author)
        let changed = try await service.overview()
        #expect(changed.catalogue[Self.key]?.resolution.source == .provider(FlagFiles.localProviderName))
        #expect(changed.pendingRestart.waits.map(\.before) == [.integer(1)])
        let rows = try service.history.page(HistoryQuery()).records
        #expect(Set(rows.map(\.event.provider)) == ["staging", FlagFiles.localProviderName])
    }

    @Test("A value that is forgotten here is so whatever happens in another environment")
    func stale() async throws {
        let url = project.folder.appending(path: "dev.xml")
        try Data(Project.plist("").utf8).write(to: url)
        let project = try Project(values: Project.plist(""), manifest: Project.manifest([("fee", "integer", "")]))
        let clock = SettableTime(Project.now)
        let service = try ChangeService(
            files: FlagFiles(
                values: project.file,
                others: [FlagFiles.Provider(name: "dev", url: url, isWritable: true, isAsked: false)]),
            options: ChangeService.Options(clock: { clock.now }))
        _ = try await service.apply(Change(key: Self.key, action: .setValue(.integer(2))), by: author)
        clock.advance(days: 181)
        _ = try await service.apply(
            Change(key: Self.key, action: .setValue(.integer(3)), provider: "dev"), by: author)
        #expect(try await service.overview().unchanged.keys.map(\.text) == ["fee"])
    }

    @Test("What another server follows is what holds here")
    func snapshot() async throws {
        let values = try await service.snapshot().snapshot.values
        #expect(!String(decoding: values, as: UTF8.self).contains("fee"))
    }
}
