import FlagChanges
import FlagHistory
import Foundation
import HTTPTypes
import Testing

@testable import Flagboard

@Suite("The page about access")
struct AccessPageTests {
    let fixture: AccessFixture
    private let hour = 3600.0

    init() throws { fixture = try AccessFixture() }

    @Test("It shows who is let in: tokens with role and times, sessions with their ways, and never a secret")
    func shows() async throws {
        let secret = try await fixture.token("<b>ada", .editor, days: 2)
        let idle = try await fixture.token("idle", .viewer)
        let cookie = try await fixture.signIn(fixture.launchSecret)
        let other = try await fixture.signIn(secret)
        fixture.clock.advance(seconds: 120)
        let page = try await fixture.get("/access", cookie: cookie)
        #expect(page.status == 200)
        #expect(page.headers[.cacheControl] == "no-store")
        for text in [
            "&lt;b&gt;ada</bdi> <span class=\"mark\">editor</span>", "Expires 2026-11-23",
            "Last used: <time datetime=\"2026-11-21T14:05:09Z\" title=\"2026-11-21 14:05:09 UTC\">2 minutes ago</time>",
            "Not used yet", "with the sign-in link", "with a token", "yours",
        ] {
            #expect(page.body.contains(text), "\(text)")
        }
        for secret in [secret, idle, cookie, other, fixture.launchSecret] {
            #expect(!page.body.contains(secret))
        }
    }

    @Test("A token that was made before the restart may have been used before it")
    func unused() throws {
        let now = fixture.clock.now
        let token = NamedToken(
            name: "idle", role: .viewer, created: now, expires: nil, digest: SecretDigest(of: "secret"))
        for (started, text) in [(now, "Not used yet"), (now.addingTimeInterval(1), "Not used since the restart")] {
            #expect(TokenRow(token, lastUse: nil, since: started, isOwn: false, now: now).unused == text)
        }
    }

