import FeatureFlags
import FeatureFlagsXML
import FlagHistory
import Foundation
import Testing

@testable import FlagChanges

/// A value as each way in brings it.
private enum WayIn: CaseIterable {
    case form, api, batch, jsonImport, plistImport, copy
}

@Suite("The stored layout is kept on every way in")
struct StoredLayoutTests {
    private static let layout: FlagKeyPath = .of("layout")
    private static let held = Data(#"{"columns":1,"title":null}"#.utf8)
    private let admin = ChangeAuthor(name: "ada", role: .admin, origin: .import)

    private func project(_ values: String, _ more: String = "", type: String = "json") throws -> Project {
        try Project(values: Project.plist(values), manifest: Project.manifest([("layout", type, more)]))
    }

    private static let heldAsData = "<key>layout</key><data>\(held.base64EncodedString())</data>"

    private func set(
        _ service: ChangeService, _ text: String, by way: WayIn, provider: String? = nil
    ) async throws {
        let value = try FlagJSON.document(text)
        let change: (Change.Action) -> Change = { Change(key: Self.layout, action: $0, provider: provider) }
        switch way {
        case .form: _ = try await service.apply(change(.setText(text)), by: Project.author)
        case .api: _ = try await service.apply(change(.setJSON(JSONInput(value))), by: Project.author)
        case .batch:
            _ = try await service.apply(ChangeRequest([change(.setJSON(JSONInput(value)))], by: Project.author))
        case .copy:
            let stored = try #require(value.stored)
            _ = try await service.apply(change(.setValue(stored)), by: Project.author)
        case .jsonImport, .plistImport:
            let source =
                if way == .jsonImport {
                    Data("{\"layout\": \(text)}".utf8)
                } else {
                    try PropertyListDocument(root: .dictionary(["layout": try #require(value.stored)])).source
                }
            let plan = try await service.plan(try ImportedValues(source), into: provider, mode: .merge, by: admin)
            _ = try await service.apply(ChangeRequest(plan.changes, by: admin))
        }
    }

    private func held(_ project: Project) throws -> FlagValue? {
        try PropertyListDocument(source: Data(contentsOf: project.file)).value(at: Self.layout)
    }

    /// What RealFlags reads of a Codable value: data alone, as JSON.
    private func read(_ project: Project) throws -> [String: Int] {
        guard case .data(let data) = try #require(try held(project)) else { return [:] }
        return try JSONDecoder().decode([String: Int].self, from: data)
    }

    @Test("A value that is stored as data stays data, set or reset and set", arguments: WayIn.allCases)
    fileprivate func keepsData(way: WayIn) async throws {
        let project = try project(Self.heldAsData)
        let service = try project.service()
        try await set(service, #"{"columns": 2}"#, by: way)
        #expect(try read(project) == ["columns": 2])
        _ = try await service.apply(Change(key: Self.layout, action: .reset), by: Project.author)
        #expect(try held(project) == nil)
        try await set(service, #"{"columns": 3}"#, by: way)
        #expect(try read(project) == ["columns": 3])
    }

    @Test(
        "A layout that the definition says holds for the first value and for one of the other layout",
        arguments: WayIn.allCases)
    fileprivate func says(way: WayIn) async throws {
        let first = try project("", "<key>storage</key><string>data</string>")
        try await set(try first.service(), #"{"columns": 2}"#, by: way)
        #expect(try read(first) == ["columns": 2])
        let other = try project(
            "<key>layout</key><dict><key>columns</key><integer>1</integer></dict>",
            "<key>storage</key><string>data</string>")
        try await set(try other.service(), #"{"columns": 1}"#, by: way)
        #expect(try read(other) == ["columns": 1], "the same value in the layout that is said")
        let back = try project(Self.heldAsData, "<key>storage</key><string>dictionary</string>")
        try await set(try back.service(), #"{"columns": 2}"#, by: way)
        #expect(try held(back) == ["columns": 2])
    }

    @Test("Where nothing says a layout, JSON is stored as a dictionary, as ever", arguments: WayIn.allCases)
    fileprivate func usual(way: WayIn) async throws {
        let project = try project("")
        let service = try project.service()
        try await set(service, #"{"columns": 2}"#, by: way)
        #expect(try held(project) == ["columns": 2])
        _ = try await service.apply(Change(key: Self.layout, action: .reset), by: Project.author)
        try await set(service, "[1]", by: way)
        #expect(try held(project) == [1])
    }

    @Test("A batch that resets and sets keeps the layout, and so does one edit outside that removed the value")
    func together() async throws {
        let project = try project(Self.heldAsData)
        let service = try project.service()
        let json = JSONInput(.dictionary(["columns": 2]))
        _ = try await service.apply(
            ChangeRequest(
                [Change(key: Self.layout, action: .reset), Change(key: Self.layout, action: .setJSON(json))],
                by: Project.author))
        #expect(try read(project) == ["columns": 2])
        try project.write(Project.plist(""))
        try await set(service, #"{"columns": 4}"#, by: .form)
        #expect(try read(project) == ["columns": 4])
    }

    @Test("A provider that never held a value takes the layout of the one that does, and a copy its own")
    func otherProvider() async throws {
        let project = try project(Self.heldAsData)
        let team = project.folder.appending(path: "team.xml")
        try Data(Project.plist("").utf8).write(to: team)
        let service = try project.service(others: [.init(name: "Team", url: team, isWritable: true)])
        try await set(service, #"{"columns": 5}"#, by: .api, provider: "Team")
        let stored = try PropertyListDocument(source: Data(contentsOf: team)).value(at: Self.layout)
        #expect(stored == .data(Data(#"{"columns":5}"#.utf8)))
    }

    @Test("What is put back comes as it was, and in the layout that the definition says by now")
    func putBack() async throws {
        let project = try project(Self.heldAsData)
        let service = try project.service()
        _ = try await service.apply(Change(key: Self.layout, action: .reset), by: Project.author)
        let record = try #require(try service.rows().last)
        let reversal = try #require(Reversal.reversals(of: [record], reason: "").first)
        _ = try await service.apply(reversal.change, by: Project.author)
        #expect(try held(project) == .data(Self.held))
        try await set(service, "[1]", by: .form)
        let list = try #require(try service.rows().last?.event.after)
        try await set(service, "[2]", by: .form)
        try project.writeManifest(
            Project.manifest([("layout", "json", "<key>storage</key><string>dictionary</string>")]))
        _ = try await service.apply(Change(key: Self.layout, action: .putBack(list)), by: Project.author)
        #expect(try held(project) == [1])
        _ = try await service.apply(Change(key: Self.layout, action: .putBack(.data(Self.held))), by: Project.author)
        #expect(try held(project) == .data(Self.held), "a null has no other layout")
    }

    @Test(
        "null is stored where the layout is data, by form, API and import alike",
        arguments: [WayIn.form, .api, .batch, .jsonImport])
    fileprivate func null(way: WayIn) async throws {
        let project = try project(Self.heldAsData)
        try await set(try project.service(), #"{"x": [null]}"#, by: way)
        #expect(try held(project) == .data(Data(#"{"x":[null]}"#.utf8)))
    }

    @Test("null is refused where the layout is a dictionary, by form, API and import for one reason")
    func refusedNull() async throws {
        let project = try project("<key>layout</key><dict/>")
        let service = try project.service()
        let text = #"{"x": [null]}"#
        var reasons: [String] = []
        for way in [WayIn.form, .api] {
            let refusal = try #require(
                await #expect(throws: ChangeError.self) { try await set(service, text, by: way) })
            reasons.append(refusal.description)
        }
        let plan = try await service.plan(
            try ImportedValues(Data("{\"layout\": \(text)}".utf8)), mode: .merge, by: admin)
        guard case .invalid(let reason)? = plan.entries.first?.fate else {
            Issue.record("\(plan.entries)")
            return
        }
        let data = try PropertyListDocument(root: .dictionary(["layout": .data(Data(text.utf8))])).source
        let other = try await service.plan(try ImportedValues(data), mode: .merge, by: admin)
        guard case .invalid(let same)? = other.entries.first?.fate else {
            Issue.record("\(other.entries)")
            return
        }
        #expect(Set(reasons + [reason, same]).count == 1)
        #expect(reason.contains("Null at /x/0") && reason.contains("storage"))
        #expect(try held(project) == [:])
    }

    @Test("An import that holds a null for one flag imports the others")
    func importedNull() async throws {
        let project = try Project(
            values: Project.plist(""), manifest: Project.manifest([("a", "integer", ""), ("b", "array", "")]))
        let plan = try await project.service().plan(
            try ImportedValues(Data(#"{"a": 1, "b": [null], "c": null}"#.utf8)), mode: .merge, by: admin)
        #expect(plan.changes.map(\.key) == [.of("a")])
        #expect(plan.entries.map(\.key.text) == ["a", "b", "c"])
        let bare = try Project(values: Project.plist("<key>z</key><true/>"), manifest: nil)
        let made = try await bare.service().plan(
            try ImportedValues(Data(#"{"a": 1, "b": [null], "c": null}"#.utf8)), mode: .merge, by: admin)
        #expect(made.changes.map(\.key) == [.of("a")])
        #expect(Set(made.leftOut.map(\.change.key)) == [.of("b"), .of("c")])
        #expect(made.leftOut.allSatisfy { $0.refusal?.description.hasPrefix("Null ") == true })
    }

    @Test("A date keeps its layout too, set or reset and set")
    func dates() async throws {
        for (value, kind) in [
            ("<date>2026-01-31T12:00:00Z</date>", "date"), ("<string>2026-01-31T12:00:00Z</string>", "string"),
        ] {
            let project = try project("<key>layout</key>\(value)", type: "date")
            let service = try project.service()
            _ = try await service.apply(Change(key: Self.layout, action: .reset), by: Project.author)
            _ = try await service.apply(
                Change(key: Self.layout, action: .setText("2026-02-01 10:00")), by: Project.author)
            #expect(try held(project)?.kind == kind)
            #expect(try project.text().contains("2026-02-01T10:00:00Z"))
        }
    }

    @Test("Every export as JSON tells what the data holds, and what it tells can be imported")
    func exports() async throws {
        let project = try project(
            Self.heldAsData, "<key>default</key><data>W251bGxd</data><key>storage</key><string>data</string>")
        let service = try project.service()
        let json = String(decoding: try await service.exportedValues(as: .json).data, as: UTF8.self)
        #expect(json == "{\n  \"layout\": {\n    \"columns\": 1,\n    \"title\": null\n  }\n}\n")
        #expect(try await service.exportedValues(only: [Self.layout], as: .json).data == Data(json.utf8))
        #expect(try await service.exportedEffectiveValues(as: .json).data == Data(json.utf8))
        let manifest = try #require(try await service.exportedManifest(as: .json))
        #expect(String(decoding: manifest, as: UTF8.self).contains("\"default\": [\n        null\n      ]"))
        let plan = try await service.plan(try ImportedValues(Data(json.utf8)), mode: .replace, by: admin)
        #expect(plan.entries.map(\.fate) == [.same])
        _ = try await service.apply(Change(key: Self.layout, action: .reset), by: Project.author)
        let again = try await service.plan(try ImportedValues(Data(json.utf8)), mode: .replace, by: admin)
        _ = try await service.apply(ChangeRequest(again.changes, by: admin))
        #expect(try held(project) == .data(Self.held))
    }
}
