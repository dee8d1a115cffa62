import FeatureFlags
import FeatureFlagsXML
import FlagHistory
import Foundation
import Testing

@testable import FlagChanges

@Suite("Flags that are defined together")
struct DefiningTogetherTests {
    private func define(
        _ key: FlagKeyPath, _ type: FlagType = .bool, _ description: String = "", reason: String = ""
    ) -> Change {
        let definition = FlagDefinition(key: key, type: type, metadata: FlagMetadata(description: description))
        return Change(key: key, action: .define(DefinitionEdit(definition)), reason: reason)
    }

    private func previews(_ service: ChangeService, _ batch: [Change]) async throws -> [ChangeError.Reason?] {
        try await service.preview(ChangeRequest(batch, by: Project.author)).map { $0.refusal?.reason }
    }

    @Test(
        "They leave what they leave one by one: the file, the rows and what is told",
        arguments: [
            Project.manifest, nil, "<plist version=\"1.0\"><dict><key>version</key><integer>1</integer></dict></plist>",
        ])
    func sameTogetherAsOneByOne(manifest: String?) async throws {
        let texts = ["checkout/tip", "new", "a/b/one", "checkout/deep/x", "a/two", "checkout/last", "a/b/three", "end"]
        func changed(_ isTogether: Bool) async throws -> (Data, [HistoryEvent], [ChangePreview]) {
            let project = try Project(manifest: manifest)
            let service = try ChangeService(
                files: FlagFiles(values: project.file), options: .init(clock: { Project.now }))
            let batch = try texts.map { define(try #require(FlagKeyPath(text: $0)), .integer, "of \($0)", reason: $0) }
            let previews = try await service.preview(ChangeRequest(batch, by: Project.author))
            for batch in isTogether ? [batch] : batch.map({ [$0] }) {
                _ = try await service.apply(ChangeRequest(batch, by: Project.author))
            }
            return (try Data(contentsOf: project.manifestFile), try service.rows().map(\.event), previews)
        }
        let (together, one) = (try await changed(true), try await changed(false))
        #expect(String(decoding: together.0, as: UTF8.self) == String(decoding: one.0, as: UTF8.self))
        #expect(together.1.map(\.key.text) == texts && together.1.map(\.kind) == one.1.map(\.kind))
        #expect(together.1.map(\.after) == one.1.map(\.after) && together.1.map(\.before) == one.1.map(\.before))
        #expect(together.1.map(\.reason) == texts && together.2 == one.2)
        #expect(together.1.last?.fileHashAfter == ContentHash.sha256(together.0))
    }

    @Test("The manifest is edited once for all of them, however many they are")
    func editsOnce() async throws {
        let project = try Project()
        let service = try project.service()
        let keys = (0..<300).map { FlagKeyPath.of("many", "flag\($0)") }
        _ = try await service.apply(ChangeRequest(keys.map { define($0) }, by: Project.author))
        let rows = try service.rows().map(\.event)
        #expect(rows.count == 300)
        // Each row tells of the file before and after the edit that made it.
        #expect(Set(rows.map(\.fileHashBefore)).count == 1 && Set(rows.map(\.fileHashAfter)).count == 1)
        let manifest = try await service.served.workspace.manifest.content.get()
        #expect(try #require(manifest).document.wholeReads == 2)
    }

    @Test("One that is not valid, or reaches one before it, is refused alone, and the others are told as they would be")
    func refusals() async throws {
        let project = try Project()
        let service = try project.service()
        let batch = [
            define(.of("one")), define(.of("a", "b")), define(.of("sized"), .choice), define(.of("a")),
            define(.of("one")), define(.of("a", "b", "c")), define(.of("checkout", "limit")), define(.of("", "x")),
            define(.of("last")),
        ]
        let reasons = try await previews(service, batch)
        #expect(reasons == [nil, nil] + Array(repeating: .invalid, count: 6) + [nil])
        await #expect(throws: BatchError.self) {
            try await service.apply(ChangeRequest(batch, by: Project.author))
        }
        #expect(try service.rows().isEmpty)
    }

    @Test("One that does not fit into the file is refused alone; where all are too many, those that fit are told so")
    func sizes() async throws {
        let project = try Project()
        let service = try ChangeService(files: FlagFiles(values: project.file, maximumFileSize: 100_000))
        let long = String(repeating: "x", count: 100_000)
        let batch = [define(.of("one")), define(.of("two"), .bool, long), define(.of("three"))]
        #expect(try await previews(service, batch) == [nil, .invalid, nil])
        let text = String(repeating: "x", count: 20_000)
        let many = (0..<8).map { define(.of("flag\($0)"), .bool, text) }
        #expect(try await previews(service, many) == [nil, nil, nil, nil] + [.invalid, .invalid, .invalid, .invalid])
        await #expect(throws: BatchError.self) { try await service.apply(ChangeRequest(many, by: Project.author)) }
    }
}