    @Test("A token that is made there is shown once, and works")
    func makes() async throws {
        let cookie = try await fixture.signIn(fixture.launchSecret)
        let page = try await fixture.post(
            "/access/tokens", ["name": "carol", "role": "editor", "expires": "3d"], cookie: cookie)
        #expect(page.status == 200)
        #expect(page.headers[.cacheControl] == "no-store")
        let secret = try #require(page.body.firstMatch(of: /flagboard_[\w\-]{43}/)).output
        #expect(page.body.contains("http://localhost/sign-in?token=\(secret)</pre>"))
        #expect(
            page.body.contains(
                "carol can use this link on this machine only. Opening it and selecting “Sign in as carol”"))
        #expect(page.body.contains("signs them in as an editor. Like the token, keep it secret"))
        #expect(try await fixture.get("/sign-in?token=\(secret)").body.contains("Sign in as <bdi>carol</bdi>"))
        #expect(try await fixture.get("/", bearer: String(secret)).body.contains("<bdi>carol</bdi>"))
        let later = try await fixture.get("/access", cookie: cookie)
        #expect(later.body.contains("carol") && !later.body.contains(secret))
        let known = try #require(try fixture.tokensFile.tokens().first)
        #expect(known.expires == fixture.clock.now.addingTimeInterval(72 * hour))
    }

    @Test(
        "A token that can't be is refused with what was typed, and the field at fault says why",
        arguments: [
            ("taken", "viewer", "", "name", "A token named “taken” already exists"),
            ("", "viewer", "", "name", "Enter the name of the person"), ("new", "root", "", "role", "Choose a role"),
            ("new", "viewer", "soon", "expires", "“soon” isn’t a valid expiry"),
            ("new", "viewer", "2020-01-01", "expires", "isn’t a valid expiry"),
            ("a\u{202E}b", "viewer", "", "name", "contains an invisible character"),
        ])
    func refuses(name: String, role: String, expires: String, field: String, problem: String) async throws {
        _ = try await fixture.token("taken", .viewer)
        let cookie = try await fixture.signIn(fixture.launchSecret)
        let answer = try await fixture.post(
            "/access/tokens", ["name": name, "role": role, "expires": expires], cookie: cookie)
        #expect(answer.status == 422)
        let told = try #require(answer.body.firstMatch(of: /<p class="problem" id="(\w+)-problem" dir="auto">([^<]*)/))
        #expect(told.1 == field && told.2.contains(problem))
        #expect(answer.body.components(separatedBy: "aria-invalid").count == 2)
        #expect(answer.body.contains("name=\"name\" value=\"\(name)\""))
        #expect(answer.body.contains("<option value=\"\(expires)\" selected>"))
        #expect(try fixture.tokensFile.tokens().map(\.name) == ["taken"])
    }

    @Test("A token is offered for 30 days and for no longer than a year, and a day that was picked goes before that")
    func lives() async throws {
        let cookie = try await fixture.signIn(fixture.launchSecret)
        let form = try await fixture.get("/access", cookie: cookie).body
        #expect(form.contains("<option value=\"30d\" selected>In 30 days</option>"))
        #expect(
            form.contains("<option value=\"90d\">In 90 days</option>")
                && form.contains("<option value=\"365d\">In a year</option>") && !form.contains("Never</option>"))
        let made = try await fixture.post(
            "/access/tokens", ["name": "day", "role": "viewer", "expires": "30d", "until": "2030-01-31"], cookie: cookie
        )
        #expect(made.status == 200 && made.body.contains("data-copy=\"token\""))
        let token = try #require(try fixture.tokensFile.tokens().first)
        #expect(token.expires == Date(timeIntervalSince1970: 1_896_134_400))
        let refused = try await fixture.post(
            "/access/tokens", ["name": "past", "role": "viewer", "expires": "90d", "until": "2020-01-31"],
            cookie: cookie)
        #expect(refused.status == 422 && refused.body.contains("name=\"until\" value=\"2020-01-31\""))
        #expect(refused.body.contains("<option value=\"90d\" selected>"))
    }

    @Test("A revoked token's holder is out at once")
    func revokes() async throws {
        let cookie = try await fixture.signIn(fixture.launchSecret)
        let secret = try await fixture.token("ada", .editor)
        let other = try await fixture.signIn(secret)
        let answer = try await fixture.post("/access/tokens/revoke", ["name": "ada"], cookie: cookie)
        #expect(answer.headers[.location] == "/access?done=token")
        #expect(try await fixture.get("/access?done=token", cookie: cookie).body.contains("Token revoked"))
        #expect(try await fixture.get("/", cookie: other).status == 401)
        #expect(try await fixture.get("/", bearer: secret).status == 401)
        #expect(try await fixture.post("/access/tokens/revoke", ["name": "ada"], cookie: cookie).status == 404)
    }

    @Test("One session can be ended, and no other")
    func endsOne() async throws {
        let cookie = try await fixture.signIn(fixture.launchSecret)
        let other = try await fixture.signIn(fixture.launchSecret)
        let number = try #require(fixture.control.sessions(at: fixture.clock.now).first?.session.number)
        let answer = try await fixture.post("/access/sessions/revoke", ["session": "\(number)"], cookie: cookie)
        #expect(answer.headers[.location] == "/access?done=session")
        #expect(try await fixture.get("/", cookie: other).status == 401)
        #expect(try await fixture.get("/", cookie: cookie).status == 200)
        for text in ["\(number)", "0", "-1", "x", "", "1 "] {
            let status = try await fixture.post("/access/sessions/revoke", ["session": text], cookie: cookie).status
            #expect(status == 404, "\(text)")
        }
    }

    @Test("Signing everybody out ends every session and the link; who runs the server alone is told a new link")
    func endsAll() async throws {
        let secret = try await fixture.token("ada", .editor)
        let cookies = [
            try await fixture.signIn(fixture.launchSecret), try await fixture.signIn(fixture.launchSecret),
            try await fixture.signIn(secret),
        ]
        let answer = try await fixture.post("/access/sessions/revoke", ["session": "all"], cookie: cookies[0])
        #expect(answer.status == 303)
        for cookie in cookies { #expect(try await fixture.get("/", cookie: cookie).status == 401) }
        #expect(try await fixture.get("/sign-in?token=\(fixture.launchSecret)").status == 401)
        #expect(try await fixture.get("/", bearer: fixture.launchSecret).status == 401)
        #expect(try await fixture.get("/", bearer: secret).status == 200)
        let new = try #require(fixture.replacements.all.first)
        #expect(fixture.replacements.all.count == 1)
        #expect(try await fixture.get("/sign-in?token=\(new)").status == 303)
        #expect(!fixture.logged.all.joined().contains(new))
    }

    @Test("A session that began by a link is over as soon as the link is replaced, whoever signed in at that moment")
    func replacedLink() async throws {
        let cookie = try await fixture.signIn(fixture.launchSecret)
        fixture.control.launch?.replace()
        #expect(try await fixture.get("/", cookie: cookie).status == 401)
        #expect(fixture.control.sessions(at: fixture.clock.now).isEmpty)
    }

    @Test("Where nobody signs in, the page says so, and decides nothing")
    func openAccess() async throws {
        let owner = Dashboard.Person(name: "ada", role: .admin)
        let open = try DashboardFixture("", access: { _ in .open(as: owner) })
        let page = try await open.get("/access")
        #expect(page.status == 200)
        #expect(page.body.contains("No sign-in") && !page.body.contains("<form"))
        #expect(try await open.post("/access/tokens", ["name": "a", "role": "admin"]).status == 409)
        #expect(try await open.post("/access/sessions/revoke", ["session": "all"]).status == 409)
    }

    @Test("Other sites can't have a browser decide who is let in")
    func crossSite() async throws {
        let cookie = try await fixture.signIn(fixture.launchSecret)
        for path in ["/access/tokens", "/access/tokens/revoke", "/access/sessions/revoke"] {
            let answer = try await fixture.post(
                path, ["name": "a", "role": "admin", "session": "all"], cookie: cookie,
                headers: [.secFetchSite: "same-site"])
            #expect(answer.status == 403)
        }
        #expect(try await fixture.get("/", cookie: cookie).status == 200)
        #expect(try fixture.tokensFile.tokens().isEmpty)
    }
}
