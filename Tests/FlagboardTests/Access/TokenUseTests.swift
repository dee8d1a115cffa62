import FlagChanges
import FlagHistory
import Foundation
import HTTPTypes
import Testing

@testable import Flagboard

@Suite("Using a token")
struct TokenUseTests {
    let fixture: AccessFixture

    init() throws { fixture = try AccessFixture() }

    private static let change: KeyValuePairs = ["action": "set", "value": "7"]

    @Test("A token in the head needs neither a session nor a page, and its name stands in the history")
    func bearer() async throws {
        let secret = try await fixture.token("deploy bot", .editor)
        let answer = try await fixture.post("/flags/count", Self.change, bearer: secret, headers: [:])
        #expect(answer.status == 303)
        let row = try #require(try fixture.dashboard.rows().first?.event)
        #expect(row.actor == "deploy bot" && row.role == "editor" && row.origin == .form)
        #expect(fixture.control.sessions(at: fixture.clock.now).isEmpty)
        let page = try await fixture.get("/", bearer: secret)
        #expect(page.status == 200 && !page.body.contains("Sign out"))
    }

    @Test("A token in the head wins over a session, even where it is wrong")
    func bearerWins() async throws {
        let cookie = try await fixture.signIn(fixture.launchSecret)
        let viewer = try await fixture.token("vic", .viewer)
        let shown = try await fixture.get("/", cookie: cookie, bearer: viewer)
        #expect(shown.body.contains("<bdi>vic</bdi>"))
        let refused = try await fixture.post("/flags/count", Self.change, cookie: cookie, bearer: "x", headers: [:])
        #expect(refused.status == 401)
        #expect(try fixture.dashboard.rows().isEmpty)
    }

    @Test(
        "No other head lets a request of another site pass",
        arguments: ["Basic b3duZXI6eA==", "bearerx", "Token abc", ""])
    func otherSchemes(header: String) async throws {
        let cookie = try await fixture.signIn(fixture.launchSecret)
        let answer = try await fixture.post(
            "/flags/count", Self.change, cookie: cookie, headers: [.authorization: header, .secFetchSite: "cross-site"])
        #expect(answer.status == 403)
        #expect(try fixture.dashboard.rows().isEmpty)
    }

    private static let app = "https://app.example.com"

    private static func origin(_ origin: String, bearer: String) -> HTTPFields {
        [.authorization: "Bearer \(bearer)", .origin: origin, .contentType: "application/json", .ifMatch: "*"]
    }

    @Test(
        "A page of another origin changes nothing with a token, at no address, even one that may read",
        arguments: [app, "https://evil.example", "null", "http://localhost:1"])
    func otherOrigins(origin: String) async throws {
        let fixture = try AccessFixture(otherOrigins: [Self.app])
        let headers = Self.origin(origin, bearer: try await fixture.token("ada", .admin))
        var tried = 0
        for route in Route.all where route.visitors != .everybody {
            let path = route.path.replacing(":id", with: "1").replacing("**", with: "count")
            for method in route.methods where ![.get, .head].contains(method) {
                let answer = try await fixture.dashboard.ask(method, path, headers, body: "{}")
                let isRead = route.methodsOfReads.contains(method)
                #expect((answer.status == 403) != isRead, "\(method) \(path)")
                #expect(answer.body.contains("Origin header names another site") != isRead, "\(method) \(path)")
                tried += 1
            }
        }
        #expect(tried > 20)
        #expect(try fixture.dashboard.rows().isEmpty)
    }

