import FeatureFlags
import FlagChanges
import FlagHistory
import Foundation
import Testing

@Suite("Conflicts")
struct ConflictTests {
    let project: Project
    private let limit = FlagKeyPath.of("checkout", "limit")

    init() throws { project = try Project() }

    private func set(
        _ service: ChangeService, _ text: String, by name: String = "ada", revision: FlagRevision? = nil,
        provider: String? = nil
    ) async throws {
        _ = try await service.apply(
            Change(key: limit, action: .setText(text), provider: provider, revision: revision),
            by: ChangeAuthor(name: name, role: .editor, origin: .form))
    }

    private func conflict(
        _ service: ChangeService, _ text: String, _ revision: FlagRevision
    ) async throws -> ChangeConflict {
        let refusal = try await #require(throws: ChangeError.self) {
            try await set(service, text, revision: revision)
        }
        return try #require(refusal.conflict)
    }

    @Test("A conflict tells what the edit was based on, what is there now and by whom, and what was asked for")
    func tellsAll() async throws {
        let service = try project.service()
        try await set(service, "6", by: "bo")
        let revision = try #require(try await service.catalogue()[limit]?.revisions["Local"])
        try await set(service, "7", by: "cy")
        try await set(service, "8", by: "di")
        let conflict = try await conflict(service, "9", revision)
        #expect(conflict.provider == "Local" && conflict.revision == revision)
        #expect(conflict.base?.value == .integer(6) && conflict.base?.record?.event.actor == "bo")
        #expect(conflict.theirs.value == .integer(8) && conflict.theirs.record?.event.actor == "di")
        #expect(conflict.yours == .integer(9))
    }

    @Test("What was there before every row has no row, and text that is no value stays text")
    func tellsOldest() async throws {
        let service = try project.service()
        let revision = try #require(try await service.catalogue()[limit]?.revisions["Local"])
        try project.write(Project.values.replacingOccurrences(of: "<integer>5<", with: "<integer>8<"))
        let conflict = try await conflict(service, "many", revision)
        #expect(conflict.base == ChangeConflict.Version(value: .integer(5), record: nil))
        #expect(conflict.theirs.record?.event.kind == .external)
        #expect(conflict.yours == .string("many"))
    }

    @Test("A revision that nobody ever saw has no base")
    func unknownBase() async throws {
        let conflict = try await conflict(try project.service(), "9", FlagRevision(rawValue: "made up"))
        #expect(conflict.base == nil)
        #expect(conflict.theirs == ChangeConflict.Version(value: .integer(5), record: nil))
    }

    @Test("Edits of different flags, and of one flag in different providers, never conflict")
    func different() async throws {
        let second = project.folder.appending(path: "second.xml")
        try Data(Project.values.utf8).write(to: second)
        let service = try project.service(
            others: [FlagFiles.Provider(name: "Second", url: second, isWritable: true)])
        let entries = try await service.catalogue()
        let revisions = try #require(entries[limit]?.revisions)
        let enabled = try #require(entries[.of("checkout", "enabled")]?.revisions["Local"])
        try await set(service, "6", revision: revisions["Local"])
        try await set(service, "7", revision: revisions["Second"], provider: "Second")
        _ = try await service.apply(
            Change(key: .of("checkout", "enabled"), action: .setText("false"), revision: enabled), by: Project.author)
        #expect(try service.rows().count == 3)
    }
}
