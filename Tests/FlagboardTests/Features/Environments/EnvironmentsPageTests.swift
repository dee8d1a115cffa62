import FeatureFlags
import FlagChanges
import FlagHistory
import Foundation
import HTTPTypes
import Testing

@testable import Flagboard

@Suite("Environments side by side")
struct EnvironmentsPageTests {
    private static let values = """
        <key>dark</key><true/><key>title</key><string>old</string><key>fixed</key><integer>1</integer>
        <key>count</key><integer>1</integer>
        """
    private static let staging = """
        <key>dark</key><false/><key>title</key><string>new</string><key>fixed</key><integer>2</integer>
        <key>rate</key><string>odd</string>
        """
    private static let flags = [
        DashboardFixture.flag("dark", "bool"), DashboardFixture.flag("title", "string"),
        DashboardFixture.flag("fixed", "integer", "<key>isLocked</key><true/>"),
        DashboardFixture.flag("count", "integer", "<key>default</key><integer>1</integer>"),
        DashboardFixture.flag("rate", "double", "<key>default</key><real>0.5</real>"),
        DashboardFixture.flag("none", "bool"),
    ]

    private func fixture(role: ChangeAuthor.Role = .editor, isAsked: Bool = false) throws -> DashboardFixture {
        try DashboardFixture(
            Self.values, flags: Self.flags, team: Self.staging, isTeamAsked: isAsked, role: role)
    }

    private func page(_ fixture: DashboardFixture, _ query: [String: String] = [:]) async throws -> EnvironmentsPage {
        let catalogue = try await fixture.service.overview().catalogue
        let view = CatalogueView(catalogue: catalogue, status: .clear, now: Samples.now)
        return EnvironmentsPage(frame: Samples.frame(catalogue.providers), Environments(query, in: view))
    }

    private func different(_ page: EnvironmentsPage) -> [String] {
        page.rows.filter { $0.cells.contains(where: \.isDifferent) }.map(\.key)
    }

