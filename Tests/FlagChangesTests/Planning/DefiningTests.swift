import FeatureFlags
import FeatureFlagsXML
import FlagHistory
import Foundation
import Testing

@testable import FlagChanges

@Suite("Definitions that an admin changes")
struct DefiningTests {
    let project: Project
    private let limit = FlagKeyPath.of("checkout", "limit")

    init() throws { project = try Project() }

    private func apply(
        _ service: ChangeService, _ action: Change.Action, _ key: FlagKeyPath, revision: FlagRevision? = nil,
        role: ChangeAuthor.Role = .admin
    ) async throws -> ChangeOutcome {
        try await service.apply(
            Change(key: key, action: action, revision: revision, reason: "why"),
            by: ChangeAuthor(name: "bo", role: role, origin: .form))
    }

    private func refusal(
        _ service: ChangeService, _ action: Change.Action, _ key: FlagKeyPath, revision: FlagRevision? = nil,
        role: ChangeAuthor.Role = .admin
    ) async throws -> ChangeError {
        let before = (try manifest(), try project.text())
        let refusal = try await #require(throws: ChangeError.self) {
            try await apply(service, action, key, revision: revision, role: role)
        }
        #expect(try manifest() == before.0 && project.text() == before.1, "a refusal wrote something")
        return refusal
    }

    private func manifest(_ project: Project? = nil) throws -> String {
        try String(contentsOf: (project ?? self.project).manifestFile, encoding: .utf8)
    }

    private func definition(_ service: ChangeService, _ key: FlagKeyPath) async throws -> FlagDefinition {
        try #require(try await service.storedDefinition(of: key)).definition
    }

    @Test("A date with a fraction of a second is refused as a default, with the date to write")
    func fractions() async throws {
        let service = try project.service()
        let key = FlagKeyPath.of("opens")
        func edit(_ text: String) throws -> DefinitionEdit {
            DefinitionEdit(
                FlagDefinition(key: key, type: .date, defaultValue: .date(try #require(FlagDate.parse(text)))))
        }
        let refused = try await refusal(service, .define(try edit("2026-01-31T12:00:01.5Z")), key)
        #expect(refused.problems["default"] == "dates have whole seconds; write them as in 2026-01-31T12:00:01Z")
        _ = try await apply(service, .define(try edit("2026-01-31T12:00:01Z")), key)
        #expect(
            try await definition(service, key).defaultValue
                == .date(try #require(FlagDate.parse("2026-01-31T12:00:01Z"))))
    }

    @Test("A new definition stands behind those of its group, written as these, and nothing else changes")
    func defines() async throws {
        let service = try project.service()
        let edit = DefinitionEdit(
            FlagDefinition(
                key: .of("checkout", "tip"), type: .integer, defaultValue: .integer(2),
                constraints: FlagConstraints(minimum: 0), metadata: FlagMetadata(name: "Tip & more")))
        guard case .applied(let row) = try await apply(service, .define(edit), .of("checkout", "tip")) else {
            Issue.record("nothing was defined")
            return
        }
        let entry = """

            <dict><key>default</key><integer>2</integer><key>key</key><string>checkout/tip</string>\
            <key>minimum</key><integer>0</integer><key>name</key><string>Tip &amp; more</string>\
            <key>type</key><string>integer</string></dict>
            <dict><key>key</key><string>hidden
            """
        let next = "\n<dict><key>key</key><string>hidden"
        #expect(try manifest() == Project.manifest.replacingOccurrences(of: next, with: entry))
        #expect(row.event.kind == .define && row.event.before == nil && row.event.provider == nil)
        #expect(try await service.catalogue()[.of("checkout", "tip")]?.resolution.effectiveValue == .integer(2))
        #expect(try await service.fileProblems().isEmpty)
        #expect(try project.names() == ["flags.manifest.xml", "flags.xml"])
    }

    @Test(
        "A new definition stands with the nearest group around it that has a flag, and at the end where none has",
        arguments: [("checkout/express/on", 4), ("hidden/other", 5), ("search/on", 7), ("alone", 7)])
    func placesDefinitions(text: String, place: Int) async throws {
        let service = try project.service()
        let key = try #require(FlagKeyPath(text: text))
        let before = try FlagManifest(source: Data(contentsOf: project.manifestFile)).definitions.map(\.key)
        _ = try await apply(service, .define(DefinitionEdit(FlagDefinition(key: key, type: .bool))), key)
        var wanted = before
        wanted.insert(key, at: place)
        #expect(try FlagManifest(source: Data(contentsOf: project.manifestFile)).definitions.map(\.key) == wanted)
    }

    @Test("The first definition makes the manifest where there is none, and the history knows the new file")
    func makesManifest() async throws {
        let bare = try Project(manifest: nil)
        let service = try bare.service()
        let edit = DefinitionEdit(FlagDefinition(key: .of("stray"), type: .string))
        _ = try await apply(service, .define(edit), .of("stray"))
        let made = try FlagManifest(source: Data(contentsOf: bare.manifestFile))
        #expect(made.definitions.map(\.key) == [.of("stray")])
        #expect(try manifest(bare).contains("\n\t\t<dict>\n\t\t\t<key>key</key>\n\t\t\t<string>stray</string>\n"))
        #expect(try service.rows().map(\.event.kind) == [.define])
        _ = try await apply(service, .lock, .of("stray"))
        #expect(try service.rows().map(\.event.kind) == [.define, .lock])
        #expect(try bare.names() == ["flags.manifest.xml", "flags.xml"])
        #expect(try service.history.openIntents().isEmpty)
    }

    @Test("A refused first definition makes no manifest")
    func makesNoManifest() async throws {
        let bare = try Project(manifest: nil)
        let service = try bare.service()
        let edit = DefinitionEdit(FlagDefinition(key: .of("n"), type: .integer, defaultValue: .string("x")))
        await #expect(throws: ChangeError.self) { try await apply(service, .define(edit), .of("n")) }
        #expect(try bare.names() == ["flags.xml"])
    }

    @Test("A key path that is taken, internal, or inside or around another one is refused with one and the same words")
    func hidesInternal() async throws {
        let service = try project.service()
        func words(_ key: FlagKeyPath) async throws -> String {
            let edit = DefinitionEdit(FlagDefinition(key: key, type: .bool))
            let refusal = try await refusal(service, .define(edit), key)
            #expect(refusal.reason == .invalid && refusal.problems["key"] != nil)
            return "\(refusal.description) \(refusal.remedy) \(refusal.problems)"
                .replacingOccurrences(of: key.text, with: "KEY")
        }
        let wanted = try await words(limit)
        for key in ["hidden/token", "hidden", "hidden/token/x", "checkout", "checkout/limit/x", "blocked/x", "stray/x"]
        {
            #expect(try await words(try #require(FlagKeyPath(text: key))) == wanted, "\(key)")
        }
        for role in [ChangeAuthor.Role.viewer, .editor] {
            let edit = DefinitionEdit(FlagDefinition(key: .of("hidden", "token"), type: .bool))
            #expect(try await refusal(service, .define(edit), .of("hidden", "token"), role: role).reason == .notAllowed)
        }
        for action in [Change.Action.rename(.of("new")), .retire("old"), .remove(withValues: true)] {
            #expect(try await refusal(service, action, .of("hidden", "token")).reason == .unknown)
        }
        #expect(try await refusal(service, .rename(.of("hidden", "token")), limit).problems["key"] != nil)
    }

    @Test("An edited definition changes the bytes of its changed fields alone, comments and unknown entries stay")
    func redefines() async throws {
        let rich = Project.manifest.replacingOccurrences(
            of: "<key>minimum</key><integer>1</integer>",
            with: "<!-- ask Eve --><key>team</key><string>x</string><key>minimum</key><integer>1</integer>")
        try project.writeManifest(rich)
        let service = try project.service()
        var definition = try await definition(service, limit)
        definition.constraints.maximum = 12
        definition.metadata.owner = "Eve"
        definition.metadata.expires = Date(timeIntervalSince1970: 1_800_000_000)
        _ = try await apply(service, .redefine(DefinitionEdit(definition)), limit)
        let owner = """
            <key>maximum</key><integer>12</integer><key>expires</key><date>2027-01-15T08:00:00Z</date>\
            <key>owner</key><string>Eve</string>
            """
        #expect(
            try manifest()
                == rich.replacingOccurrences(of: "<key>maximum</key><integer>10</integer>", with: owner))
        definition.constraints.maximum = 10
        definition.metadata.owner = nil
        definition.metadata.expires = nil
        _ = try await apply(service, .redefine(DefinitionEdit(definition)), limit)
        #expect(try manifest() == rich)
        #expect(try await apply(service, .redefine(DefinitionEdit(definition)), limit) == .unchanged)
        #expect(try service.rows().map(\.event.kind) == [.redefine, .redefine])
    }

    @Test("A definition that contradicts itself is refused, field by field")
    func checksConsistency() async throws {
        let service = try project.service()
        var definition = try await definition(service, limit)
        definition.defaultValue = .integer(11)
        #expect(try await refusal(service, .redefine(DefinitionEdit(definition)), limit).problems["default"] != nil)
        definition.defaultValue = nil
        definition.constraints.minimum = 20
        #expect(
            try await refusal(service, .redefine(DefinitionEdit(definition, breaksValues: true)), limit)
                .problems["minimum"] != nil)
        let choice = DefinitionEdit(FlagDefinition(key: .of("c"), type: .choice))
        #expect(try await refusal(service, .define(choice), .of("c")).problems["choices"] != nil)
        let text = DefinitionEdit(
            FlagDefinition(key: .of("c"), type: .string, constraints: FlagConstraints(pattern: "(")))
        #expect(try await refusal(service, .define(text), .of("c")).problems["pattern"] != nil)
        let unstorable = DefinitionEdit(
            FlagDefinition(key: .of("c"), type: .string, metadata: FlagMetadata(name: "a\u{1}b")))
        #expect(try await refusal(service, .define(unstorable), .of("c")).reason == .invalid)
    }

    @Test("A type with which stored values would be broken is refused with their names, unless that is confirmed")
    func namesBrokenValues() async throws {
        let service = try project.service()
        var definition = try await definition(service, limit)
        definition.type = .string
        definition.constraints = FlagConstraints()
        let refusal = try await refusal(service, .redefine(DefinitionEdit(definition)), limit)
        #expect(refusal.description.contains("Local has integer 5") && refusal.problems["breaksValues"] != nil)
        _ = try await apply(service, .redefine(DefinitionEdit(definition, breaksValues: true)), limit)
        #expect(try await service.catalogue()[limit]?.resolution.isBroken == true)
    }

    @Test("A locked flag keeps what its values can be, its key path and its place; the rest of its definition changes")
    func keepsLock() async throws {
        let service = try project.service()
        let region = FlagKeyPath.of("checkout", "region")
        var definition = try await definition(service, region)
        definition.defaultValue = .string("south")
        for action in [
            Change.Action.redefine(DefinitionEdit(definition)), .rename(.of("region")), .remove(withValues: false),
            .remove(withValues: true),
        ] {
            #expect(try await refusal(service, action, region).reason == .locked)
        }
        definition.defaultValue = nil
        definition.metadata.owner = "Eve"
        _ = try await apply(service, .redefine(DefinitionEdit(definition)), region)
        _ = try await apply(service, .retire("moved to the address book"), region)
        #expect(try await self.definition(service, region).metadata.retired == "moved to the address book")
    }

    @Test("A flag moves with its values and its definition, and the history tells of both key paths")
    func renames() async throws {
        let second = project.folder.appending(path: "second.xml")
        try Data(Project.plist("<key>checkout</key><dict><key>limit</key><integer>7</integer></dict>").utf8)
            .write(to: second)
        let service = try project.service(others: [.init(name: "Second", url: second, isWritable: true)])
        let key = FlagKeyPath.of("basket", "limit")
        guard case .applied(let row) = try await apply(service, .rename(key), limit) else {
            Issue.record("nothing was renamed")
            return
        }
        #expect(row.event.kind == .define && row.event.key == key)
        #expect(
            try manifest() == Project.manifest.replacingOccurrences(of: "checkout/limit", with: "basket/limit"))
        let values = Project.values.replacingOccurrences(
            of: "\t\t<key>limit</key>\n\t\t<integer>5</integer>\n", with: ""
        ).replacingOccurrences(
            of: "<dict>\n\t<key>blocked",
            with: "<dict>\n\t<key>basket</key>\n\t<dict>\n\t\t<key>limit</key>\n\t\t<integer>5</integer>\n\t</dict>"
                + "\n\t<key>blocked")
        #expect(try project.text() == values)
        let entry = try #require(try await service.catalogue()[key])
        #expect(entry.resolution["Local"] == .value(.integer(5), stored: .integer(5)))
        #expect(entry.resolution["Second"] == .value(.integer(7), stored: .integer(7)))
        #expect(try await service.catalogue()[limit] == nil)
        let rows = try service.rows()
        #expect(rows.map(\.event.kind) == [.reset, .set, .reset, .set, .remove, .define])
        #expect(Set(rows.map(\.event.batch)).count == 1)
        #expect(try service.history.page(HistoryQuery(key: limit)).total == 3)
        _ = try await apply(service, .rename(limit), key)
        #expect(try await service.fileProblems().isEmpty)
    }

    @Test("A flag that is renamed in its group keeps the bytes of its value, and the comments around it")
    func renamesInGroup() async throws {
        func values(_ key: String) -> String {
            Project.plist(
                "<key>g</key><dict>\n  <key>b</key><true></true>\n  <key>\(key)</key> <integer>0x7</integer> <!-- seven -->\n"
                    + "  <key>s</key><string><![CDATA[<x>]]></string></dict>")
        }
        try project.write(values("a"))
        let key = FlagKeyPath.of("g", "a")
        try project.writeManifest(Project.manifest([(key.text, "integer", ""), ("g/s", "string", "")]))
        let service = try project.service()
        _ = try await apply(service, .rename(.of("g", "x&y")), key)
        #expect(try project.text() == values("x&amp;y"))
        #expect(try await service.catalogue()[.of("g", "x&y")]?.resolution["Local"]?.stored == .integer(7))
        #expect(try service.rows().map(\.event.kind) == [.reset, .set, .remove, .define])
        #expect(try await service.fileProblems().isEmpty)
    }

    @Test("No flag is defined at, or moved to, a key path with an empty part", arguments: ["a//b", "a/", "/a", "/"])
    func refusesEmptyParts(text: String) async throws {
        let service = try project.service()
        let key = try #require(FlagKeyPath(text: text))
        let edit = DefinitionEdit(FlagDefinition(key: key, type: .bool))
        for refusal in [
            try await refusal(service, .define(edit), key), try await refusal(service, .rename(key), limit),
        ] {
            #expect(refusal.problems["key"]?.contains("empty") == true)
        }
    }

    @Test("A flag does not move to where something is, nor from a provider that can't be written")
    func refusesRenames() async throws {
        let second = project.folder.appending(path: "second.xml")
        try Data(Project.plist("<key>checkout</key><dict><key>limit</key><integer>7</integer></dict>").utf8)
            .write(to: second)
        let service = try project.service(others: [.init(name: "Second", url: second, isWritable: false)])
        #expect(try await refusal(service, .rename(.of("limit")), limit).reason == .invalid)
        #expect(try await refusal(service, .remove(withValues: true), limit).problems["key"] != nil)
        for key in ["checkout/enabled", "stray", "stray/x", "options/x", "checkout"] {
            let key = try #require(FlagKeyPath(text: key))
            #expect(try await refusal(service, .rename(key), .of("checkout", "enabled")).problems["key"] != nil)
        }
        #expect(try await refusal(service, .rename(.of("x")), .of("stray")).reason == .invalid)
    }

    @Test(
        "A flag is removed with its definition's own bytes, and with its values where that is asked for",
        arguments: [true, false])
    func removes(withValues: Bool) async throws {
        let service = try project.service()
        _ = try await apply(service, .remove(withValues: withValues), limit)
        let entry = """
            <dict><key>key</key><string>checkout/limit</string><key>type</key><string>integer</string>
            <key>minimum</key><integer>1</integer><key>maximum</key><integer>10</integer></dict>

            """
        #expect(try manifest() == Project.manifest.replacingOccurrences(of: entry, with: ""))
        let value = "\t\t<key>limit</key>\n\t\t<integer>5</integer>\n"
        #expect(
            try project.text()
                == (withValues ? Project.values.replacingOccurrences(of: value, with: "") : Project.values))
        #expect(try service.rows().map(\.event.kind) == (withValues ? [.reset, .remove] : [.remove]))
        #expect(try await service.catalogue()[limit]?.isDefined == (withValues ? nil : false))
    }

    @Test("A flag is retired for a reason that stands in the manifest, has the same value as before, and is taken back")
    func retires() async throws {
        let service = try project.service()
        #expect(try await refusal(service, .retire(" "), limit).problems["retired"] != nil)
        _ = try await apply(service, .retire("nobody orders that much"), limit)
        #expect(
            try manifest()
                == Project.manifest.replacingOccurrences(
                    of: "<integer>10</integer>",
                    with: "<integer>10</integer><key>retired</key><string>nobody orders that much</string>"))
        #expect(try await service.catalogue()[limit]?.resolution.effectiveValue == .integer(5))
        _ = try await apply(service, .retire(nil), limit)
        #expect(try manifest() == Project.manifest)
    }

    @Test("An edit that was begun on another version of the definition is refused, with both versions")
    func noticesConflicts() async throws {
        let service = try project.service()
        let stored = try #require(try await service.storedDefinition(of: limit))
        try project.writeManifest(
            Project.manifest.replacingOccurrences(of: "<integer>10</integer>", with: "<integer>9</integer>"))
        var definition = stored.definition
        definition.metadata.owner = "Eve"
        let refusal = try await refusal(
            service, .redefine(DefinitionEdit(definition)), limit, revision: stored.revision)
        #expect(refusal.conflict?.provider == "flags.manifest.xml")
        guard case .dictionary(let theirs) = refusal.conflict?.theirs.value else {
            Issue.record("the flag has no value version")
            return
        }
        #expect(theirs["maximum"] == .integer(9))
        let now = try #require(try await service.storedDefinition(of: limit))
        _ = try await apply(service, .retire("old"), limit, revision: now.revision)
    }

    @Test("Only admins change definitions, and none are changed where nothing can be")
    func checksRole() async throws {
        let service = try project.service()
        let edit = DefinitionEdit(try await definition(service, limit))
        for action in [Change.Action.redefine(edit), .rename(.of("x")), .retire("old"), .remove(withValues: false)] {
            for role in [ChangeAuthor.Role.viewer, .editor] {
                let refusal = try await refusal(service, action, limit, role: role)
                #expect(refusal.reason == .notAllowed && refusal.description.contains("definition"))
            }
        }
        #expect(try service.rows().map(\.event.kind) == Array(repeating: .denied, count: 8))
    }

    @Test("A repeated request to define a flag is answered like the first one")
    func isIdempotent() async throws {
        let service = try project.service()
        var author = Project.author
        author.idempotencyKey = "once"
        let edit = DefinitionEdit(FlagDefinition(key: .of("new"), type: .bool))
        let change = Change(key: .of("new"), action: .define(edit))
        let first = try await service.apply(change, by: author)
        #expect(try await service.apply(change, by: author) == first)
        var other = change
        other.action = .define(DefinitionEdit(FlagDefinition(key: .of("new"), type: .string)))
        let refusal = try await #require(throws: ChangeError.self) { try await service.apply(other, by: author) }
        #expect(refusal.reason == .keyReused)
    }
}
