import DurableFiles
import FeatureFlags
import FeatureFlagsXML
import FlagChanges
import FlagHistory
import Foundation
import Testing

@Suite("Importing values")
struct ImportTests {
    let project: Project

    init() throws { project = try Project() }

    private let admin = ChangeAuthor(name: "ada", role: .admin, origin: .import, requestID: "request-1")

    private func values(_ text: String) throws -> ImportedValues { try ImportedValues(Data(text.utf8)) }

    private func fates(_ plan: ImportPlan) -> [String: ImportPlan.Fate] {
        Dictionary(uniqueKeysWithValues: plan.entries.map { ($0.key.text, $0.fate) })
    }

    /// The values of the project's main file.
    private func root() throws -> FlagValue {
        try PropertyListDocument(source: Data(contentsOf: project.file)).root
    }

    private static let json = """
        {"checkout": {"enabled": false, "fast": true, "limit": 12, "region": "south"}, "options": {"depth": 2},
         "stray": "still here", "nobody": {"knows": 1}, "hidden": {"token": "mine", "none": 1}}
        """

    @Test("A merge changes and adds what the import holds, and leaves all else alone")
    func merges() async throws {
        let service = try project.service()
        let plan = try await service.plan(try values(Self.json), mode: .merge, by: admin)
        #expect(
            fates(plan) == [
                "checkout/enabled": .changed, "checkout/fast": .added, "checkout/region": .locked, "options": .same,
                "checkout/limit": .invalid("Must be 10 or less."), "stray": .changed,
                "nobody/knows": .unknown, "hidden/token": .unknown, "hidden/none": .unknown,
            ])
        #expect(plan.changes.map(\.key.text).sorted() == ["checkout/enabled", "checkout/fast", "stray"])
        #expect(try service.rows().isEmpty)
        _ = try await service.apply(ChangeRequest(plan.changes, by: admin))
        let rows = try service.rows().map(\.event)
        #expect(Set(rows.map(\.origin)) == [.import] && Set(rows.map(\.batch)).count == 1 && rows.count == 3)
        let root = try root()
        #expect(try root.value(at: .of("checkout", "fast")) == .bool(true))
        #expect(try root.value(at: .of("checkout", "limit")) == .integer(5))
        #expect(try root.value(at: .of("hidden", "token")) == .string("secret"))
        #expect(try root.value(at: .of("blocked")) != nil)
    }

    @Test("Of keys that stand for no flag the first thousand are told, the others counted")
    func manyUnknown() async throws {
        let service = try project.service()
        let strays = (1...2_500).map { "\"k\(String(format: "%05d", $0))\": 1" }.shuffled()
        let values = try values("{\(strays.joined(separator: ", ")), \"checkout\": {\"enabled\": false}}")
        let plan = try await service.plan(values, mode: .merge, by: admin)
        #expect(plan.entries.count == 1_001 && plan.moreUnknown == 1_500)
        #expect(plan.leftOut.map(\.change.key.text) == (1...1_000).map { "k\(String(format: "%05d", $0))" })
        #expect(plan.summary.hasPrefix("2501 values: 1 to change, 2500 skipped (2500 unknown)"))
        #expect(plan.notes.contains { $0.hasSuffix(" and 2480 more.") })
        let refusal = try await #require(throws: BatchError.self) {
            try await service.apply(values, mode: .merge, by: admin)
        }
        #expect(refusal.changes.count == 1_000 && refusal.cause.reason == .unknown)
        #expect(refusal.cause.description.contains("2500 unknown key paths"))
        #expect(try service.rows().isEmpty)
        let made = try await service.apply(values, mode: .merge, leavingRefusedOut: true, by: admin)
        #expect(made.moreUnknown == 1_500 && fates(made)["checkout/enabled"] == .changed)
        #expect(try service.rows().count == 1)
    }

    @Test("More new values than are made at once are refused by their number, before any is looked at")
    func tooManyNew() async throws {
        let project = try Project(values: Project.plist("<key>a</key><true/>"), manifest: nil)
        let service = try project.service()
        let news = (1...ChangeService.largestImport + 1).map { "\"k\($0)\": 1" }
        let values = try values("{\(news.joined(separator: ", "))}")
        let refusal = try await #require(throws: ChangeError.self) {
            try await service.plan(values, mode: .merge, by: admin)
        }
        #expect(refusal.description.contains("10001 changes"))
    }

    @Test("A replacement also resets what the import lacks, but no locked flag and no internal one")
    func replaces() async throws {
        let service = try project.service()
        let plan = try await service.plan(try values(#"{"checkout": {"limit": 5}}"#), mode: .replace, by: admin)
        #expect(
            fates(plan) == [
                "checkout/enabled": .removed, "checkout/limit": .same, "checkout/region": .locked, "options": .removed,
                "stray": .removed,
            ])
        _ = try await service.apply(ChangeRequest(plan.changes, by: admin))
        let root = try root()
        #expect(try root.value(at: .of("checkout", "region")) == .string("north"))
        #expect(try root.value(at: .of("hidden", "token")) == .string("secret"))
        #expect(try root.value(at: .of("stray")) == nil)
    }

    @Test("What is said of an internal flag is what is said of a key that stands for nothing, word for word")
    func internalFlags() async throws {
        let service = try project.service()
        func notes(_ text: String) async throws -> [String] {
            try await service.plan(try values(text), mode: .replace, by: admin).notes
        }
        let texts = [
            #"{"hidden": {"token": "secret"}}"#, #"{"hidden": {"token": {"inner": [1]}}}"#, #"{"hidden": 7}"#,
        ]
        for text in texts {
            let other = text.replacing("hidden", with: "absent")
            #expect(try await notes(text) == notes(other).map { $0.replacing("absent", with: "hidden") })
        }
        // Nor does an import that was made by hand, without a plan.
        for key in [FlagKeyPath.of("hidden", "token"), .of("absent", "token"), .of("hidden"), .of("absent")] {
            let refusal = try await #require(throws: ChangeError.self) {
                try await service.apply(Change(key: key, action: .setValue(.bool(true))), by: admin)
            }
            #expect(refusal == .unknown(key))
        }
        #expect(try service.rows().isEmpty)
    }

    @Test("A property list stores its values as they are")
    func propertyList() async throws {
        let service = try project.service()
        let text = Project.plist(
            "<key>checkout</key><dict><key>enabled</key><string>x</string><key>limit</key><integer>6</integer></dict>")
        let plan = try await service.plan(try values(text), mode: .merge, by: admin)
        #expect(plan.changes.map(\.action) == [.setValue(.integer(6))])
        #expect(
            fates(plan)["checkout/enabled"]
                == .invalid(#"Found string "x", expected true or false."#))
    }

    @Test("An import into a second provider leaves the first one alone")
    func otherProvider() async throws {
        let second = project.folder.appending(path: "second.xml")
        try Data(Project.values.utf8).write(to: second)
        let service = try project.service(
            others: [FlagFiles.Provider(name: "Second", url: second, isWritable: true)])
        let plan = try await service.plan(
            try values(#"{"checkout": {"limit": 7}}"#), into: "Second", mode: .merge, by: admin)
        _ = try await service.apply(ChangeRequest(plan.changes, by: admin))
        #expect(try project.text() == Project.values)
        #expect(try String(contentsOf: second, encoding: .utf8).contains("<integer>7</integer>"))
    }

    @Test(
        "A provider that isn't there or can't be written to is refused",
        arguments: [("Second", ChangeError.Reason.notAllowed), ("Elsewhere", .unknownProvider)])
    func wrongProvider(name: String, reason: ChangeError.Reason) async throws {
        let second = project.folder.appending(path: "second.xml")
        try Data(Project.values.utf8).write(to: second)
        let service = try project.service(
            others: [FlagFiles.Provider(name: "Second", url: second, isWritable: false)])
        for text in ["{}", #"{"checkout": {"limit": 7}}"#] {
            let refusal = try await #require(throws: ChangeError.self) {
                try await service.plan(try values(text), into: name, mode: .merge, by: admin)
            }
            #expect(refusal.reason == reason && refusal.description.contains(name))
        }
    }

    @Test("Only an admin imports, whichever way", arguments: [ChangeAuthor.Role.viewer, .editor])
    func roles(role: ChangeAuthor.Role) async throws {
        let service = try project.service()
        let author = ChangeAuthor(name: "vic", role: role, origin: .import)
        let refusal = try await #require(throws: ChangeError.self) {
            try await service.plan(try values("{}"), mode: .merge, by: author)
        }
        #expect(refusal.reason == .notAllowed && refusal.description.contains("can't import"))
        let change = Change(key: .of("checkout", "limit"), action: .setValue(.integer(7)))
        let denied = try await #require(throws: ChangeError.self) { try await service.apply(change, by: author) }
        #expect(denied.reason == .notAllowed)
        #expect(try project.text() == Project.values)
        #expect(try service.rows().map(\.event.kind) == [.denied])
    }

    @Test("What somebody changed since the plan was made is not overwritten")
    func stale() async throws {
        let service = try project.service()
        let plan = try await service.plan(try values(#"{"checkout": {"limit": 7}}"#), mode: .merge, by: admin)
        _ = try await service.apply(
            Change(key: .of("checkout", "limit"), action: .setText("8")), by: Project.author)
        let refusal = try await #require(throws: BatchError.self) {
            try await service.apply(ChangeRequest(plan.changes, by: admin))
        }
        #expect(refusal.cause.conflict != nil)
    }

    @Test("Without a manifest new keys are taken too, unless a value or a group is in their way")
    func withoutManifest() async throws {
        let project = try Project(
            values: Project.plist("<key>a</key><integer>1</integer><key>g</key><dict><key>b</key><true/></dict>"),
            manifest: nil)
        let service = try project.service()
        let text = #"{"a": {"c": 1}, "g": 4, "n": {"i": 1, "r": 1.5, "t": "x", "l": [1], "b": false}}"#
        let plan = try await service.plan(try values(text), mode: .merge, by: admin)
        #expect(
            fates(plan) == [
                "a/c": .unknown, "g": .unknown, "n/i": .added, "n/r": .added, "n/t": .added, "n/l": .added,
                "n/b": .added,
            ])
        _ = try await service.apply(ChangeRequest(plan.changes, by: admin))
        let types = try await service.catalogue().entries.map { "\($0.key) \($0.definition.type)" }
        #expect(
            types.sorted() == [
                "a integer", "g/b bool", "n/b bool", "n/i integer", "n/l array", "n/r double", "n/t string",
            ])
        // Only an import makes flags of keys.
        let refusal = try await #require(throws: ChangeError.self) {
            try await service.apply(Change(key: .of("z"), action: .setValue(.bool(true))), by: Project.author)
        }
        #expect(refusal == .unknown(.of("z")))
    }

    @Test("A replacement turns a value into a group of that name")
    func makesRoom() async throws {
        let project = try Project(values: Project.plist("<key>a</key><integer>1</integer>"), manifest: nil)
        let service = try project.service()
        let plan = try await service.plan(try values(#"{"a": {"c": 1}}"#), mode: .replace, by: admin)
        #expect(fates(plan)["a"] == .removed)
        #expect(plan.changes.first?.action == .reset)
    }

    @Test(
        "What is neither a property list nor JSON is refused with the place of its fault",
        arguments: [
            ("", "import is empty"), (" \n", "import is empty"), ("{\"a\": 1,\n \"a\": 2}", "line 2, column 2"),
            ("[1]", "expected a dictionary"), ("hello", "not an XML property list"),
            ("<plist version=\"1.0\"><string>x</string></plist>", "expected a dictionary"),
            ("<plist version=\"1.0\">\n<dict><key>a</key></dict></plist>", "line 2"),
            ("\u{FEFF}{\"a\" 1}", "line 1"),
        ])
    func unreadable(text: String, says: String) throws {
        let error = try #require(throws: PlainError.self) { try values(text) }
        #expect(error.description.contains(says), "\(error)")
    }

    @Test("More than 8 MiB are not read")
    func tooLarge() throws {
        let error = try #require(throws: PlainError.self) {
            try ImportedValues(Data(repeating: 0x20, count: ImportedValues.maximumBytes + 1))
        }
        #expect(error.description.contains("Split it"))
    }

    @Test("The notes name no more than a person reads")
    func shortNotes() async throws {
        let keys = (0..<30).map { "\"\(String(repeating: "long", count: 5_000))\($0)\": 1" }
        let notes = try await project.service().plan(
            try values("{\(keys.joined(separator: ", "))}"), mode: .merge, by: admin
        ).notes
        #expect(notes.last?.hasSuffix("and 10 more.") == true)
        #expect(notes.allSatisfy { $0.count < 10_000 })
    }

    @Test("The notes count each sort, and name what is left out and why")
    func notes() async throws {
        let plan = try await project.service().plan(try values(Self.json), mode: .merge, by: admin)
        #expect(
            plan.notes == [
                "9 values: 1 to add, 2 to change, 1 unchanged, 5 skipped (1 locked, 3 unknown, 1 invalid).",
                "Skipped locked flags: checkout/region.",
                "Skipped unknown flags: hidden/none, hidden/token, nobody/knows.",
                "Skipped invalid values: checkout/limit (Must be 10 or less).",
            ])
        #expect(
            plan.leftOut.map(\.change.key.text).sorted()
                == ["checkout/limit", "checkout/region", "hidden/none", "hidden/token", "nobody/knows"])
        #expect(plan.leftOut.allSatisfy { $0.refusal != nil })
    }
}