    @Test(
        "A token changes something from a page of this origin, of the public one, and without any",
        arguments: [
            ("http://localhost", 200), ("https://flags.example.com", 200), ("https://localhost", 403), (nil, 200),
        ]
            as [(String?, Int)])
    func ownOrigins(origin: String?, status: Int) async throws {
        let fixture = try AccessFixture(publicURL: try PublicURL("https://flags.example.com"))
        var headers = Self.origin("", bearer: try await fixture.token("ada", .editor))
        headers[.origin] = origin
        let answer = try await fixture.dashboard.ask(.put, "/api/v1/flags/count", headers, body: #"{"value": 7}"#)
        #expect(answer.status == status)
        #expect(try fixture.dashboard.rows().count == (status == 200 ? 1 : 0))
    }

    @Test("The scheme's name may be written in any case; two heads let nobody in")
    func headForms() async throws {
        let secret = try await fixture.token("ada", .viewer)
        #expect(try await fixture.dashboard.ask(.get, "/", [.authorization: "bEARER \(secret)"]).status == 200)
        for header in ["Bearer", "Bearer ", "Bearer  \(secret)", "Bearer \(secret.lowercased())"] {
            #expect(try await fixture.dashboard.ask(.get, "/", [.authorization: header]).status == 401, "\(header)")
        }
        var twice = HTTPFields()
        twice.append(HTTPField(name: .authorization, value: "Bearer \(secret)"))
        twice.append(HTTPField(name: .authorization, value: "Bearer \(secret)"))
        #expect(try await fixture.dashboard.ask(.get, "/", twice).status == 401)
    }

    @Test("Where nobody signs in, a head lifts no other rule")
    func openAccess() async throws {
        let open = try DashboardFixture("<key>count</key><integer>3</integer>")
        let answer = try await open.ask(
            .post, "/flags/count", [.authorization: "Bearer x"], body: DashboardFixture.encoded(Self.change))
        #expect(answer.status == 403)
    }

    @Test("A token that expires, and one that is revoked, end with the sessions that came from them")
    func ends() async throws {
        let short = try await fixture.token("short", .viewer, days: 1.0 / 24)
        let long = try await fixture.token("long", .viewer)
        let sessions = [try await fixture.signIn(short), try await fixture.signIn(long)]
        fixture.clock.advance(hours: 0.99)
        #expect(try await fixture.get("/", cookie: sessions[0]).status == 200)
        #expect(try await fixture.get("/", bearer: short).status == 200)
        fixture.clock.advance(hours: 0.01)
        #expect(try await fixture.get("/", cookie: sessions[0]).status == 401)
        #expect(try await fixture.get("/", bearer: short).status == 401)
        #expect(try await fixture.post("/sign-in", ["token": short]).status == 401)
        #expect(try await fixture.get("/", cookie: sessions[1]).status == 200)

        // As the command line does it, while the server runs.
        try await TokensFile(fixture.tokensFile.url).revoke(name: "long")
        #expect(try await fixture.get("/", cookie: sessions[1]).status == 401)
        #expect(try await fixture.get("/", bearer: long).status == 401)
        _ = try await fixture.token("long", .viewer)
        #expect(try await fixture.get("/", cookie: sessions[1]).status == 401)
    }

    @Test("Wrong tokens are limited and no longer logged, and the right one is taken all the same")
    func limited() async throws {
        let secret = try await fixture.token("ada", .viewer)
        for _ in 1...10 { #expect(try await fixture.get("/", bearer: "wrong").status == 401) }
        let answer = try await fixture.get("/", bearer: "wrong")
        #expect(answer.status == 429)
        #expect(answer.headers[.retryAfter] == "60")
        #expect(try await fixture.post("/sign-in", ["token": "wrong"]).status == 429)
        #expect(try await fixture.get("/sign-in?token=wrong").status == 429)
        #expect(fixture.logged.all.count == 10)
        #expect(try await fixture.get("/", bearer: secret).status == 200)
        #expect(try await fixture.post("/sign-in", ["token": secret]).status == 303)
        #expect(try await fixture.get("/sign-in?token=\(fixture.launchSecret)").status == 303)
        fixture.clock.advance(seconds: 60)
        #expect(try await fixture.get("/", bearer: "wrong").status == 401)
    }

    @Test("While the tokens can't be read, nobody comes in by one, the link still works, and the log says why once")
    func unreadable() async throws {
        let secret = try await fixture.token("ada", .admin)
        let cookie = try await fixture.signIn(secret)
        let path = fixture.tokensFile.url.path
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: path)
        #expect(try await fixture.get("/", bearer: secret).status == 503)
        #expect(try await fixture.get("/", cookie: cookie).status == 503)
        #expect(try await fixture.post("/sign-in", ["token": secret]).status == 503)
        let owner = AccessFixture.identifier(try await fixture.get("/sign-in?token=\(fixture.launchSecret)"))
        #expect(try await fixture.get("/access", cookie: owner).body.contains("chmod 600"))
        #expect(fixture.logged.all.count == 1)
        #expect(fixture.logged.all.first?.contains("chmod 600") == true)
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
        #expect(try await fixture.get("/", cookie: cookie).status == 200)
    }
}