    @Test("A flag differs where it is something else, be it by a value or by its default")
    func differences() async throws {
        let fixture = try fixture()
        let opened = try await page(fixture)
        #expect(opened.rows.map(\.key) == ["dark", "title", "fixed", "rate"])
        #expect(
            opened.list.extents.map { "\($0.label) \($0.count)" } == ["Different 4", "Same 2", "All 6"])
        let all = try await page(fixture, ["show": "all"])
        #expect(all.rows.count == 6 && different(all) == ["dark", "title", "fixed", "rate"])
        let count = try #require(all.rows.first { $0.key == "count" })
        #expect(count.cells.map(\.answer) == ["value", "default"])
        #expect(count.cells.map { $0.values[0].shown?.plain } == ["1", "1"])
        #expect(count.cells.map { $0.values[0].words } == [nil, "default"])
        let none = try #require(all.rows.first { $0.key == "none" })
        #expect(none.cells.map { $0.values[0].words } == ["no value", "no value"])
    }

    @Test("The others are held against the one that is chosen")
    func base() async throws {
        let page = try await page(try fixture(), ["base": "Team"])
        #expect(page.list.table?.columns.map(\.isBase) == [false, true])
        #expect(page.rows.map { $0.cells.map(\.isDifferent) } == Array(repeating: [true, false], count: 4))
        let odd = try await self.page(try fixture(), ["base": "nobody", "show": "odd"])
        #expect(odd.list.problems.count == 2 && odd.bases.first(where: \.isSelected)?.value == "Local")
    }

    @Test("What is broken, locked or the same has no button to copy it")
    func buttons() async throws {
        let page = try await page(try fixture(), ["show": "all"])
        let copied = page.rows.filter { $0.cells.contains { $0.copy != nil } }.map(\.key)
        #expect(copied == ["dark", "title"])
        #expect(page.rows.filter { $0.choiceID != nil }.map(\.key) == ["dark", "title", "rate"])
    }

    @Test(
        "Copying one, the chosen, or all that differ is previewed, and applied as one batch with a reason",
        arguments: [
            ("base=Local&copy=from%3DTeam%26key%3Dtitle", ["title"]),
            ("from=Team&to=Local&copy=chosen&key=dark&key=title", ["dark", "title"]),
            ("from=Team&to=Local&copy=all", ["dark", "title"]),
        ])
    func copies(body: String, keys: [String]) async throws {
        let fixture = try fixture()
        let preview = try await fixture.preview("/environments", body: body)
        #expect(preview.status == 200 && preview.body.contains("Copy from Team to Local"))
        #expect(try fixture.rows().isEmpty)
        #expect(try await fixture.applyPreview(preview).status == 303)
        let rows = try fixture.rows()
        #expect(rows.map(\.event.key.text).sorted() == keys)
        #expect(Set(rows.map(\.event.provider)) == ["Local"] && Set(rows.map(\.event.batch)).count == 1)
        #expect(rows.allSatisfy { $0.event.reason == "Copied from Team" })
    }

    @Test("A default is copied by taking the value away where it is copied to")
    func resets() async throws {
        let fixture = try DashboardFixture(
            "<key>on</key><true/>", flags: [DashboardFixture.flag("on", "bool", "<key>default</key><false/>")],
            team: "",
            isTeamAsked: false)
        let preview = try await fixture.preview("/environments", body: "from=Team&to=Local&copy=all")
        #expect(try await fixture.applyPreview(preview).status == 303)
        #expect(try fixture.rows().map(\.event.kind) == [.reset])
        let page = try await page(fixture)
        #expect(different(page).isEmpty && page.list.bar == nil)
    }

    @Test(
        "What can't be copied is refused on the page",
        arguments: [
            ("from=Local&to=Local&copy=all", 422), ("from=nobody&to=Local&copy=all", 422),
            ("from=Team&to=default&copy=all", 422), ("from=Team&to=Local&copy=chosen", 422),
            ("from=Team&to=Local&copy=chosen&key=rate", 422), ("base=Local&copy=from%3DTeam", 400),
        ])
    func refused(body: String, status: Int) async throws {
        let fixture = try fixture()
        let answer = try await fixture.ask(.post, "/environments", [.secFetchSite: "same-origin"], body: body)
        #expect(answer.status == status)
        #expect(try fixture.rows().isEmpty)
    }

    @Test("A refusal has the address of its page, with the filter and the page of the list")
    func addressOfRefusal() async throws {
        let fixture = try fixture()
        let address = "/environments?base=Team&show=all&q=dark"
        let written = address.replacing("&", with: "&amp;")
        #expect(try await fixture.get(address).body.contains("<form method=\"post\" action=\"\(written)\""))
        let fields: KeyValuePairs = [
            "base": "Team", "show": "all", "q": "dark", "from": "Team", "to": "Local", "copy": "chosen",
        ]
        let refused = try await fixture.post(address, fields)
        #expect(refused.status == 422 && refused.body.contains("<form method=\"post\" action=\"\(written)\""))
        #expect(refused.body.contains("http://localhost\(written)</pre>"))
    }

    @Test("A viewer is told on the page that nothing can be copied")
    func viewer() async throws {
        let fixture = try fixture(role: .viewer)
        let answer = try await fixture.get("/environments")
        #expect(answer.body.contains("Viewers can’t copy values.") && !answer.body.contains("name=\"copy\""))
        let posted = try await fixture.post("/environments", ["from": "Team", "to": "Local", "copy": "all"])
        #expect(posted.status == 403 && posted.body.contains("Viewers can’t change values."))
    }

    @Test("The menu leads there where there are several files, and what it is for is told where there is one")
    func menu() async throws {
        #expect(try await fixture().get("/").body.contains("href=\"/environments\""))
        let alone = try DashboardFixture("<key>count</key><integer>3</integer>")
        #expect(try await !alone.get("/").body.contains("href=\"/environments\""))
        let page = try await alone.get("/environments")
        #expect(page.status == 200 && page.body.contains("--provider staging=staging.xml:env"))
    }

    @Test("What another environment holds changes nothing here, and the flag's page tells it apart")
    func flagPage() async throws {
        let fixture = try fixture()
        let page = try await fixture.get("/flags/title")
        #expect(page.body.contains("In other environments") && page.body.contains("Not used here"))
        #expect(try await fixture.get("/flags/rate?provider=Team").body.contains("is another environment"))
        let list = try await fixture.get("/?provider=Team")
        #expect(list.body.contains("0 of 6 flags"))
        _ = try await fixture.service.apply(
            Change(key: Samples.key("none"), action: .setValue(.bool(true)), provider: "Team"),
            by: ChangeAuthor(name: "bob", role: .editor, origin: .api))
        let entry = try #require(try await fixture.service.overview().catalogue[Samples.key("none")])
        #expect(entry.resolution.effectiveValue == nil && entry.resolution["Team"]?.stored == .bool(true))
        #expect(try fixture.rows().last?.event.provider == "Team")
    }

    @Test("A value that only another environment has is a flag all the same")
    func elsewhereAlone() async throws {
        let fixture = try DashboardFixture("", team: "<key>later</key><true/>", isTeamAsked: false)
        let catalogue = try await fixture.service.overview().catalogue
        #expect(catalogue.entries.map(\.key.text) == ["later"])
        #expect(catalogue.entries.first?.resolution.source == FlagResolution.Source.none)
        #expect(try await page(fixture).rows.map { $0.cells.map { $0.values[0].words } } == [["no value", nil]])
    }

    @Test("What is wrong with the file of another environment changes nothing here")
    func brokenElsewhere() async throws {
        let fixture = try fixture()
        let effective = try await fixture.get("/export/effective.xml").body
        _ = try await fixture.get("/")
        try Data("broken".utf8).write(to: fixture.folder.appending(path: "team.xml"))
        #expect(try await fixture.get("/export/effective.xml").body == effective)
        #expect(try await fixture.get("/api/v1/snapshot").status == 200)
        #expect(try await fixture.get("/api/v1/flags/unknown").status == 404)
        let list = try await fixture.get("/").body
        #expect(list.contains("Can’t read team.xml") && !list.contains("data-last-read"))
        #expect(!list.contains("last good values") && list.contains("value=\"on\""))
        let opened = try await fixture.get("/environments").body
        #expect(opened.contains("can’t be read; last good value"))
        #expect(opened.contains("<bdi>Different</bdi> <span class=\"tally\">3</span>"))
        #expect(opened.contains("cell-different") && !opened.contains("Copy all differences"))
        let overview = try await fixture.service.overview()
        #expect(overview.catalogue.entries.allSatisfy { !$0.resolution.isBroken })
        #expect(overview.catalogue[Samples.key("title")]?.resolution.effectiveValue == .string("old"))
    }

    @Test("A value that is broken there is no fault of the flag here")
    func brokenValueElsewhere() async throws {
        let list = try await fixture().get("/?state=broken").body
        #expect(list.contains("0 of 6 flags"))
        #expect(try await fixture().get("/flags/rate").body.contains("<span class=\"verdict\">Invalid</span>"))
    }

    @Test("A group there takes no flag away, and a key of there alone is told to no program that evaluates flags")
    func groupElsewhere() async throws {
        let fixture = try DashboardFixture(
            "<key>beta</key><true/>",
            team: "<key>beta</key><dict><key>x</key><integer>1</integer></dict><key>late</key><true/>",
            isTeamAsked: false)
        let catalogue = try await fixture.service.overview().catalogue
        #expect(catalogue.entries.map(\.key.text) == ["beta", "late"])
        let beta = Change(key: Samples.key("beta"), action: .setValue(.bool(false)))
        let author = ChangeAuthor(name: "bob", role: .editor, origin: .api)
        _ = try await fixture.service.apply(beta, by: author)
        #expect(try await fixture.service.overview().catalogue[beta.key]?.resolution.effectiveValue == .bool(false))
        let one = try await fixture.ask(
            .post, "/ofrep/v1/evaluate/flags/late", [.secFetchSite: "same-origin", .contentType: "application/json"],
            body: "{}")
        #expect(one.status == 404)
        let all = try await fixture.ask(
            .post, "/ofrep/v1/evaluate/flags", [.secFetchSite: "same-origin", .contentType: "application/json"],
            body: "{}")
        #expect(all.body.contains("\"beta\"") && !all.body.contains("\"late\""))
    }

    @Test("A copy to an environment that is no longer there goes to no other one")
    func goneBase() async throws {
        let fixture = try fixture()
        let answer = try await fixture.ask(
            .post, "/environments", [.secFetchSite: "same-origin"], body: "base=gone&copy=from%3DTeam%26key%3Dtitle")
        #expect(answer.status == 422)
    }

    @Test("Going back in time leaves other environments as they are")
    func timeMachine() async throws {
        let fixture = try fixture(role: .admin)
        let author = ChangeAuthor(name: "bob", role: .editor, origin: .api)
        for provider in ["Local", "Team"] {
            _ = try await fixture.service.apply(
                Change(key: Samples.key("title"), action: .setValue(.string("newer")), provider: provider), by: author)
        }
        let preview = try await fixture.preview("/history/at", body: "before=1&restore=all")
        #expect(try await fixture.applyPreview(preview).status == 303)
        let entry = try #require(try await fixture.service.overview().catalogue[Samples.key("title")])
        #expect(entry.resolution["Local"]?.stored == .string("old"))
        #expect(entry.resolution["Team"]?.stored == .string("newer"))
    }

    @Test("Another environment that can't be changed has no form, and no other file has one in its stead")
    func closed() async throws {
        let fixture = try fixture()
        _ = try await fixture.get("/")
        try Data("broken".utf8).write(to: fixture.folder.appending(path: "team.xml"))
        let page = try await fixture.get("/flags/title?provider=Team").body
        #expect(page.contains("Team can’t be edited") && !page.contains("name=\"provider\" value=\"Local\""))
    }

    @Test("Neither a selection nor an import goes to another environment that was not chosen")
    func defaults() async throws {
        let fixture = try fixture(role: .admin)
        _ = try await fixture.get("/")
        try Data("broken".utf8).write(to: fixture.file)
        let list = try await fixture.get("/").body
        #expect(list.contains("<option value=\"\" selected>Choose one</option>"))
        #expect(try await !fixture.get("/import").body.contains("<option value=\"Team\" selected>"))
    }

    @Test("A file that can't be changed leaves the form without a way to another environment that was not asked for")
    func brokenHere() async throws {
        let fixture = try fixture()
        try Data("broken".utf8).write(to: fixture.file)
        let form = "name=\"provider\" value=\"Team\""
        #expect(try await !fixture.get("/flags/title").body.contains(form))
        #expect(try await fixture.get("/flags/title?provider=Team").body.contains(form))
    }
}

extension EnvironmentsPage {
    fileprivate var rows: [MatrixRow] { list.table?.rows ?? [] }
}
