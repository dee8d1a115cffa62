import FeatureFlags
import FlagHistory
import Foundation
import Testing

@testable import FlagChanges

@Suite("What flags were when a file could last be read")
struct LastReadValuesTests {
    private let project: Project
    private let service: ChangeService

    init() throws {
        project = try Project(
            values: Project.plist("<key>fee</key><integer>7</integer><key>loose</key><string>kept</string>"),
            manifest: Project.manifest([
                ("fee", "integer", "<key>default</key><integer>1</integer>"), ("other", "bool", ""),
            ]))
        service = try project.service()
    }

    private func last(_ name: String) async throws -> FlagResolution? {
        let overview = try await service.overview()
        let entry = try #require(overview.listed[FlagKeyPath.of(name)])
        return overview.lastRead?.resolution(of: entry)
    }

    @Test("A file that is broken is told with what it held before, while a read returns the default")
    func broken() async throws {
        #expect(try await last("fee") == nil)
        try Data("no plist".utf8).write(to: project.file)
        let entry = try #require(try await service.overview().catalogue[FlagKeyPath.of("fee")])
        #expect(entry.resolution.effectiveValue == .integer(1))
        #expect(try await last("fee")?.effectiveValue == .integer(7))
        #expect(try await last("other")?.effectiveValue == nil)
        try Data("nor this".utf8).write(to: project.file)
        #expect(try await last("fee")?.source == .provider(FlagFiles.localProviderName))
    }

    @Test("A flag without a definition stays in the list as long as its file is broken")
    func undefined() async throws {
        try FileManager.default.removeItem(at: project.file)
        #expect(try await last("loose")?.effectiveValue == .string("kept"))
        #expect(try await service.overview().catalogue[FlagKeyPath.of("loose")] == nil)
        let entry = try #require(try await service.overview().listed[FlagKeyPath.of("loose")])
        #expect(!entry.isDefined && entry.resolution.effectiveValue == nil)
        await #expect(throws: ChangeError.self) {
            _ = try await service.apply(
                Change(key: entry.key, action: .setValue(.string("other"))),
                by: ChangeAuthor(name: "ada", role: .admin, origin: .form))
        }
    }

    @Test("A file that is broken tells nothing of flags whose value is from another one")
    func otherFile() async throws {
        let project = try Project(
            values: Project.plist("<key>fee</key><integer>7</integer>"),
            manifest: Project.manifest([("fee", "integer", ""), ("other", "bool", "")]))
        let url = project.folder.appending(path: "second.xml")
        try Data(Project.plist("<key>fee</key><integer>5</integer><key>other</key><true/>").utf8).write(to: url)
        let service = try project.service(others: [
            FlagFiles.Provider(name: "Second", url: url, isWritable: true)
        ])
        _ = try await service.overview()
        try Data("no plist".utf8).write(to: url)
        let overview = try await service.overview()
        let (fee, other) = (overview.catalogue[FlagKeyPath.of("fee")], overview.catalogue[FlagKeyPath.of("other")])
        #expect(overview.lastRead?.resolution(of: try #require(fee)) == nil)
        #expect(overview.lastRead?.value(in: "Second", of: try #require(fee)) == .integer(5))
        #expect(overview.lastRead?.resolution(of: try #require(other))?.effectiveValue == .bool(true))
    }

    @Test("Once the file is repaired, it holds what it says, and nothing of before")
    func repaired() async throws {
        try Data("no plist".utf8).write(to: project.file)
        #expect(try await last("fee") != nil)
        try Data(Project.plist("<key>fee</key><integer>9</integer>").utf8).write(to: project.file)
        let overview = try await service.overview()
        #expect(overview.lastRead == nil && overview.listed[FlagKeyPath.of("loose")] == nil)
        #expect(overview.catalogue[FlagKeyPath.of("fee")]?.resolution.effectiveValue == .integer(9))
    }
}
