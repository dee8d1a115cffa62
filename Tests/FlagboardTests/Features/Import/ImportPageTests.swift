import FeatureFlags
import FlagChanges
import FlagHistory
import Foundation
import HTTPTypes
import Testing

@testable import Flagboard

@Suite("Importing by a form")
struct ImportPageTests {
    private static let flags = [
        DashboardFixture.flag("count", "integer"), DashboardFixture.flag("ui/on", "bool"),
        DashboardFixture.flag("fixed", "integer", "<key>isLocked</key><true/>"),
        DashboardFixture.flag("hidden", "bool", "<key>isInternal</key><true/>"),
    ]

    private func fixture(role: ChangeAuthor.Role = .admin, team: String? = nil) throws -> DashboardFixture {
        try DashboardFixture(
            "<key>count</key><integer>3</integer><key>hidden</key><true/>", flags: Self.flags, team: team, role: role)
    }

    /// Posts the form as a browser does, with a file where there is one.
    private func upload(
        _ fixture: DashboardFixture, file: String? = nil, text: String = "", mode: String = "merge"
    ) async throws -> DashboardFixture.Answer {
        var body = ""
        for (name, value) in [("text", text), ("mode", mode), ("provider", "Local")] {
            body += "--x\r\nContent-Disposition: form-data; name=\"\(name)\"\r\n\r\n\(value)\r\n"
        }
        body += "--x\r\nContent-Disposition: form-data; name=\"file\"; filename=\"\(file == nil ? "" : "f.json")\"\r\n"
        body += "Content-Type: application/octet-stream\r\n\r\n\(file ?? "")\r\n--x--\r\n"
        return try await fixture.preview("/import", [.contentType: "multipart/form-data; boundary=x"], body: body)
    }

    private func apply(
        _ page: DashboardFixture.Answer, _ fixture: DashboardFixture, reason: String = ""
    ) async throws -> DashboardFixture.Answer {
        func field(_ name: String) throws -> String {
            try #require(page.field(name)).replacing("&quot;", with: "\"").replacing("&#39;", with: "'")
                .replacing("&amp;", with: "&")
        }
        return try await fixture.post(
            "/batch",
            [
                "title": try field("title"), "changes": try field("changes"), "seal": try field("seal"),
                "back": try field("back"), "idempotency": try field("idempotency"), "asof": try field("asof"),
                "agreement": try field("agreement"),
                "preview": try field("preview"), "reason": reason,
            ])
    }

