import FlagChanges
import Testing

@testable import Flagboard

@Suite("What is around every page")
struct PageFrameTests {
    private static let admin = Visitor(person: Dashboard.Person(name: "ada", role: .admin), proof: .open)

    private func current(_ frame: PageFrame) -> [String] {
        (frame.navigation + frame.menu).filter(\.isCurrent).map(\.label)
    }

    @Test("The page that is shown is marked, and no other")
    func marks() {
        let providers = ["Local", "staging"].map { ProviderSummary(name: $0, description: "a file", isWritable: true) }
        let frame = PageFrame(fileName: "flags.xml", providers: providers, visitor: Self.admin, hasWebhooks: true)
        #expect(current(frame) == [])
        for item in Feature.navigation + Feature.menu {
            #expect(current(frame.titled("A page", in: item)) == [item.label])
            #expect(current(frame.titled("A page", in: item).titled("Another", in: nil)) == [])
        }
    }

    @Test("Each page of the menu marks itself")
    func pages() async throws {
        let fixture = try DashboardFixture("", team: "", role: .admin)
        for item in Feature.navigation + Feature.menu {
            let page = try await fixture.get(item.href).body
            #expect(page.contains("<a href=\"\(item.href)\" aria-current=\"page\">\(item.label)</a>"), "\(item.href)")
            #expect(page.matches(of: /<header[\s\S]*<\/header>/).first?.output.matches(of: /aria-current/).count == 1)
        }
    }

    @Test("Beside the viewer's name are the pages that the viewer may see", arguments: ChangeAuthor.Role.allCases)
    func links(role: ChangeAuthor.Role) {
        let visitor = Visitor(person: Dashboard.Person(name: "ada", role: role), proof: .open)
        func labels(hasWebhooks: Bool) -> [String] {
            PageFrame(fileName: "flags.xml", providers: [], visitor: visitor, hasWebhooks: hasWebhooks).menu
                .map(\.label)
        }
        #expect(
            labels(hasWebhooks: true)
                == (role == .admin ? ["Import", "Export", "Access", "Webhooks"] : ["Export"]) + ["Settings", "Help"])
        #expect(!labels(hasWebhooks: false).contains("Webhooks"))
    }

    @Test("A page without a place in the menu is told to be found by its name, where the viewer may see it")
    func furtherPages() async throws {
        for (role, defines) in [(ChangeAuthor.Role.admin, true), (.editor, false), (.viewer, false)] {
            let body = try await DashboardFixture("", role: role).get("/compare").body
            let list = try #require(body.matches(of: /<template id="further-pages">(.*)<\/template>/).first?.output.1)
            #expect(list.contains("<a href=\"/history/at\">Time machine</a>"))
            #expect(list.contains("<a href=\"/definitions/new\">New flag</a>") == defines)
        }
    }

    static let info = PageNotice("info", "Internal flags are shown.", "So it is.")
    static let warning = PageNotice("warning", "The history is not proven.", "So it is.")
    static let error = PageNotice("error", "flags.xml can’t be read:", "So it is.")

    @Test(
        "One line tells the gravest notice and how many more there are",
        arguments: [
            ([], nil, nil, nil),
            ([PageFrameTests.info], "info", "Internal flags are shown", nil),
            ([PageFrameTests.info, PageFrameTests.warning], "warning", "The history is not proven", "· 1 more"),
            (
                [PageFrameTests.warning, PageFrameTests.info, PageFrameTests.error], "error",
                "flags.xml can’t be read", "· 2 more"
            ),
        ] as [([PageNotice], String?, String?, String?)])
    func fold(notices: [PageNotice], style: String?, heading: String?, more: String?) {
        var frame = PageFrame(fileName: "flags.xml", providers: [])
        for notice in notices { frame = frame.adding(notice) }
        #expect(frame.fold?.style == style)
        #expect(frame.fold?.heading == heading)
        #expect(frame.fold?.more == more)
    }
}
