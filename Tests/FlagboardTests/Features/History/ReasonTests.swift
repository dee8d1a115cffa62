import FeatureFlags
import FlagChanges
import FlagHistory
import Foundation
import HTTPTypes
import Testing

@testable import Flagboard

@Suite("Reasons that are given after the change, on pages and by programs")
struct ReasonTests {
    private static let values = "<key>count</key><integer>3</integer><key>other</key><integer>1</integer>"
    private static let flags = [DashboardFixture.flag("count", "integer"), DashboardFixture.flag("other", "integer")]

    private func fixture(role: ChangeAuthor.Role = .editor) async throws -> DashboardFixture {
        let fixture = try DashboardFixture(Self.values, flags: Self.flags, role: role)
        let author = ChangeAuthor(name: "bo", role: .admin, origin: .api)
        _ = try await fixture.service.apply(
            Change(key: FlagKeyPath(components: ["count"]), action: .setText("4")), by: author)
        return fixture
    }

    /// The page that an answer leads to.
    private func followed(_ answer: DashboardFixture.Answer, _ fixture: DashboardFixture) async throws -> String {
        #expect(answer.status == 303)
        let address = try #require(answer.headers[.location])
        return try await fixture.get(String(address.prefix { $0 != "#" })).body
    }

    @Test("The page of a change says that it has no reason, takes one, and then shows it with who gave it")
    func changePage() async throws {
        let fixture = try await fixture()
        let before = try await fixture.get("/history/1").body
        #expect(before.contains("No reason given") && before.contains("action=\"/history/1/reason\""))
        let answer = try await fixture.post("/history/1/reason", ["reason": "Asked for\r\nby <sales>."])
        let after = try await followed(answer, fixture)
        #expect(after.contains("Reason added.") && !after.contains("No reason given"))
        #expect(after.contains("Asked for\nby &lt;sales&gt;.") && after.contains("Added by <bdi>ada</bdi>"))
        // A second one may follow, and both are there, the older one first.
        _ = try await fixture.post("/history/1/reason", ["reason": "And it stays."])
        let both = try await fixture.get("/history/1").body
        let places = try ["Asked for", "And it stays."].map { try #require(both.firstRange(of: $0)).lowerBound }
        #expect(places[0] < places[1])
        let own = try await fixture.get("/history/2").body
        #expect(own.contains("<a href=\"/history/1\">change 1</a>") && own.contains("Nothing to revert"))
        #expect(!own.contains("/history/2/reason") && !own.contains("<h3>Before"))
    }

    @Test("However many follow a change, the open row of its flag shows it, and the page of an earlier one leads to it")
    func followedByMany() async throws {
        let fixture = try await fixture()
        #expect(try await fixture.post("/flags/count", ["action": "set", "value": "5"]).status == 303)
        for number in 1...25 {
            #expect(try await fixture.post("/history/2/reason", ["reason": "Reason \(number)."]).status == 303)
        }
        let list = try await fixture.get("/?open=count").body
        #expect(list.contains(#"href="/history/1""#) && list.contains("Reason 25."))
        let page = try await fixture.get("/history/1").body
        #expect(page.contains("Superseded by change 2 (ada). Current value: 5."))
        #expect(page.contains("<a href=\"/history/2\">View change 2</a>"))
    }

    @Test("The history and the flag's page show it with its change, and the row that gives it")
    func rows() async throws {
        let fixture = try await fixture()
        _ = try await fixture.post("/history/1/reason", ["reason": "Asked for by sales."])
        for address in ["/history", "/flags/count"] {
            let page = try await fixture.get(address).body
            #expect(page.components(separatedBy: "added by <bdi>ada</bdi>").count == 2, "\(address)")
            #expect(page.contains("<a href=\"/history/1\">change 1</a>"), "\(address)")
        }
        let notes = try await fixture.get("/history?kind=note").body
        #expect(notes.contains("data-change=\"2\"") && !notes.contains("data-change=\"1\""))
        #expect(notes.contains("<option value=\"note\" selected>Reason added</option>"))
        let opened = try await fixture.get("/?open=count").body
        #expect(opened.contains("<bdi>Asked for by sales.</bdi>"))
        #expect(!opened.contains("Reason added"))
        let list = try await fixture.get("/?sort=changed").body
        #expect(list.contains("by <bdi>bo</bdi>") && !list.contains("by <bdi>ada</bdi>"))
    }

    @Test(
        "The notice of what was saved without a reason asks for one, goes back to where it stood, and can still be undone"
    )
    func notice() async throws {
        let fixture = try await fixture()
        for (back, isList) in [("/?q=count", true), ("", false)] {
            let fields: KeyValuePairs = ["action": "set", "value": isList ? "5" : "6", "back": back]
            let saved = try await fixture.post(
                "/flags/count", isList ? fields : ["action": "set", "value": "6"])
            let page = try await followed(saved, fixture)
            let row = try #require(try fixture.rows().first)
            #expect(page.contains("action=\"/history/\(row.id)/reason\"") && page.contains("Undo change \(row.id)"))
            let wanted = isList ? back : "/flags/count"
            #expect(page.contains("<input type=\"hidden\" name=\"back\" value=\"\(wanted)\">"))
            let given = try await fixture.post("/history/\(row.id)/reason", ["reason": "why", "back": wanted])
            #expect(given.headers[.location]?.hasPrefix(wanted) == true)
            let after = try await followed(given, fixture)
            #expect(after.contains("Reason added.") && after.contains("Undo change \(row.id)"))
            #expect(!after.contains("class=\"notice") || !after.contains("action=\"/history/\(row.id)/reason\""))
        }
        let reasoned = try await fixture.post("/flags/count", ["action": "set", "value": "7", "reason": "said"])
        #expect(!(try await followed(reasoned, fixture)).contains("/reason\""))
    }

    @Test("Wherever a form says it was, the answer leads within the dashboard")
    func strangeBack() async throws {
        let fixture = try await fixture()
        for back in ["//evil.example", "https://evil.example/", "javascript:x"] {
            let answer = try await fixture.post("/history/1/reason", ["reason": "why", "back": back])
            #expect(answer.headers[.location]?.hasPrefix("/?saved=") == true, "\(back)")
        }
    }

    @Test(
        "A refused reason stands in the form again, with what is wrong",
        arguments: ["", "  ", String(repeating: "x", count: 1001)])
    func refused(reason: String) async throws {
        let fixture = try await fixture()
        let answer = try await fixture.post("/history/1/reason", ["reason": reason])
        #expect(answer.status == 422)
        #expect(
            answer.body.contains("<details class=\"add-reason\" open>") && answer.body.contains("value=\"\(reason)\""))
        #expect(answer.body.contains(reason.count > 10 ? "The limit is 1000" : "Enter a reason for change 1."))
        #expect(try fixture.rows().count == 1)
    }