    @Test("A file is previewed, changes nothing, and then is applied as one batch of an import")
    func file() async throws {
        let fixture = try fixture()
        let before = try Data(contentsOf: fixture.file)
        let page = try await upload(fixture, file: #"{"count": 4, "ui": {"on": true}, "fixed": 1, "hidden": false}"#)
        #expect(page.status == 200 && page.body.contains("Import into Local"))
        #expect(page.body.contains("4 values: 1 to add, 1 to change, 2 skipped (1 locked, 1 unknown)."))
        #expect(page.body.contains("2 changes, 2 skipped"))
        #expect(page.body.contains("fixed is locked") && page.body.contains("Flag “hidden"))
        #expect(try Data(contentsOf: fixture.file) == before && fixture.rows().isEmpty)
        #expect(try await apply(page, fixture, reason: "from staging").status == 303)
        let rows = try fixture.rows().map(\.event)
        #expect(rows.count == 2 && Set(rows.map(\.batch)).count == 1)
        #expect(rows.allSatisfy { $0.origin == .import && $0.reason == "from staging" })
        let text = try String(contentsOf: fixture.file, encoding: .utf8)
        #expect(text.contains("<integer>4</integer>") && text.contains("<key>hidden</key><true/>"))
    }

    @Test("A text is imported as well, be it a property list, and without multipart")
    func text() async throws {
        let fixture = try fixture()
        let page = try await upload(
            fixture, text: DashboardFixture.plist("<dict><key>count</key><integer>9</integer></dict>"))
        #expect(page.body.contains("Apply change"))
        let plain = try await fixture.preview("/import", ["text": "{\"count\": 9}", "mode": "replace"])
        #expect(plain.body.contains("Apply change"))
    }

    @Test("What is left out shows what there is and what was asked for, and an unknown key can be defined")
    func leftOut() async throws {
        let page = try await upload(
            try fixture(), file: #"{"count": "many", "fixed": 1, "shop": {"fee": 2.5, "on": true}}"#
        ).body
        #expect(page.contains(">No changes<") && page.contains("0 changes, 4 skipped"))
        let rows = page.matches(of: /data-changes="([^"]+)">[\s\S]*?<\/li>/)
        #expect(Set(rows.map { String($0.1) }) == ["count", "fixed", "shop/fee", "shop/on"])
        for row in rows { #expect(row.0.contains("Requested") && row.0.contains("Skipped"), "\(row.1)") }
        let count = try #require(rows.first { $0.1 == "count" }).0
        #expect(count.contains(">3</code>") && count.contains("many"))
        #expect(page.contains("/definitions/new?key=shop%2Ffee&amp;type=double&amp;default=2.5"))
        #expect(page.contains("/definitions/new?key=shop%2Fon&amp;type=bool&amp;default=true"))
        #expect(page.components(separatedBy: "Define it").count == 3)
    }

    @Test("Where nothing would change the form says so")
    func nothing() async throws {
        let page = try await upload(try fixture(), file: #"{"count": 3}"#)
        #expect(page.status == 200 && page.body.contains("No changes") && page.body.contains("1 unchanged."))
        #expect(!page.body.contains("action=\"/batch\""))
    }

    @Test(
        "What can't be imported is refused beside the form, which keeps the text",
        arguments: [
            (#"{"count": "#, "line 1, column 11"), ("<plist>\n<dict><foo/></dict></plist>", "Line 2"),
            ("hello & <bye>", "not an XML property list"), ("   ", "Choose a file or paste text."),
            ("[]", "expected a dictionary"),
        ])
    func refused(text: String, says: String) async throws {
        let fixture = try fixture()
        let page = try await upload(fixture, text: text)
        #expect(page.status == 422 && page.body.contains(says), "\(page.body)")
        #expect(page.body.contains("id=\"import-problem\""))
        let kept = text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
            .replacing("\"", with: "&quot;")
        #expect(page.body.contains("\n\(kept)</textarea>"))
    }

    @Test("A file and a text together are refused, and so is an unknown way to import")
    func both() async throws {
        let fixture = try fixture()
        #expect(try await upload(fixture, file: "{}", text: "{}").status == 422)
        #expect(try await upload(fixture, text: "{\"count\": 1}", mode: "both").status == 422)
        #expect(try await fixture.post("/import", ["text": "{}", "provider": "None"]).status == 403)
    }

    @Test("What is no form is refused, and what is too large")
    func noForm() async throws {
        let fixture = try fixture()
        for (type, status) in [
            ("multipart/form-data", 400), ("multipart/form-data; boundary=y", 400), ("application/json", 415),
        ] {
            let answer = try await fixture.ask(
                .post, "/import", [.secFetchSite: "same-origin", .contentType: type], body: "--x--")
            #expect(answer.status == status, "\(type)")
        }
        for type in ["multipart/form-data; boundary=x", "application/x-www-form-urlencoded"] {
            let answer = try await fixture.ask(
                .post, "/import", [.secFetchSite: "same-origin", .contentType: type, .contentEncoding: "gzip"],
                body: "x")
            #expect(answer.status == 415 && !answer.body.contains("boundary"), "\(type)")
        }
        let large = try await upload(fixture, text: String(repeating: " ", count: ImportRequest.maximumBytes))
        #expect(large.status == 413 && large.body.contains("8 MB"))
    }

    @Test("A key that came after the preview is shown before all is replaced")
    func cameLater() async throws {
        let fixture = try DashboardFixture("<key>a</key><true/><key>b</key><true/>", role: .admin)
        let preview = try await upload(fixture, text: #"{"a": true}"#, mode: "replace")
        let text = try String(contentsOf: fixture.file, encoding: .utf8)
        try Data(text.replacing("<key>a</key>", with: "<key>c</key><true/><key>a</key>").utf8).write(to: fixture.file)
        let refused = try await fixture.applyPreview(preview)
        #expect(refused.status == 409 && refused.body.contains("This flag changed since you previewed it."))
        #expect(try await fixture.applyPreview(refused).status == 303)
        #expect(try Set(fixture.rows().filter { $0.event.kind == .reset }.map(\.event.key.text)) == ["b", "c"])
    }

    @Test("Only an admin imports: others see why, and are refused", arguments: [ChangeAuthor.Role.viewer, .editor])
    func roles(role: ChangeAuthor.Role) async throws {
        let fixture = try fixture(role: role)
        let page = try await fixture.get("/import")
        #expect(
            page.status == 200 && page.body.contains("permission to import") && !page.body.contains("name=\"text\""))
        let answer = try await upload(fixture, text: #"{"count": 4}"#)
        #expect(answer.status == 403 && answer.body.contains("can&#39;t import"))
        #expect(try fixture.rows().allSatisfy { $0.event.kind == .denied })
    }

    @Test(
        "The form of an import's preview, made by hand, is no import: it makes what its sender may change, and as a form",
        arguments: [(ChangeAuthor.Role.viewer, 403), (.editor, 303)])
    func madeByHand(role: ChangeAuthor.Role, status: Int) async throws {
        let fixture = try fixture(role: role)
        func send(_ key: String, as idempotencyKey: String) async throws -> Int {
            let changes = try ProposedChanges.text(
                of: [Change(key: Samples.key(key), action: .setValue(.integer(4)))])
            return try await fixture.post(
                "/batch",
                ["changes": changes, "origin": "import", "seal": "import", "idempotency": idempotencyKey, "back": "/"]
            ).status
        }
        #expect(try await send("count", as: "one") == status)
        #expect(try fixture.rows().allSatisfy { $0.event.origin == .form })
    }

    @Test("What only an import may bring along, a flag that nobody knows, comes in by no form that was made by hand")
    func newFlagByHand() async throws {
        let fixture = try DashboardFixture("<key>count</key><integer>3</integer>")
        let changes = try ProposedChanges.text(of: [Change(key: Samples.key("new"), action: .setValue(.integer(4)))])
        let sent = try await fixture.post(
            "/batch", ["changes": changes, "origin": "import", "idempotency": "one", "back": "/"])
        #expect(sent.status == 404)
        #expect(try !String(contentsOf: fixture.file, encoding: .utf8).contains("new"))
    }
}
