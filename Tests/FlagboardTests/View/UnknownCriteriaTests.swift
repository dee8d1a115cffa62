import FlagChanges
import FlagHistory
import Testing

@testable import Flagboard

@Suite("What an address asks for that its page doesn’t know")
struct UnknownCriteriaTests {
    /// Pages, each with what stands between its path and more items of a query.
    private static let pages = [
        "/?", "/history?", "/history?key=count&before=9&", "/history/at?", "/history/at?before=1&show=all&",
        "/compare?",
        "/compare?show=all&q=count&", "/environments?", "/environments?base=Team&",
    ]

    private func fixture() async throws -> DashboardFixture {
        let fixture = try DashboardFixture(
            "", flags: [DashboardFixture.flag("count", "integer")], team: "<key>count</key><integer>9</integer>",
            isTeamAsked: true)
        for (text, name) in [("4", "ada"), ("5", "bob")] {
            _ = try await fixture.service.apply(
                Change(key: Samples.key("count"), action: .setText(text)),
                by: ChangeAuthor(name: name, role: .admin, origin: .form))
        }
        return fixture
    }

    private func said(_ name: String) -> String {
        "Unknown filter “\(name)” was ignored."
    }

    @Test("It is said, and the page shown without it", arguments: pages)
    func unknown(page: String) async throws {
        let fixture = try await fixture()
        let (plain, answer) = (try await fixture.get(String(page.dropLast())), try await fixture.get("\(page)foo=bar"))
        #expect(answer.status == 200 && answer.body.contains(said("foo")) && !plain.body.contains("Unknown filter"))
        for mark in ["data-flag=", "data-change="] {
            #expect(plain.body.ranges(of: mark).count == answer.body.ranges(of: mark).count)
        }
    }

    @Test("A sentence that any page may have to tell is known", arguments: pages)
    func noted(page: String) async throws {
        #expect(try await !fixture().get("\(page)noted=x").body.contains("Unknown filter"))
    }

    @Test("The history has no pages by number, and the time machine says what it can’t show")
    func particular() async throws {
        let fixture = try await fixture()
        #expect(try await fixture.get("/history?page=-1").body.contains(said("page")))
        let past = try await fixture.get("/history/at?show=zz").body
        #expect(past.contains("Unknown filter “zz”. Choose one of the links."))
        #expect(past.contains("Showing the state before the last change."))
    }

    @Test("No link of a page asks its page for what that does not know", arguments: pages)
    func links(page: String) async throws {
        let fixture = try await fixture()
        let body = try await fixture.get(String(page.dropLast())).body
        let hrefs = Set(body.matches(of: /href="([^"#]*\?[^"#]*)/).map { String($0.output.1) })
        let paths = ["/", "/history", "/history/at", "/compare", "/environments"]
        let own = hrefs.filter { href in paths.contains(String(href.prefix { $0 != "?" })) }
        #expect(!own.isEmpty)
        for href in own {
            let answer = try await fixture.get(href.replacing("&amp;", with: "&"))
            #expect(!answer.body.contains("Unknown filter"), "\(href)")
        }
    }
}
