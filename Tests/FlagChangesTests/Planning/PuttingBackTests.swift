import FeatureFlags
import FlagHistory
import Foundation
import Testing

@testable import FlagChanges

@Suite("Putting back what was")
struct PuttingBackTests {
    private let project: Project
    private let stray = FlagKeyPath.of("stray")
    private let value = FlagValue.string("nobody defined me")
    private let editor = ChangeAuthor(name: "eve", role: .editor, origin: .revert)

    init() throws { project = try Project() }

    private func resetStray(_ service: ChangeService) async throws {
        _ = try await service.apply(Change(key: stray, action: .reset), by: Project.author)
        #expect(try await service.catalogue()[stray] == nil)
    }

    @Test("A flag that only its value made comes back with just that value, byte for byte, by an editor too")
    func strayFlag() async throws {
        let service = try project.service()
        let before = try await service.catalogue()[stray]
        try await resetStray(service)
        let row = try #require(try service.rows().last)
        let reversal = try #require(Reversal.reversals(of: [row], reason: "back").first)
        let preview = try await service.preview(ChangeRequest([reversal.change], by: editor))
        #expect(preview.map(\.refusal) == [nil] && preview.map(\.after) == [value])
        guard case .applied(let new) = try await service.apply(reversal.change, by: editor) else {
            Issue.record("nothing was put back")
            return
        }
        #expect(new.event.kind == .set && new.event.type == .string && new.event.after == value)
        #expect(try await service.catalogue()[stray]?.resolution == before?.resolution)
        #expect(try project.text().contains("<key>stray</key>"))
    }

    @Test("What the history does not tell of is not put where no flag is, as little as anything else")
    func unknown() async throws {
        let service = try project.service()
        try await resetStray(service)
        let wishes: [(FlagKeyPath, Change.Action)] = [
            (stray, .putBack(.string("another"))), (stray, .setValue(value)), (.of("never"), .putBack(value)),
            (stray, .putBack(.dictionary(["a": value]))),
        ]
        for (key, action) in wishes {
            let refusal = await #expect(throws: ChangeError.self) {
                try await service.apply(Change(key: key, action: action), by: editor)
            }
            #expect(refusal?.reason == .unknown, "\(key): \(action)")
        }
        #expect(try await service.catalogue()[stray] == nil)
    }

    @Test("Where something has taken the place, it stays; what is internal is not told of")
    func occupied() async throws {
        let service = try project.service()
        try await resetStray(service)
        try project.write(
            try project.text().replacing(
                "<key>blocked</key>",
                with: """
                    <key>stray</key>
                    <dict>
                    <key>inner</key>
                    <true/>
                    </dict>
                    <key>blocked</key>
                    """))
        let change = Change(key: stray, action: .putBack(value))
        var refusal = await #expect(throws: ChangeError.self) { try await service.apply(change, by: editor) }
        #expect(refusal?.reason == .invalid && refusal?.description.contains("has taken its place") == true)
        for inner in ["stray", "stray/inner/deeper"] {
            let flag = "<dict><key>key</key><string>\(inner)</string><key>type</key><string>bool</string>"
            try project.writeManifest(
                Project.manifest.replacing("</array>", with: "\(flag)<key>isInternal</key><true/></dict></array>"))
            refusal = await #expect(throws: ChangeError.self) { try await service.apply(change, by: editor) }
            #expect(refusal?.reason == .unknown, "\(inner)")
        }
    }

    @Test("A value that the flag does not take comes back where the provider held it, and from nowhere else")
    func broken() async throws {
        let limit = FlagKeyPath.of("checkout", "limit")
        try project.write(Project.values.replacing("<integer>5</integer>", with: "<string>many</string>"))
        let service = try project.service()
        _ = try await service.apply(Change(key: limit, action: .setText("7")), by: editor)
        for value in [FlagValue.string("more"), .integer(700)] {
            let refusal = await #expect(throws: ChangeError.self) {
                try await service.apply(Change(key: limit, action: .putBack(value)), by: editor)
            }
            #expect(refusal?.reason == .invalid)
        }
        let row = try #require(try service.rows().last)
        let reversal = try #require(Reversal.reversals(of: [row], reason: "").first)
        _ = try await service.apply(reversal.change, by: editor)
        #expect(try project.text().contains("<string>many</string>"))
    }

    @Test("What the history hides can't be found out by asking for it back")
    func hiddenHistory() async throws {
        let service = try project.service()
        let token = FlagKeyPath.of("hidden", "token")
        try project.write(try project.text().replacing("<string>secret<", with: "<string>new secret<"))
        _ = try await service.catalogue()
        // The flag is defined no more, and holds something else: it is seen, and what it held is not.
        try project.writeManifest(Project.manifest(without: "hidden/token"))
        try project.write(try project.text().replacing("new secret", with: "open"))
        #expect(try await service.catalogue()[token] != nil)
        for value in [FlagValue.string("secret"), .string("new secret")] {
            try project.write(try project.text().replacing("<string>open</string>", with: "<integer>5</integer>"))
            let refusal = await #expect(throws: ChangeError.self) {
                try await service.apply(Change(key: token, action: .putBack(value)), by: editor)
            }
            #expect(refusal?.reason == .invalid)
        }
    }

    @Test("A locked flag gets nothing back")
    func locked() async throws {
        let region = FlagKeyPath.of("checkout", "region")
        let service = try project.service()
        let refusal = await #expect(throws: ChangeError.self) {
            try await service.apply(Change(key: region, action: .putBack(.string("north"))), by: Project.author)
        }
        #expect(refusal?.reason == .locked)
    }
}

