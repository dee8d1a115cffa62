import FeatureFlags
import FlagChanges
import FlagHistory
import Foundation
import HTTPTypes
import Hummingbird
import Logging
import Testing

@testable import Flagboard

@Suite("Who may do what")
struct RoleMatrixTests {
    /// A request, and the statuses for nobody, a viewer, an editor and an admin.
    struct Row: CustomStringConvertible, Sendable {
        let method: HTTPRequest.Method
        let path: String
        let body: String?
        let statuses: [Int]

        var description: String { "\(method) \(path)" }

        init(_ method: HTTPRequest.Method, _ path: String, _ statuses: [Int], body: String? = nil) {
            (self.method, self.path, self.statuses, self.body) = (method, path, statuses, body)
        }
    }

    static let rows = [
        Row(.get, "/", [401, 200, 200, 200]),
        Row(.head, "/", [401, 200, 200, 200]),
        Row(.get, "/?q=count", [401, 200, 200, 200]),
        Row(.get, "/flags/count", [401, 200, 200, 200]),
        Row(.get, "/flags?key=count", [401, 200, 200, 200]),
        Row(.get, "/flags/none", [401, 404, 404, 404]),
        Row(.get, "/data?key=count", [401, 404, 404, 404]),
        Row(.get, "/source?file=App.swift&line=1", [401, 404, 404, 404]),
        Row(.get, "/history", [401, 200, 200, 200]),
        Row(.get, "/history/1", [401, 200, 200, 200]),
        Row(.get, "/history/99", [401, 404, 404, 404]),
        Row(.get, "/history/at", [401, 200, 200, 200]),
        Row(.get, "/history/at?before=1", [401, 200, 200, 200]),
        Row(.get, "/history/at?before=99", [401, 404, 404, 404]),
        Row(.get, "/history/at/values.xml?before=1", [401, 200, 200, 200]),
        Row(.get, "/history/at/values.json?before=1", [401, 200, 200, 200]),
        Row(.get, "/compare", [401, 200, 200, 200]),
        Row(.get, "/environments", [401, 200, 200, 200]),
        Row(.post, "/environments", [401, 422, 422, 422], body: "from=Local&to=staging&copy=all"),
        Row(.get, "/?view=providers", [401, 200, 200, 200]),
        Row(.post, "/compare", [401, 403, 303, 303], body: "left=default&right=Local&copy=chosen-right&key=count"),
        Row(.post, "/history/at", [401, 403, 303, 303], body: "before=1&restore=chosen&key=count"),
        Row(.get, "/export", [401, 200, 200, 200]),
        Row(.get, "/export/flags.xml", [401, 200, 200, 200]),
        Row(.get, "/export/effective.xml", [401, 200, 200, 200]),
        Row(.get, "/export/manifest.xml", [401, 200, 200, 200]),
        Row(.get, "/export/history.csv", [401, 200, 200, 200]),
        Row(.get, "/export/history.jsonl", [401, 200, 200, 200]),
        Row(.head, "/events", [401, 200, 200, 200]),
        Row(.get, "/searches", [401, 200, 200, 200]),
        Row(.get, "/searches?q=count", [401, 200, 200, 200]),
        Row(.post, "/searches", [401, 403, 303, 303], body: "action=save&name=Counts&query=q%3Dcount"),
        Row(.post, "/searches", [401, 403, 303, 303], body: "action=remove&name=Counts"),
        Row(.post, "/searches", [401, 403, 404, 404], body: "action=remove&name=Counts"),
        Row(.post, "/searches", [401, 403, 422, 422], body: "action=save&name=&query=q%3Dcount"),
        Row(.post, "/favourites", [401, 303, 303, 303], body: "key=count&favourite=yes"),
        Row(.post, "/favourites", [401, 404, 404, 404], body: "key=none&favourite=yes"),
        Row(.get, "/settings", [401, 200, 200, 200]),
        Row(.post, "/settings", [401, 303, 303, 303], body: "theme=dark&density=&zone="),
        Row(.post, "/settings", [401, 422, 422, 422], body: "theme=odd"),
        Row(.get, "/help", [401, 200, 200, 200]),
        Row(.get, "/help/api", [401, 200, 200, 200]),
        Row(.get, "/comfort.css", [200, 200, 200, 200]),
        Row(.get, "/export/flags.json", [401, 200, 200, 200]),
        Row(.get, "/export/effective.json", [401, 200, 200, 200]),
        Row(.get, "/export/manifest.json", [401, 200, 200, 200]),
        Row(.get, "/import", [401, 200, 200, 200]),
        Row(.post, "/import", [401, 403, 403, 303], body: "text=%7B%22count%22%3A9%7D"),
        Row(.post, "/import", [401, 403, 403, 303], body: "text=%7B%7D&mode=replace"),
        Row(.post, "/selected", [401, 303, 303, 303], body: "key=count&action=reset"),
        Row(.get, "/batch?preview=none", [401, 404, 404, 404]),
        Row(.get, "/nowhere", [401, 404, 404, 404]),
        Row(.get, "/flags.xml", [401, 404, 404, 404]),
        Row(.get, "//sign-in", [401, 200, 200, 200]),
        Row(.get, "/sign-in/", [401, 200, 200, 200]),
        Row(.get, "/sign%2Din", [401, 404, 404, 404]),
        Row(.get, "/sign-in", [200, 200, 200, 200]),
        Row(.get, "/flagboard.css", [200, 200, 200, 200]),
        Row(.get, "/icon.svg", [200, 200, 200, 200]),
        Row(.get, "/history/1/revert", [405, 405, 405, 405]),
        Row(.post, "/history/1/revert", [401, 403, 303, 303], body: "reason=why"),
        Row(.post, "/history/99/revert", [401, 404, 404, 404], body: "reason=why"),
        Row(.get, "/history/1/reason", [405, 405, 405, 405]),
        Row(.post, "/history/1/reason", [401, 403, 303, 303], body: "reason=why"),
        Row(.post, "/history/1/reason", [401, 403, 422, 422], body: "reason="),
        Row(.post, "/history/99/reason", [401, 404, 404, 404], body: "reason=why"),
        Row(.post, "/api/v1/history/1/notes", [401, 415, 415, 415], body: "reason=why"),
        Row(.post, "/api/v1/history/1/revert", [401, 415, 415, 415], body: "reason=why"),
        Row(.post, "/api/v1/undo", [401, 415, 415, 415], body: "reason=why"),
        Row(.post, "/flags/count", [401, 403, 303, 303], body: "action=set&value=8"),
        Row(.post, "/flags?key=count", [401, 403, 303, 303], body: "action=reset"),
        Row(.get, "/definitions/new", [401, 403, 403, 200]),
        Row(.get, "/definitions/count", [401, 403, 403, 200]),
        Row(.get, "/definitions?key=count", [401, 403, 403, 200]),
        Row(.get, "/definitions/none", [401, 403, 403, 404]),
        Row(.post, "/definitions/new", [401, 403, 403, 303], body: "action=save&key=fresh&type=bool"),
        Row(.post, "/definitions/new", [401, 403, 403, 422], body: "action=save&key=&type=bool"),
        Row(.post, "/definitions/count", [401, 403, 403, 303], body: "action=retire&retired=old"),
        Row(.post, "/definitions/count", [401, 403, 403, 422], body: "action=delete&confirmation=no"),
        Row(.post, "/restarted", [401, 403, 303, 303], body: "row=0"),
        Row(.post, "/api/v1/restarted", [401, 403, 200, 200], body: ""),
        Row(.get, "/api/v1/compare", [401, 200, 200, 200]),
        Row(.post, "/api/v1/import", [401, 403, 403, 200], body: #"{"count":9}"#),
        Row(.get, "/api/v1/definitions", [401, 200, 200, 200]),
        Row(.get, "/api/v1/definitions/count", [401, 200, 200, 200]),
        Row(.delete, "/api/v1/definitions/count", [401, 428, 428, 428]),
        Row(.get, "/api/v1/openapi.json", [401, 200, 200, 200]),
        Row(.get, "/api/v1/providers", [401, 200, 200, 200]),
        Row(.get, "/api/v1/snapshot", [401, 200, 200, 200]),
        Row(.get, "/api/v1/export/flags.xml", [401, 200, 200, 200]),
        Row(.get, "/healthz", [200, 200, 200, 200]),
        Row(.get, "/metrics", [401, 200, 200, 200]),
        Row(.post, "/ofrep/v1/evaluate/flags", [401, 200, 200, 200], body: "{}"),
        Row(.post, "/ofrep/v1/evaluate/flags/count", [401, 200, 200, 200], body: "{}"),
        Row(.post, "/ofrep/v1/evaluate/flags/none", [401, 404, 404, 404], body: "{}"),
        Row(.head, "/ofrep/v1/events", [401, 200, 200, 200]),
        Row(.post, "/api/v1/import?preview=true", [401, 403, 403, 200], body: #"{"count":9}"#),
        Row(
            .post, "/batch", [401, 403, 303, 303],
            body: "origin=form&idempotency=a&changes="
                + PageLink.encode(#"[{"key":"count","action":"reset"}]"#)),
        Row(.get, "/access", [401, 403, 403, 200]),
        Row(.get, "/webhooks", [401, 403, 403, 200]),
        Row(.post, "/webhooks/add", [401, 403, 403, 422], body: "url=none"),
        Row(.post, "/webhooks/test", [401, 403, 403, 404], body: "id=none"),
        Row(.post, "/webhooks/pause", [401, 403, 403, 404], body: "id=none"),
        Row(.post, "/webhooks/resume", [401, 403, 403, 404], body: "id=none"),
        Row(.post, "/webhooks/resend", [401, 403, 403, 404], body: "id=none&delivery=1"),
        Row(.get, "/webhooks/none/deliveries/1", [401, 403, 403, 404]),
        Row(.post, "/webhooks/enable", [401, 403, 403, 404], body: "id=none"),
        Row(.post, "/webhooks/replay", [401, 403, 403, 422], body: "id=none&from=99"),
        Row(.post, "/webhooks/remove", [401, 403, 403, 404], body: "id=none"),
        Row(.post, "/access/tokens", [401, 403, 403, 200], body: "name=new&role=viewer"),
        Row(.post, "/access/tokens/revoke", [401, 403, 403, 303], body: "name=spare"),
        Row(.post, "/access/sessions/revoke", [401, 403, 403, 404], body: "session=9999"),
        Row(.post, "/access/sessions/revoke", [401, 403, 403, 303], body: "session=all"),
        Row(.post, "/sign-out", [401, 303, 303, 303]),
    ]

    @Test(
        "Each role may do what is its own, by a token in the head and by a session",
        arguments: [nil] + ChangeAuthor.Role.allCases, [true, false])
    func matrix(role: ChangeAuthor.Role?, isBearer: Bool) async throws {
        let fixture = try AccessFixture()
        _ = try await fixture.token("spare", .viewer)
        let change: KeyValuePairs = ["action": "set", "value": "5"]
        #expect(try await fixture.post("/flags/count", change, bearer: fixture.launchSecret).status == 303)
        var secret: String?
        if let role { secret = try await fixture.token("somebody", role) }
        let column = role.flatMap { ChangeAuthor.Role.allCases.firstIndex(of: $0) }.map { $0 + 1 } ?? 0
        for row in Self.rows {
            var headers: HTTPFields = [.secFetchSite: "same-origin"]
            if let secret, isBearer {
                headers[.authorization] = "Bearer \(secret)"
            } else if let secret {
                headers[.cookie] = "\(AccessFixture.cookieName)=\(try await fixture.signIn(secret))"
            }
            let answer = try await fixture.dashboard.ask(row.method, row.path, headers, body: row.body)
            #expect(answer.status == row.statuses[column], "\(row)")
            #expect(answer.status != 401 || !answer.body.contains(Self.frameMark), "\(row)")
        }
    }

    /// What stands in the frame of every page that tells of the files.
    private static let frameMark = "<span class=\"file\">"

    @Test("Whatever route there is, nobody gets at it without proof, but for the sign-in itself and the health")
    func everyRoute() async throws {
        let fixture = try AccessFixture()
        let routes = fixture.dashboard.dashboard.router(logger: .init(label: "test")).routes
        #expect(routes.count >= 20)
        let open = [Route.signIn.path, Route.health.path]
        for route in routes where !open.contains(route.path.description) {
            let plain = "\(route.path)".replacing("**", with: "count").replacing(":id", with: "1")
            // To the router, an address of nothing but empty components behind a path is that path.
            let path = Route.methods(of: plain).contains(route.method) ? plain : "\(plain)/"
            let answer = try await fixture.dashboard.ask(route.method, path, [.secFetchSite: "same-origin"])
            #expect(answer.status == 401, "\(route)")
            #expect(!answer.body.contains(Self.frameMark), "\(route)")
        }
        #expect(try fixture.dashboard.rows().isEmpty)
    }

    @Test("A viewer's attempt is refused with what was typed, changes nothing, and is recorded under the token's name")
    func viewerAttempt() async throws {
        let fixture = try AccessFixture()
        let secret = try await fixture.token("vic", .viewer)
        let before = try Data(contentsOf: fixture.dashboard.file)
        let page = try await fixture.get("/flags/count", bearer: secret)
        #expect(page.body.contains("View only") && !page.body.contains("name=\"revision\""))
        let answer = try await fixture.post(
            "/flags/count", ["action": "set", "value": "9", "reason": "let me"], bearer: secret)
        #expect(answer.status == 403)
        #expect(answer.body.contains("vic has the role viewer and can&#39;t change count"))
        #expect(answer.body.contains(">\n9</pre>"))
        #expect(try Data(contentsOf: fixture.dashboard.file) == before)
        let row = try #require(try fixture.dashboard.rows().first?.event)
        #expect(row.kind == .denied && row.actor == "vic" && row.role == "viewer" && row.after == .integer(9))
    }
}
