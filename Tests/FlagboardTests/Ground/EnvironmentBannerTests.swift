import HTTPTypes
import Testing

@testable import Flagboard

@Suite("The banner that tells environments apart")
struct EnvironmentBannerTests {
    private static let banner = EnvironmentBanner(text: "Staging <1>", colour: .amber)

    @Test("It stands at the top of a page, in its colour, and before the title")
    func page() throws {
        let frame = PageFrame(fileName: "flags.xml", providers: [], banner: Self.banner)
        let html = try Samples.pageSet.templates.html(of: HelpPage(frame: frame))
        #expect(html.contains("<title>Staging &lt;1&gt;: Help · flags.xml · Flagboard</title>"))
        #expect(html.contains("<p class=\"environment environment-amber\">"))
        #expect(html.contains("<bdi>Staging &lt;1&gt;</bdi>"))
    }

    @Test("It stands on the page to sign in with, too")
    func signIn() throws {
        let page = SignInPage(next: "/", hasLink: false, banner: Self.banner)
        let html = try Samples.pageSet.templates.html(of: page)
        #expect(html.contains("<title>Staging &lt;1&gt;: Sign in · Flagboard</title>"))
        #expect(html.contains("environment-amber"))
    }

    @Test("Without one, a page has neither")
    func none() throws {
        let frame = PageFrame(fileName: "flags.xml", providers: [])
        let html = try Samples.pageSet.templates.html(of: HelpPage(frame: frame))
        #expect(html.contains("<title>Help · flags.xml · Flagboard</title>"))
        #expect(!html.contains("class=\"environment"))
    }

    @Test("A request for another host is not told which environment it got to")
    func wrongHost() async throws {
        let fixture = try DashboardFixture("")
        let answer = try await fixture.ask(.get, "/", [.named("Host"): "evil.example"])
        #expect(!answer.body.contains("environment"))
    }
}