@Suite("Reverting definitions")
struct RevertingDefinitionsTests {
    private let project: Project
    private let limit = FlagKeyPath.of("checkout", "limit")
    private let service: ChangeService
    private static let author = ChangeAuthor(name: "ada", role: .admin, origin: .revert)

    init() throws {
        project = try Project()
        service = try project.service()
    }

    private func manifest() throws -> String { try String(contentsOf: project.manifestFile, encoding: .utf8) }

    /// Reverts the newest change with all that was applied together with it.
    private func revert(_ author: ChangeAuthor = Self.author) async throws {
        let newest = try #require(try service.rows().last)
        let batch = try service.history.records(batch: newest.event.batch, hiddenKeys: [])
        _ = try await service.apply(
            ChangeRequest(Reversal.reversals(of: batch, reason: "back").map(\.change), by: author))
    }

    @Test("A flag that was defined is defined no more, and one whose definition was changed is what it was")
    func defined() async throws {
        let new = FlagKeyPath.of("fresh")
        _ = try await service.apply(
            Change(key: new, action: .define(DefinitionEdit(FlagDefinition(key: new, type: .bool)))),
            by: Project.author)
        try await revert()
        #expect(try await service.catalogue()[new] == nil)
        let before = try #require(try await service.storedDefinition(of: limit))
        var definition = before.definition
        definition.metadata.owner = "ann"
        definition.constraints.maximum = 99
        _ = try await service.apply(
            Change(key: limit, action: .redefine(DefinitionEdit(definition))), by: Project.author)
        try await revert()
        #expect(try await service.storedDefinition(of: limit) == before)
        #expect(try service.rows().last?.event.kind == .redefine)
    }

    /// The bytes of both files, with comments that a definition or a value written anew would lose.
    private func commented() throws -> [Data] {
        try project.writeManifest(
            try manifest().replacing("<key>minimum</key>", with: "<!-- Since spring. -->\n<key>minimum</key>"))
        let values = try String(contentsOf: project.file, encoding: .utf8)
        try Data(values.replacing("<key>limit</key>", with: "<!-- Much. -->\n<key>limit</key>").utf8)
            .write(to: project.file)
        return try contents()
    }

    private func contents() throws -> [Data] {
        try [project.file, project.manifestFile].map { try Data(contentsOf: $0) }
    }

    @Test("A flag that was deleted with its values is there again, with them, byte for byte in its place")
    func removed() async throws {
        let bytes = try commented()
        let before = try await service.catalogue()[limit]
        _ = try await service.apply(Change(key: limit, action: .remove(withValues: true)), by: Project.author)
        #expect(try contents() != bytes)
        try await revert()
        #expect(try await service.catalogue()[limit] == before)
        #expect(try contents() == bytes)
        #expect(try service.rows().last?.event.fileHashAfter == ContentHash.sha256(bytes[0]))
    }

    @Test(
        "A flag that was renamed gets its key path back, with its values", arguments: ["cart/limit", "checkout/most"])
    func renamed(key: String) async throws {
        let bytes = try commented()
        let new = try #require(FlagKeyPath(text: key))
        let before = try await service.catalogue()[limit]
        _ = try await service.apply(Change(key: limit, action: .rename(new)), by: Project.author)
        try await revert()
        #expect(try await service.catalogue()[limit]?.resolution == before?.resolution)
        #expect(try await service.catalogue()[new] == nil)
        #expect(try contents() == bytes)
    }