    @Test("A viewer is offered none and gives none, and a change that there is not is not found")
    func others() async throws {
        let fixture = try await fixture(role: .viewer)
        #expect(!(try await fixture.get("/history/1").body).contains("Add a reason"))
        let answer = try await fixture.post("/history/1/reason", ["reason": "please"])
        #expect(answer.status == 403 && answer.body.contains("please"))
        #expect(try await fixture.post("/history/99/reason", ["reason": "why"]).status == 404)
    }

    @Test("All that was made together is given one reason at once")
    func batch() async throws {
        let fixture = try await fixture()
        let author = ChangeAuthor(name: "bo", role: .admin, origin: .api)
        let changes = ["count", "other"].map { Change(key: FlagKeyPath(components: [$0]), action: .setText("8")) }
        _ = try await fixture.service.apply(ChangeRequest(changes, by: author))
        #expect(try await fixture.get("/history/2").body.contains("Save for both changes"))
        let answer = try await fixture.post("/history/2/reason", ["reason": "Spring sale", "scope": "batch"])
        #expect(try await followed(answer, fixture).contains("Reason added to 2 changes."))
        let rows = try fixture.rows().prefix(2)
        #expect(rows.map(\.event.notedRow) == [3, 2] && Set(rows.map(\.event.batch)).count == 1)
        let history = try await fixture.get("/history").body
        #expect(history.contains("added a reason to 2 changes"))
    }

    @Test("What was just made together without a reason leads to its changes, and the page of each takes one for all")
    func justMade() async throws {
        let fixture = try await fixture()
        let proposed = #"[{"key":"count","action":"reset"},{"key":"other","action":"reset"}]"#
        let answer = try await fixture.post(
            "/batch", ["origin": "form", "idempotency": "a", "changes": proposed, "back": "/"])
        let page = try await followed(answer, fixture)
        #expect(page.contains("2 changes applied."))
        let batch = try #require(
            page.firstMatch(of: /href="(\/history\?batch=[-0-9A-F]+)">View changes<\/a>/)?.output.1)
        let list = try await fixture.get(String(batch)).body
        #expect(list.contains("One batch, applied together.") && list.contains("data-change=\"3\""))
        #expect(!list.contains("data-change=\"1\""))
        let number = try #require(list.firstMatch(of: /href="\/history\/(\d+)"/)?.output.1)
        let change = try await fixture.get("/history/\(number)").body
        #expect(change.contains("No reason given") && change.contains("id=\"reason-\(number)\""))
        #expect(change.contains("Save for both changes"))
    }

    @Test("A program gives a reason by the number of the change, and is told the reasons with the change")
    func program() async throws {
        let fixture = try await fixture()
        func send(_ path: String, _ body: String, key: String? = nil) async throws -> DashboardFixture.Answer {
            var headers: HTTPFields = [.contentType: "application/json"]
            if let key { headers[.idempotencyKey] = key }
            return try await fixture.ask(.post, path, headers, body: body)
        }
        let made = try await send("/api/v1/history/1/notes", #"{"reason":"Asked for by sales."}"#, key: "k")
        #expect(made.status == 200 && made.body.contains(#""kind":"note""#) && made.body.contains(#""noteOn":1"#))
        #expect(made.body.contains(#""outcome":"applied""#) && !made.body.contains(#""after""#))
        let again = try await send("/api/v1/history/1/notes", #"{"reason":"Asked for by sales."}"#, key: "k")
        #expect(again.body == made.body)
        let change = try await fixture.get("/api/v1/history/1").body
        #expect(change.contains(#""notes":[{"#) && change.contains("Asked for by sales."))
        #expect(!(try await fixture.get("/api/v1/history").body).contains(#""notes""#))
        for (path, body, status) in [
            ("/api/v1/history/1/notes", "{}", 400), ("/api/v1/history/1/notes", #"{"reason":3}"#, 400),
            ("/api/v1/history/1/notes", #"{"reason":" "}"#, 422), ("/api/v1/history/2/notes", #"{"reason":"x"}"#, 422),
            ("/api/v1/history/9/notes", #"{"reason":"x"}"#, 404), ("/api/v1/history/x/notes", #"{"reason":"x"}"#, 404),
        ] {
            #expect(try await send(path, body).status == status, "\(path) \(body)")
        }
        let csv = try await fixture.get("/export/history.csv?kind=note").body
        #expect(csv.contains(",note,") && csv.contains(",1,integer,Asked for by sales.,"))
    }
}
