import FeatureFlags
import FlagChanges
import Foundation
import HTTPTypes
import Testing

@testable import Flagboard

@Suite("Access to the dashboard in an app")
struct EmbeddedAccessTests {
    private static let path = EmbeddedFixture.path

    @Test("Whom the app lets in gets the role that the app says, and no more")
    func roles() async throws {
        let app = try await EmbeddedFixture()
        let flag = "\(Self.path)/flags/quick_checkout"
        let form = "action=set&value=true&provider=Local"
        #expect(try await app.ask(.post, flag, as: "viewer", body: form).status == 403)
        #expect(try await app.ask(.post, flag, as: "editor", body: "action=lock").status == 403)
        #expect(try await app.ask("\(Self.path)/access", as: "editor").status == 403)
        let revision = try #require(try await app.ask(flag, as: "editor").field("revision"))
        #expect(try await app.ask(.post, flag, as: "editor", body: "\(form)&revision=\(revision)").status == 303)
    }

    @Test("Whom it does not let in sees nothing and changes nothing, as a person and as a program")
    func strangers() async throws {
        let app = try await EmbeddedFixture()
        for route in Route.all where route.visitors != .everybody {
            for method in route.methods where method != .head {
                let path = Self.path + route.path.replacing(":id", with: "1").replacing("**", with: "quick_checkout")
                let answer = try await app.ask(method, path, as: "nobody", body: method == .get ? nil : "a=b")
                #expect(answer.status == 403, "\(method) \(path)")
                #expect(!answer.body.contains("uick"), "\(method) \(path)")
            }
        }
        let program = try await app.ask("\(Self.path)/api/v1/flags", as: "nobody")
        #expect(program.headers[.contentType]?.hasPrefix("application/problem+json") == true)
    }

    @Test("What the app throws is the app's answer")
    func thrown() async throws {
        let app = try await EmbeddedFixture()
        for path in ["/", "/flags/quick_checkout", "/api/v1/flags", "/events"] {
            let answer = try await app.ask(Self.path + path, as: nil)
            #expect(answer.status == 401 && answer.body.contains("Who are you?"), "\(path)")
        }
        #expect(try await app.ask("\(Self.path)/healthz", as: nil).status == 200)
    }

    @Test("A page of another origin or of another host changes nothing")
    func crossSite() async throws {
        let app = try await EmbeddedFixture()
        let flag = "\(Self.path)/flags/quick_checkout"
        for site in ["cross-site", "same-site", "none"] {
            let answer = try await app.ask(.post, flag, [.secFetchSite: site], body: "action=on")
            #expect(answer.status == 403, "\(site)")
        }
        let elsewhere = try await app.ask("\(Self.path)/", [.named("Host"): "evil.example"])
        #expect(elsewhere.status == 400 || elsewhere.status == 421)
        #expect(try await app.ask(.patch, flag, body: "a=b").status == 405)
    }

    @Test("People can sign in by tokens instead, with a cookie for the path alone")
    func tokens() async throws {
        let app = try await EmbeddedFixture()
        let file = TokensFile(app.embedded.files.tokens)
        let secret = try await file.add(name: "bob", role: .editor, expires: nil, at: Date()).secret
        let access = AccessPolicy.signIn(AccessControl(tokensFile: file))
        let asked = try await app.ask("\(Self.path)/flags/quick_checkout", as: nil, access: access)
        #expect(asked.status == 401)
        #expect(asked.body.contains("<form class=\"card\" method=\"post\" action=\"\(Self.path)/sign-in\">"))
        #expect(asked.field("next") == "/flags/quick_checkout")
        let answer = try await app.ask(
            .post, "\(Self.path)/sign-in", as: nil, body: "token=\(secret)&next=/flags/quick_checkout", access: access)
        #expect(answer.status == 303 && answer.headers[.location] == "\(Self.path)/flags/quick_checkout")
        let cookie = try #require(answer.headers[.setCookie])
        #expect(cookie.hasPrefix("flagboard_80=") && cookie.contains("; Path=\(Self.path)/; HttpOnly; SameSite=Strict"))
        let sent = String(cookie.prefix { $0 != ";" })
        let page = try await app.ask("\(Self.path)/flags/quick_checkout", as: nil, [.cookie: sent], access: access)
        #expect(page.status == 200 && page.body.contains("<bdi>bob</bdi>"))
        let away = try await app.ask(.post, "\(Self.path)/sign-out", as: nil, [.cookie: sent], body: "", access: access)
        #expect(away.status == 303 && away.headers[.location] == "\(Self.path)/sign-in")
        #expect(away.headers[.setCookie]?.contains("Path=\(Self.path)/") == true)
    }

    @Test("Over TLS the cookie is one that a browser takes below a path")
    func secureCookie() throws {
        let mount = try MountPath("/flags")
        let cookie = SessionCookie(authority: "localhost", scheme: .https, below: mount)
        #expect(cookie.setting("x") == "__Secure-flagboard_443=x; Path=/flags/; HttpOnly; SameSite=Strict; Secure")
        let own = SessionCookie(authority: "localhost", scheme: .https)
        #expect(own.setting("x") == "__Host-flagboard_443=x; Path=/; HttpOnly; SameSite=Strict; Secure")
    }

    @Test("What a viewer chooses is kept for the path alone, and leads back to its page")
    func settings() async throws {
        let app = try await EmbeddedFixture()
        let answer = try await app.ask(
            .post, "\(Self.path)/settings", [.referer: "http://localhost\(Self.path)/history?q=a"], body: "theme=dark")
        #expect(answer.status == 303)
        #expect(answer.headers[.location]?.hasPrefix("\(Self.path)/history?q=a&noted=") == true)
        let cookie = try #require(answer.headers[.setCookie])
        #expect(cookie.hasPrefix("flagboard-settings=theme=dark; Path=\(Self.path)/; "))
        let sent = String(cookie.prefix { $0 != ";" })
        let page = try await app.ask("\(Self.path)/settings", [.cookie: sent])
        #expect(page.body.contains(#"<html lang="en" data-theme="dark">"#))
        #expect(page.body.contains(#"action="\#(Self.path)/settings""#))
    }

    @Test("The button that the app has restarted leads back to its page")
    func restarted() async throws {
        let app = try await EmbeddedFixture()
        for (page, target) in [("\(Self.path)/history?q=a", "\(Self.path)/history?q=a&"), ("/staff", "\(Self.path)/?")]
        {
            let answer = try await app.ask(
                .post, "\(Self.path)/restarted", [.referer: "http://localhost\(page)"], body: "row=0")
            #expect(answer.status == 303)
            #expect(answer.headers[.location]?.hasPrefix(target + "noted=") == true, "\(page)")
        }
    }
}