    @Test("What was edited since elsewhere in the manifest stays when a deletion is taken back")
    func removedBeforeOthers() async throws {
        _ = try commented()
        _ = try await service.catalogue()
        let other = FlagKeyPath.of("options")
        _ = try await service.apply(Change(key: limit, action: .remove(withValues: true)), by: Project.author)
        let removal = try #require(try service.rows().last).event.batch
        _ = try await service.apply(Change(key: other, action: .retire("Old")), by: Project.author)
        let batch = try service.history.records(batch: removal, hiddenKeys: [])
        _ = try await service.apply(
            ChangeRequest(Reversal.reversals(of: batch, reason: "back").map(\.change), by: Self.author))
        let text = try manifest()
        #expect(text.contains("<!-- Since spring. -->") && text.contains("Old"))
    }

    @Test("A dictionary that moved, even into itself, is moved back", arguments: ["cart/options", "options/sub"])
    func renamedDictionary(key: String) async throws {
        let options = FlagKeyPath.of("options")
        let before = try await service.catalogue()[options]
        let moved = try #require(FlagKeyPath(text: key))
        _ = try await service.apply(Change(key: options, action: .rename(moved)), by: Project.author)
        #expect(try await service.catalogue()[moved]?.resolution.effectiveValue == before?.resolution.effectiveValue)
        try await revert()
        #expect(try await service.catalogue()[options]?.resolution.effectiveValue == before?.resolution.effectiveValue)
        #expect(try await service.catalogue()[moved] == nil)
    }

    @Test("What Flagboard knows nothing of comes back with a definition, and alone")
    func unknownEntries() async throws {
        let text = try manifest()
        try project.writeManifest(
            text.replacing("<key>minimum</key>", with: "<key>jira</key><string>ABC-1</string><key>minimum</key>"))
        _ = try await service.apply(Change(key: limit, action: .remove(withValues: true)), by: Project.author)
        try await revert()
        #expect(try manifest().contains("<string>ABC-1</string>"))
        try project.writeManifest(try manifest().replacing("ABC-1", with: "ABC-2"))
        _ = try await service.catalogue()
        try await revert()
        #expect(try manifest().contains("<string>ABC-1</string>"))
    }

    @Test("A flag that was locked when its definition went comes back locked, with its values")
    func locked() async throws {
        let region = FlagKeyPath.of("checkout", "region")
        try project.writeManifest(Project.manifest(without: "checkout/region"))
        try project.write(Project.values.replacing("<key>region</key>\n\t\t<string>north</string>", with: ""))
        _ = try await service.catalogue()
        let rows = try service.rows().filter { $0.event.key == region }
        #expect(rows.count == 2)
        _ = try await service.apply(
            ChangeRequest(Reversal.reversals(of: rows, reason: "back").map(\.change), by: Project.author))
        let entry = try await service.catalogue()[region]
        #expect(entry?.definition.metadata.isLocked == true && entry?.resolution.effectiveValue == .string("north"))
    }

    @Test("What an editor of the manifest did is reverted like any other change")
    func outside() async throws {
        let text = try manifest()
        try project.writeManifest(text.replacing("<key>maximum</key><integer>10</integer>", with: ""))
        _ = try await service.catalogue()
        #expect(try service.rows().last?.event.kind == .external)
        try await revert()
        #expect(try await service.storedDefinition(of: limit)?.definition.constraints.maximum == 10)
    }

    @Test("Only admins revert what the manifest says, and only while nothing has changed it since")
    func refused() async throws {
        let tagging = Change(key: limit, action: .tag("spring", isSet: true))
        _ = try await service.apply(tagging, by: Project.author)
        let row = try #require(try service.rows().last)
        let reversal = try #require(Reversal.reversals(of: [row], reason: "").first).change
        let editor = ChangeAuthor(name: "eve", role: .editor, origin: .revert)
        var refusal = await #expect(throws: ChangeError.self) { try await service.apply(reversal, by: editor) }
        #expect(refusal?.reason == .notAllowed)
        _ = try await service.apply(Change(key: limit, action: .tag("sale", isSet: true)), by: Project.author)
        refusal = await #expect(throws: ChangeError.self) {
            try await service.apply(reversal, by: Project.author)
        }
        #expect(refusal?.conflict?.isOfDefinition == true)
        let later = try service.history.changes(after: row, hiddenKeys: [])
        #expect(later.map(\.event.kind) == [.redefine])
    }
}
