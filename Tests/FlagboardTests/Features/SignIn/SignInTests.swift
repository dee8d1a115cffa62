import FlagChanges
import FlagHistory
import Foundation
import HTTPTypes
import Testing

@testable import Flagboard

@Suite("Signing in")
struct SignInTests {
    let fixture: AccessFixture

    init() throws { fixture = try AccessFixture() }

    @Test("The sign-in link sets a cookie that scripts and other sites don't get, and leaves the address")
    func link() async throws {
        let answer = try await fixture.get("/sign-in?token=\(fixture.launchSecret)")
        #expect(answer.status == 303)
        #expect(answer.headers[.location] == "/")
        let cookie = try #require(answer.headers[.setCookie])
        #expect(cookie.wholeMatch(of: /flagboard_80=[\w\-]{43}; Path=\/; HttpOnly; SameSite=Strict/) != nil)
        #expect(!cookie.contains(fixture.launchSecret))
        let page = try await fixture.get("/", cookie: AccessFixture.identifier(answer))
        #expect(page.status == 200)
        #expect(page.body.contains("<bdi>owner</bdi>"))
    }

    @Test("Under TLS the cookie is for this host alone and never sent in clear text")
    func secureCookie() async throws {
        let fixture = try AccessFixture(scheme: .https)
        let answer = try await fixture.get("/sign-in?token=\(fixture.launchSecret)")
        let cookie = try #require(answer.headers[.setCookie])
        #expect(
            cookie.wholeMatch(of: /__Host-flagboard_443=[\w\-]{43}; Path=\/; HttpOnly; SameSite=Strict; Secure/) != nil)
    }

    private static let outside = "https://flags.example.com"

    @Test("Behind a proxy that doesn't pass on the host, the session of the public address is for TLS alone")
    func hiddenHost() async throws {
        let fixture = try AccessFixture(publicURL: try PublicURL(Self.outside))
        let link = try await fixture.get("/sign-in?token=\(fixture.launchSecret)")
        #expect(link.status == 200 && link.headers[.setCookie] == nil)
        #expect(link.field("token") == fixture.launchSecret)
        let own: HTTPFields = [.origin: Self.outside, .secFetchSite: "same-origin"]
        let answer = try await fixture.post("/sign-in", ["token": fixture.launchSecret], headers: own)
        let cookie = try #require(answer.headers[.setCookie])
        #expect(
            cookie.wholeMatch(of: /__Host-flagboard_443=[\w\-]{43}; Path=\/; HttpOnly; SameSite=Strict; Secure/) != nil)
        let sent: HTTPFields = [.cookie: String(cookie.prefix { $0 != ";" })]
        #expect(try await fixture.dashboard.ask(.get, "/", sent).body.contains("<bdi>owner</bdi>"))
        // In clear text it is no session.
        var clear = sent
        (clear[.origin], clear[.secFetchSite]) = ("http://localhost", "same-origin")
        #expect(try await fixture.dashboard.ask(.post, "/settings", clear, body: "theme=dark").status == 401)
        var encrypted = sent
        encrypted.append(contentsOf: own)
        let saved = try await fixture.dashboard.ask(.post, "/settings", encrypted, body: "theme=dark")
        #expect(saved.status == 303 && saved.headers[.setCookie]?.contains("; Secure") == true)
        let out = try await fixture.dashboard.ask(.post, "/sign-out", encrypted, body: "")
        #expect(out.headers[.setCookie]?.hasPrefix("__Host-flagboard_443=;") == true)
        #expect(try await fixture.dashboard.ask(.get, "/", sent).status == 401)
    }

    @Test("Beside the proxy, a session of this machine's own address is what it was")
    func besideProxy() async throws {
        let fixture = try AccessFixture(publicURL: try PublicURL(Self.outside))
        let own: HTTPFields = [.origin: "http://localhost"]
        let answer = try await fixture.post("/sign-in", ["token": fixture.launchSecret], headers: own)
        let cookie = try #require(answer.headers[.setCookie])
        #expect(cookie.hasPrefix("flagboard_80=") && !cookie.contains("Secure"))
        #expect(try await fixture.get("/", cookie: AccessFixture.identifier(answer)).status == 200)
    }

    @Test("The refusal of a form of the public address that came without its host names the header")
    func refusedWithoutHost() async throws {
        let fixture = try AccessFixture(publicURL: try PublicURL(Self.outside))
        for (origin, isNamed) in [(Self.outside, true), ("https://evil.example", false), ("null", false)] {
            let answer = try await fixture.post(
                "/sign-in", ["token": fixture.launchSecret], headers: [.origin: origin])
            #expect(answer.status == 403 && answer.headers[.setCookie] == nil)
            #expect(answer.body.contains("proxy_set_header Host $http_host;") == isNamed)
        }
    }

    @Test(
        "Where another site led to the link, a page with the cookie goes on by itself",
        arguments: ["cross-site", "same-site"])
    func linkFromElsewhere(site: String) async throws {
        let path = "/sign-in?token=\(fixture.launchSecret)&next=/history"
        let answer = try await fixture.dashboard.ask(.get, path, [.secFetchSite: site])
        #expect(answer.status == 200)
        #expect(AccessFixture.identifier(answer) != nil)
        #expect(answer.body.contains("<meta http-equiv=\"refresh\" content=\"0; url=/history\">"))
        #expect(!answer.body.contains(fixture.launchSecret))
    }

    @Test("To ask for the head of the link signs nobody in")
    func headOfLink() async throws {
        let answer = try await fixture.dashboard.ask(.head, "/sign-in?token=\(fixture.launchSecret)")
        #expect(answer.status == 200)
        #expect(answer.headers[.setCookie] == nil)
        #expect(fixture.control.sessions(at: fixture.clock.now).isEmpty)
    }

    @Test("A link with a named token asks first, so that what previews it signs nobody in; one press does")
    func invitation() async throws {
        let secret = try await fixture.token("<b>ada", .editor)
        let page = try await fixture.get("/sign-in?token=\(secret)&next=/history")
        #expect(page.status == 200 && page.headers[.cacheControl] == "no-store")
        #expect(page.headers[.setCookie] == nil && fixture.control.sessions(at: fixture.clock.now).isEmpty)
        #expect(page.body.contains("Sign in as <bdi>&lt;b&gt;ada</bdi> (editor)"))
        #expect(page.field("token") == secret && page.field("next") == "/history")
        let answer = try await fixture.post("/sign-in", ["token": secret, "next": "/history"])
        #expect(answer.status == 303 && AccessFixture.identifier(answer) != nil)
        #expect(fixture.logged.all.isEmpty)
    }

    @Test("A wrong link, and one of a token that was revoked or has expired, is refused without telling the token")
    func wrongLink() async throws {
        let revoked = try await fixture.token("ada", .admin)
        try await fixture.control.revokeToken("ada")
        let expired = try await fixture.token("bob", .admin, days: 1)
        fixture.clock.advance(seconds: 2 * 86_400)
        for secret in ["nonsense-7F", revoked, expired] {
            let answer = try await fixture.get("/sign-in?token=\(secret)")
            #expect(answer.status == 401)
            #expect(answer.headers[.setCookie] == nil)
            #expect(answer.body.contains("Invalid or expired link.") && !answer.body.contains(secret))
            #expect(!fixture.logged.all.joined().contains(secret))
        }
        #expect(fixture.logged.all.count == 3)
    }

    @Test("The form takes a named token, the launch token, and the whole link, and goes where the person wanted to")
    func form() async throws {
        let link = "http://localhost/sign-in?token=\(fixture.launchSecret)"
        for text in [try await fixture.token("ada", .editor), fixture.launchSecret, " \(link)\n"] {
            let answer = try await fixture.post("/sign-in", ["token": text, "next": "/flags/count?provider=Local"])
            #expect(answer.status == 303)
            #expect(answer.headers[.location] == "/flags/count?provider=Local")
            #expect(try await fixture.get("/", cookie: AccessFixture.identifier(answer)).status == 200)
        }
    }

    @Test("A wrong token gets the form again, where the person wanted to go kept, and the token not")
    func wrongToken() async throws {
        let answer = try await fixture.post("/sign-in", ["token": "nonsense-7F", "next": "/history?q=a"])
        #expect(answer.status == 401)
        #expect(answer.field("next") == "/history?q=a")
        #expect(answer.body.contains("role=\"alert\"") && !answer.body.contains("nonsense-7F"))
        #expect(fixture.logged.all == ["failed sign-in from an unknown address: invalid token"])
    }

    @Test(
        "Nobody is sent to another site",
        arguments: ["//evil.example", "/\\evil.example", "https://evil.example", "/\t/evil.example", "javascript:1"])
    func openRedirect(next: String) async throws {
        let form = try await fixture.post("/sign-in", ["token": fixture.launchSecret, "next": next])
        #expect(form.headers[.location] == "/")
        let path = "/sign-in?token=\(fixture.launchSecret)&next=\(PageLink.encode(next))"
        #expect(try await fixture.get(path).headers[.location] == "/")
        let page = try await fixture.get("/sign-in?next=\(PageLink.encode(next))")
        #expect(page.field("next") == "/")
    }

    @Test("A page without a session is answered with the form, which leads back to it, and tells nothing of the files")
    func keepsAddress() async throws {
        let answer = try await fixture.get("/flags/count?provider=Local")
        #expect(answer.status == 401)
        #expect(answer.headers[.wwwAuthenticate] == "Bearer")
        #expect(answer.headers[.cacheControl] == "no-store")
        #expect(answer.field("next") == "/flags/count?provider=Local")
        #expect(!answer.body.contains("flags.xml") && !answer.body.contains("Local\u{3C}"))
        #expect(!answer.body.contains("Continue"))
    }

    @Test("Whom another site led here, whose browser keeps the cookie back, is offered to go on")
    func fromElsewhere() async throws {
        let answer = try await fixture.dashboard.ask(.get, "/history", [.secFetchSite: "cross-site"])
        #expect(answer.status == 401)
        #expect(answer.body.contains("<a href=\"/history\">Continue</a>"))
    }

    @Test("A form that is sent after the session is over is not lost")
    func keepsTyped() async throws {
        let cookie = try await fixture.signIn(fixture.launchSecret)
        fixture.clock.advance(hours: 9)
        let answer = try await fixture.post(
            "/flags/count", ["action": "set", "value": "<8>", "reason": "why"], cookie: cookie)
        #expect(answer.status == 401)
        #expect(answer.body.contains("Your session has ended."))
        #expect(answer.body.contains(">\n&lt;8&gt;</pre>") && answer.body.contains(">\nwhy</pre>"))
        #expect(answer.field("next") == "/flags/count")
        #expect(try fixture.dashboard.rows().isEmpty)
    }

    @Test("A form that was sent after the session was over can be sent again after signing in, and not before")
    func sendsAgain() async throws {
        let refused = try await fixture.post("/flags/count", ["action": "set", "value": "8", "reason": "a&b=\"c\""])
        let unsent = try #require(refused.field("unsent")).replacing("&amp;", with: "&")
        let fields: KeyValuePairs = [
            "token": "wrong", "next": "/flags/count", "unsentTo": try #require(refused.field("unsentTo")),
            "unsent": unsent,
        ]
        let wrong = try await fixture.post("/sign-in", fields)
        #expect(wrong.status == 401 && wrong.field("unsent") == refused.field("unsent"))
        let again = try await fixture.post(
            "/sign-in",
            ["token": fixture.launchSecret, "next": "/", "unsentTo": "/flags/count", "unsent": unsent])
        #expect(again.status == 200 && again.body.contains("action=\"/flags/count\""))
        #expect(again.field("value") == "8" && again.field("reason") == "a&amp;b=&quot;c&quot;")
        #expect(try fixture.dashboard.rows().isEmpty)
        let sent = try await fixture.post(
            "/flags/count", ["action": "set", "value": "8", "reason": "a&b=\"c\""],
            cookie: AccessFixture.identifier(again))
        #expect(sent.status == 303)
        #expect(try fixture.dashboard.rows().map(\.event.reason) == ["a&b=\"c\""])
    }

    @Test(
        "What is no form of the dashboard is not carried along",
        arguments: [
            ("https://evil.example/flags/count", "value=8"), ("//evil.example/flags/count", "value=8"),
            ("/flags/count", "value=%"), ("/flags/count", ""), ("/sign-out", "value=8"), ("/access/tokens", "name=a"),
        ])
    func nothingElse(address: String, body: String) async throws {
        let answer = try await fixture.post(
            "/sign-in", ["token": fixture.launchSecret, "next": "/", "unsentTo": address, "unsent": body])
        #expect(answer.status == 303 && answer.headers[.location] == "/")
    }

    @Test("A form that is too large to be kept is refused like any other")
    func tooLarge() async throws {
        for count in [ResumableForm.maximumBytes, 2 * FormFields.maximumBytes] {
            let value = String(repeating: "x", count: count)
            let answer = try await fixture.post("/flags/count", ["action": "set", "value": value])
            #expect(answer.status == 401 && answer.field("unsent") == nil)
            #expect(answer.body.contains("xxx</pre>") == (count < FormFields.maximumBytes))
        }
    }

    @Test("A text to import is not lost either, be it pasted beside a file or not")
    func importIsKept() async throws {
        let plain = try await fixture.post("/import", ["text": "{\"count\": 9}", "mode": "merge"])
        let part = "Content-Disposition: form-data; name="
        let lines = [
            "--x", "\(part)\"text\"", "", "{\"count\": 9}", "--x", "\(part)\"file\"; filename=\"\"", "", "",
            "--x--", "",
        ]
        let headers: HTTPFields = [.secFetchSite: "same-origin", .contentType: "multipart/form-data; boundary=x"]
        let sent = try await fixture.dashboard.ask(
            .post, "/import", headers, body: lines.joined(separator: "\r\n"))
        for answer in [plain, sent] {
            #expect(answer.status == 401)
            #expect(answer.body.contains("Unsaved changes") && answer.body.contains("{&quot;count&quot;: 9}"))
        }
    }

    @Test("A program gets JSON, and is told how to prove who it is")
    func programs() async throws {
        let answer = try await fixture.get("/api/v1/flags")
        #expect(answer.status == 401)
        #expect(answer.headers[.contentType] == "application/problem+json")
        #expect(answer.headers[.wwwAuthenticate] == "Bearer")
        let fields = try #require(try JSONSerialization.jsonObject(with: Data(answer.body.utf8)) as? [String: Any])
        #expect(fields["status"] as? Int == 401)
        #expect((fields["remedy"] as? String)?.contains("Bearer") == true)
    }

    @Test("Signing in makes a new session, and ends the one that the browser had")
    func renews() async throws {
        let first = try await fixture.signIn(fixture.launchSecret)
        let second = try await fixture.signIn(fixture.launchSecret, cookie: first)
        #expect(first != second)
        #expect(try await fixture.get("/", cookie: first).status == 401)
        #expect(try await fixture.get("/", cookie: second).status == 200)
    }

    @Test("An identifier that somebody else chose is not taken over")
    func fixation() async throws {
        let chosen = String(repeating: "A", count: 43)
        let cookie = try await fixture.signIn(fixture.launchSecret, cookie: chosen)
        #expect(cookie != chosen)
        #expect(try await fixture.get("/", cookie: chosen).status == 401)
    }

    @Test("With two sessions in one request nobody is let in, since one of them may be somebody else's")
    func twoCookies() async throws {
        let mine = try await fixture.signIn(fixture.launchSecret)
        let other = try await fixture.signIn(try await fixture.token("mallory", .viewer))
        let name = AccessFixture.cookieName
        for (cookies, status) in [
            ("\(name)=\(other); \(name)=\(mine)", 401), ("\(name)=x; a=b;\(name)=\(mine)", 200),
            ("\(name)=\(mine); \(name)=\(mine)", 200), ("x\(name)=\(mine)", 401), ("\(name)2=\(mine)", 401),
        ] {
            let answer = try await fixture.dashboard.ask(.get, "/", [.cookie: cookies])
            #expect(answer.status == status, "\(cookies)")
        }
    }

    @Test("Signing out ends the session and removes the cookie")
    func signOut() async throws {
        let cookie = try await fixture.signIn(fixture.launchSecret)
        let answer = try await fixture.post("/sign-out", [:], cookie: cookie)
        #expect(answer.status == 303)
        #expect(answer.headers[.location] == "/sign-in")
        #expect(answer.headers[.setCookie]?.hasPrefix("flagboard_80=; ") == true)
        #expect(answer.headers[.setCookie]?.hasSuffix("; Max-Age=0") == true)
        #expect(try await fixture.get("/", cookie: cookie).status == 401)
    }

    @Test("A form of another site signs nobody in or out", arguments: ["/sign-in", "/sign-out"])
    func crossSite(path: String) async throws {
        let cookie = try await fixture.signIn(fixture.launchSecret)
        for headers: HTTPFields in [[:], [.secFetchSite: "cross-site"], [.origin: "http://evil.example"]] {
            let answer = try await fixture.post(
                path, ["token": fixture.launchSecret], cookie: cookie, headers: headers)
            #expect(answer.status == 403)
            #expect(answer.headers[.setCookie] == nil)
        }
        #expect(try await fixture.get("/", cookie: cookie).status == 200)
    }

    @Test("Where nobody signs in, the page to do so leads on")
    func openAccess() async throws {
        let open = try DashboardFixture("")
        #expect(try await open.get("/sign-in").headers[.location] == "/")
        #expect(try await open.post("/sign-out", [:]).headers[.location] == "/")
        #expect(try await open.get("/").body.contains("Sign out") == false)
    }
}
