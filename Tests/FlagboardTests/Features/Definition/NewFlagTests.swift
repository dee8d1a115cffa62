import FeatureFlags
import FlagChanges
import FlagHistory
import HTTPTypes
import Foundation
import Testing

@testable import Flagboard

@Suite("Creating a flag")
struct NewFlagTests {
    private static let original = DashboardFixture.flag(
        "shop/size", "choice",
        """
        <key>name</key><string>Size</string><key>default</key><real>1.5</real><key>choices</key>
        <array><real>0.5</real><real>1.5</real></array><key>retired</key><string>unused</string>
        <key>isLocked</key><true/><key>owner</key><string>Ann</string>
        """)

    private func fixture(role: ChangeAuthor.Role = .admin) throws -> DashboardFixture {
        try DashboardFixture(
            "", flags: [Self.original, DashboardFixture.flag("shop/secret", "bool", "<key>isInternal</key><true/>")],
            role: role)
    }

    private func definition(_ key: String, _ fixture: DashboardFixture) async throws -> FlagDefinition? {
        try await fixture.service.storedDefinition(of: Samples.key(key))?.definition
    }

    @Test(
        "An unusual key path is asked about once, with one that is usual",
        arguments: [
            ("shop new flag!", "Use shop/new_flag?"), ("new flag", "Use new_flag?"),
            ("shop/Größe 2", "Use shop/Größe_2?"), ("!!", "between slashes."),
        ])
    func unusualKey(key: String, advice: String) async throws {
        let fixture = try fixture()
        let asked = try await fixture.post("/definitions/new", ["key": key, "type": "bool"])
        #expect(asked.status == 422 && asked.body.contains(advice))
        #expect(asked.body.contains("name=\"keepsKey\"") && asked.body.components(separatedBy: advice).count == 2)
        #expect(try await definition(key, fixture) == nil)
        let made = try await fixture.post("/definitions/new", ["key": key, "type": "bool", "keepsKey": "yes"])
        #expect(made.status == 303)
        #expect(try await definition(key, fixture)?.type == .bool)
    }

    @Test(
        "An empty part of a key path is refused, with a key path that has none, and no box allows it",
        arguments: [("shop//a b", "Use shop/a_b?"), ("shop/a/", "Use shop/a?"), ("/", "with single slashes.<")])
    func emptyPart(key: String, advice: String) async throws {
        let fixture = try fixture()
        let refused = try await fixture.post("/definitions/new", ["key": key, "type": "bool"])
        #expect(refused.status == 422 && refused.body.contains("Part of the key path is empty."))
        #expect(refused.body.contains(advice) && !refused.body.contains("name=\"keepsKey\""))
        #expect(
            try await fixture.post("/definitions/new", ["key": key, "type": "bool", "keepsKey": "yes"]).status == 422)
        #expect(try await definition(key, fixture) == nil)
    }

    @Test("A usual key path is not asked about", arguments: ["shop/new-flag", "a.b/c_1", "ünder/x"])
    func usualKey(key: String) async throws {
        #expect(try await fixture().post("/definitions/new", ["key": key, "type": "bool"]).status == 303)
    }

    @Test("A copy starts with the definition of another flag, under a free key path, and nothing is written before")
    func copyPage() async throws {
        let fixture = try fixture()
        let page = try await fixture.get("/definitions/new?from=shop%2Fsize").body
        #expect(page.contains("name=\"key\" value=\"shop/size_copy\"") && page.contains("value=\"Size (copy)\""))
        #expect(page.contains("name=\"from\" value=\"shop/size\"") && page.contains("value=\"Ann\""))
        #expect(try fixture.rows().isEmpty)
        #expect(try await fixture.get("/definitions/shop/size").body.contains("/definitions/new?from=shop%2Fsize"))
        _ = try await fixture.post("/definitions/new", ["key": "shop/size_copy", "type": "bool"])
        #expect(try await fixture.get("/definitions/new?from=shop%2Fsize").body.contains("value=\"shop/size_copy_2\""))
    }

    @Test("A copy keeps what its form can't show, such as choices that are numbers, and is not deprecated")
    func makesCopy() async throws {
        let fixture = try fixture()
        let stored = try #require(try await definition("shop/size", fixture))
        let form = DefinitionForm(copyOf: stored, in: try await fixture.service.overview().catalogue)
        let answer = try await fixture.post(
            "/definitions/new",
            [
                "from": "shop/size", "key": "shop/width", "type": "choice", "name": "Width", "choices": form["choices"],
                "choiceKind": form["choiceKind"], "default": form["default"], "owner": "Ann",
            ])
        #expect(answer.status == 303)
        let made = try #require(try await definition("shop/width", fixture))
        #expect(made.constraints.choices == stored.constraints.choices && made.defaultValue == .double(1.5))
        #expect(made.metadata.retired == nil && made.metadata.name == "Width" && !made.metadata.isLocked)
    }

    @Test("A flag that isn't there, or that is internal, can't be copied, and only an admin copies")
    func refusesCopies() async throws {
        for key in ["nope", "shop%2Fsecret", "~9"] {
            #expect(try await fixture().get("/definitions/new?from=\(key)").status == 404, "\(key)")
        }
        #expect(try await fixture(role: .editor).get("/definitions/new?from=shop%2Fsize").status == 403)
    }

    @Test(
        "The default has a field of its type",
        arguments: [
            ("integer", "inputmode=\"numeric\""), ("double", "inputmode=\"decimal\""), ("url", "inputmode=\"url\""),
            ("json", "<textarea id=\"field-default\""),
        ])
    func defaultField(type: String, markup: String) async throws {
        let page = try await fixture().get("/definitions/new?key=a&type=\(type)").body
        let field = try #require(page.split(separator: "id=\"field-default\"").first)
        #expect(page.contains(markup) && !field.isEmpty)
    }

    @Test("What is refused on a definition's page is said once, at the form that was sent")
    func saysOnce() async throws {
        let fixture = try fixture()
        for (fields, problem) in [
            (["action": "rename", "newKey": "shop/size"] as KeyValuePairs, "already has this key path."),
            (["action": "delete", "confirmation": "x"], "Type shop/size exactly to confirm."),
        ] {
            let answer = try await fixture.post("/definitions/shop/size", fields)
            #expect(answer.status == 422 && answer.body.components(separatedBy: problem).count == 2, "\(problem)")
        }
    }
}
