import Foundation
import HTTPTypes
import Testing

@testable import Flagboard

@Suite("What a viewer chooses")
struct SettingsTests {
    private static let sameOrigin: HTTPFields = [.secFetchSite: "same-origin"]

    /// What a fixture's settings page says to a browser with these cookies.
    private func page(_ fixture: DashboardFixture, cookies: String) async throws -> DashboardFixture.Answer {
        try await fixture.ask(.get, "/settings", [.cookie: cookies])
    }

    /// The cookie that an answer has a browser keep, as the browser sends it.
    private func kept(_ answer: DashboardFixture.Answer) throws -> String {
        let header = try #require(answer.headers[.setCookie])
        return String(header.prefix { $0 != ";" })
    }

    @Test("A choice is kept in a cookie, and every page has it, a refusal as well")
    func choice() async throws {
        let fixture = try DashboardFixture("")
        let saved = try await fixture.ask(
            .post, "/settings", [.secFetchSite: "same-origin", .referer: "http://localhost/history?key=a"],
            body: "theme=dark&density=compact&zone=Europe%2FBerlin")
        #expect(saved.status == 303)
        let header = try #require(saved.headers[.setCookie])
        #expect(
            header == "flagboard-settings=theme=dark&density=compact&zone=Europe%2FBerlin; Path=/; HttpOnly; "
                + "SameSite=Strict; Max-Age=31536000")
        let cookie: HTTPFields = [.cookie: try kept(saved)]
        for path in ["/settings", "/", "/history", "/nowhere", "/flags/none"] {
            let page = try await fixture.ask(.get, path, cookie).body
            #expect(page.contains(#"<html lang="en" data-theme="dark" data-zone="Europe/Berlin">"#), "\(path)")
            #expect(page.contains(#"<meta name="color-scheme" content="dark">"#), "\(path)")
        }
        let page = try await fixture.ask(.get, "/settings", cookie).body
        #expect(page.contains(#"name="theme" value="dark" checked"#))
        #expect(page.contains(#"name="density" value="compact" checked"#))
        #expect(page.contains(#"name="zone" value="Europe/Berlin""#))
        #expect(try fixture.rows().isEmpty)
    }

    @Test("The page to sign in with has the colours that were chosen, and so has a bare refusal")
    func beforeSigningIn() async throws {
        let fixture = try AccessFixture()
        for path in ["/sign-in", "/", "/selected", "/sign-in?token=wrong"] {
            let page = try await fixture.dashboard.ask(.get, path, [.cookie: "flagboard-settings=theme=dark"]).body
            #expect(page.contains(#"<html lang="en" data-theme="dark">"#), "\(path)")
        }
    }

    @Test("Who has chosen nothing gets the colours of the system")
    func noChoice() async throws {
        let page = try await DashboardFixture("").get("/settings").body
        #expect(page.contains(#"<html lang="en">"#))
        #expect(page.contains(#"<meta name="color-scheme" content="light dark">"#))
        #expect(page.contains(#"name="theme" value="system" checked"#))
        #expect(page.contains(#"name="density" value="" checked"#))
    }

    @Test("Saving leads back to the page that the form was on, which says so once")
    func notice() async throws {
        let fixture = try DashboardFixture("")
        let saved = try await fixture.ask(
            .post, "/settings", [.secFetchSite: "same-origin", .referer: "http://localhost/history?key=a"],
            body: "theme=light")
        let address = try #require(saved.headers[.location])
        #expect(address.hasPrefix("/history?key=a&noted="))
        #expect(try await fixture.get(address).body.contains("Settings saved."))
        #expect(try await !fixture.get(address).body.contains("Settings saved."))
    }

    @Test("A form about one setting leaves the others as they are")
    func oneSetting() async throws {
        let fixture = try DashboardFixture("")
        var headers = Self.sameOrigin
        headers[.cookie] = "flagboard-settings=theme=dark&columns=value.owner&zone=Asia%2FTokyo"
        let dense = try await fixture.ask(.post, "/settings", headers, body: "density=roomy")
        #expect(try kept(dense) == "flagboard-settings=theme=dark&density=roomy&zone=Asia%2FTokyo&columns=value.owner")
        let columns = try await fixture.ask(
            .post, "/settings", headers, body: "columns=&column=source&column=value&column=source&column=no+name")
        #expect(try kept(columns) == "flagboard-settings=theme=dark&zone=Asia%2FTokyo&columns=source.value")
        let none = try await fixture.ask(.post, "/settings", headers, body: "columns=&theme=system&zone=&density=")
        #expect(try kept(none) == "flagboard-settings=columns=none")
        let reset = try await fixture.ask(.post, "/settings", headers, body: "columns=chosen&column=type&reset=columns")
        #expect(try kept(reset) == "flagboard-settings=theme=dark&zone=Asia%2FTokyo")
        headers[.cookie] = "flagboard-settings=theme=dark&density=roomy&zone=Asia%2FTokyo"
        let usual = try await fixture.ask(.post, "/settings", headers, body: "theme=system&zone=&density=")
        #expect(try kept(usual) == "flagboard-settings=")
    }

    @Test("Who chose no column has none, and who chose nothing has the last change")
    func noColumn() async throws {
        let fixture = try DashboardFixture("<key>a</key><true/>", flags: [DashboardFixture.flag("a", "bool")])
        let usual = try await fixture.get("/").body
        #expect(usual.contains(" columns-1 changed-by-default") && usual.contains(#"value="changed" checked"#))
        let none = try await fixture.ask(.get, "/", [.cookie: "flagboard-settings=columns=none"]).body
        #expect(none.contains(#" columns-0" data-file"#) && !none.contains(#"value="changed" checked"#))
        #expect(none.contains("Use default columns") && !usual.contains("Use default columns"))
    }

    @Test(
        "What can't be chosen is refused with what to do, and nothing of the form is taken",
        arguments: [
            ("theme=pink&density=roomy", "Unknown theme."),
            ("theme=dark&density=tight", "Unknown density."),
            ("theme=dark&zone=Europe%2FNowhere", "Unknown time zone."),
            ("theme=dark&zone=..%2F..%2Fetc%2Fpasswd", "Unknown time zone."),
            ("theme=dark&zone=" + String(repeating: "a", count: 65), "Unknown time zone."),
        ])
    func refusal(form: String, problem: String) async throws {
        let fixture = try DashboardFixture("")
        let answer = try await fixture.ask(.post, "/settings", Self.sameOrigin, body: form)
        #expect(answer.status == 422)
        #expect(answer.headers[.setCookie] == nil)
        #expect(answer.body.contains(problem))
    }

    @Test("What was typed is there again where it can't be taken")
    func typedAgain() async throws {
        let answer = try await DashboardFixture("").ask(
            .post, "/settings", Self.sameOrigin, body: "zone=Europe%2F%3Cb%3E")
        #expect(answer.body.contains(#"name="zone" value="Europe/&lt;b&gt;""#))
        #expect(answer.body.contains(#"aria-invalid="true" autofocus"#))
    }

    @Test(
        "An odd or hostile cookie is no choice, and what it has besides counts",
        arguments: [
            "theme=pink", "theme=dark&theme=light", "zone=Europe%2FNowhere", "zone=..%2F..%2Fetc", "%", "theme=%ff",
            "density=%22%3E%3Cscript%3E", "columns=%2E%2E", "columns=<b>",
            "columns=" + String(repeating: "a.", count: 900),
            String(repeating: "theme=dark&", count: 400),
        ])
    func oddCookies(value: String) async throws {
        let fixture = try DashboardFixture("")
        let page = try await page(fixture, cookies: "flagboard-settings=\(value)")
        #expect(page.status == 200)
        #expect(page.body.contains(#"<html lang="en">"#))
        let mixed = try await self.page(fixture, cookies: "flagboard-settings=density=odd&zone=x&theme=light")
        #expect(mixed.body.contains(#"<html lang="en" data-theme="light">"#))
    }

    @Test("Columns are kept in their order, each once, and only as names")
    func columns() {
        #expect(ViewerSettings.columns(from: ["b", "a-1", "b", "", "A", "c d", "ü"]) == ["b", "a-1"])
        #expect(ViewerSettings.columns(from: (1...50).map { "c\($0)" }).count == 30)
        #expect(ViewerSettings.columns(from: [String(repeating: "a", count: 41)]) == [])
    }

    @Test("Times are told in the zone that was chosen, else in the browser's, else in the server's")
    func zones() async throws {
        var settings = ViewerSettings()
        #expect(settings.timeZone == .current)
        settings.browserZone = "Asia/Kolkata"
        #expect(settings.timeZone.identifier == "Asia/Kolkata")
        settings.zone = "Europe/Berlin"
        #expect(settings.timeZone.identifier == "Europe/Berlin")
        let clock = TestClock()
        let fixture = try DashboardFixture("", clock: { clock.now })
        let page = try await page(fixture, cookies: "a=b; flagboard-zone=Asia%2FTokyo; flagboard-settings=theme=dark")
        #expect(page.body.contains("Now in Asia/Tokyo: 2026-11-21 23:05"))
        #expect(page.body.contains("your browser’s time zone (Asia/Tokyo)."))
        let odd = try await self.page(fixture, cookies: "flagboard-zone=Mars%2FOlympus")
        #expect(odd.status == 200 && !odd.body.contains("Olympus"))
    }

    @Test(
        "Names of time zones are those of the IANA database",
        arguments: ["Europe/Berlin", "Asia/Calcutta", "UTC", "America/Argentina/Buenos_Aires", "Etc/GMT+3"])
    func zoneNames(name: String) {
        #expect(ViewerSettings.timeZone(named: name) != nil)
    }

    @Test("The script that tells the browser's time zone names the cookie that the server reads")
    func script() throws {
        let file = Samples.templates.deletingLastPathComponent().appending(path: "Public/Settings/zone.js")
        #expect(try String(contentsOf: file, encoding: .utf8).contains("\"\(SettingsCookie.zoneName)\""))
    }

    @Test("Over HTTPS the cookie is for HTTPS alone, and below a path for that path alone")
    func attributes() throws {
        let secure = SettingsCookie(scheme: .https).setting(ViewerSettings())
        #expect(secure.hasSuffix("; Secure"))
        let mounted = SettingsCookie(scheme: .http, below: try MountPath("/internal/flags"))
        #expect(mounted.setting(ViewerSettings()).contains("; Path=/internal/flags/; "))
    }
}
