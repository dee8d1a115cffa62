import FeatureFlags
import FlagChanges
import FlagHistory
import Foundation
import HTTPTypes
import Testing

@testable import Flagboard

@Suite("Two providers side by side")
struct ComparePageTests {
    private static let values = """
        <key>ui</key><dict><key>dark</key><true/><key>title</key><string>the old title</string>
        <key>fixed</key><integer>1</integer></dict><key>count</key><integer>3</integer><key>only_local</key><string>x</string>
        """
    private static let team = """
        <key>ui</key><dict><key>dark</key><false/><key>title</key><string>the new title</string>
        <key>fixed</key><integer>2</integer></dict><key>count</key><integer>3</integer><key>rate</key><string>odd</string>
        """
    private static let flags = [
        DashboardFixture.flag("ui/dark", "bool", "<key>default</key><false/>"),
        DashboardFixture.flag("ui/title", "string"),
        DashboardFixture.flag("ui/fixed", "integer", "<key>isLocked</key><true/>"),
        DashboardFixture.flag("count", "integer", "<key>default</key><integer>1</integer>"),
        DashboardFixture.flag("rate", "double"), DashboardFixture.flag("none", "bool"),
        DashboardFixture.flag("only_local", "string"),
    ]

    private func fixture(role: ChangeAuthor.Role = .editor, team: String? = Self.team) throws -> DashboardFixture {
        try DashboardFixture(Self.values, flags: Self.flags, team: team, role: role)
    }

    private func page(
        _ fixture: DashboardFixture, _ query: [String: String] = [:], by role: ChangeAuthor.Role? = nil
    ) async throws -> ComparePage {
        let overview = try await fixture.service.overview()
        let visitor = role.map { Visitor(person: Dashboard.Person(name: "ada", role: $0), proof: .open) }
        let view = CatalogueView(
            catalogue: overview.catalogue, status: .clear, now: Samples.now, visitor: visitor)
        let filter = CompareFilter(query: query, providers: overview.catalogue.providers)
        return ComparePage(frame: Samples.frame(), view: view, filter: filter)
    }

    private func counts(_ page: ComparePage) -> [String] { page.list.extents.map { "\($0.label) \($0.count)" } }

    @Test("Each flag stands to both sides in one way, and every way is counted")
    func differences() async throws {
        let page = try await page(try fixture())
        #expect(
            counts(page) == [
                "Different 5", "Different values 3", "Only in Local 1", "Only in Team 1", "Same 1", "Not set 1",
                "All 7",
            ])
        #expect(page.list.extents.first(where: \.isCurrent)?.label == "Different" && page.countText == "5 differ")
        let changed = try await self.page(try fixture(), ["show": "changed"])
        #expect(changed.rows.map(\.key) == ["ui/dark", "ui/title", "ui/fixed"] && changed.countText == "3 flags")
        let all = page
        #expect(all.rows.map(\.key) == ["rate", "only_local", "ui/dark", "ui/title", "ui/fixed"])
        #expect(all.rows.map(\.standing?.name) == ["only-right", "only-left", "changed", "changed", "changed"])
        #expect(page.lefts.first(where: \.isSelected)?.value == "Local")
        #expect(page.rights.first(where: \.isSelected)?.value == "Team")
        let rate = all.rows[0]
        #expect(rate.cells.map(\.answer) == ["absent", "broken"])
        #expect(rate.cells[0].values[0].words == "no value")
        #expect(rate.cells[1].values[0].words?.hasPrefix("broken: ") == true)
    }

    @Test(
        "The links and the search leave just the flags that they count",
        arguments: [
            ("changed", "", ["ui/dark", "ui/title", "ui/fixed"]), ("same", "", ["count"]), ("neither", "", ["none"]),
            ("only-left", "", ["only_local"]), ("only-right", "", ["rate"]), ("different", "title", ["ui/title"]),
            ("all", "o", ["count", "none", "only_local", "ui/title"]),
        ])
    func filters(show: String, text: String, keys: [String]) async throws {
        let page = try await page(try fixture(), ["show": show, "q": text])
        #expect(page.rows.map(\.key) == keys)
        #expect(page.list.extents.first(where: \.isCurrent)?.count == keys.count)
    }

    @Test("Defaults and effective values are sides too, and with one provider the defaults stand beside it")
    func otherSides() async throws {
        let single = try await page(try fixture(team: nil))
        #expect(single.lefts.first(where: \.isSelected)?.value == "default")
        #expect(single.rights.first(where: \.isSelected)?.value == "Local")
        #expect(counts(single).contains("Different values 2") && counts(single).contains("Only in Local 3"))
        let effective = try await page(try fixture(), ["left": "effective", "right": "Team", "show": "different"])
        #expect(effective.rows.map(\.key) == ["rate", "only_local", "ui/dark", "ui/title", "ui/fixed"])
    }

    @Test("What only the defaults hold is no difference, but for who asks for it")
    func onlyInDefault() async throws {
        let flags = [
            DashboardFixture.flag("a", "integer", "<key>default</key><integer>1</integer>"),
            DashboardFixture.flag("b", "integer", "<key>default</key><integer>1</integer>"),
            DashboardFixture.flag("c", "integer"),
        ]
        let fixture = try DashboardFixture(
            "<key>a</key><integer>2</integer><key>c</key><integer>3</integer>", flags: flags)
        let page = try await page(fixture)
        #expect(page.lefts.first(where: \.isSelected)?.value == "default" && page.rows.map(\.key) == ["a", "c"])
        #expect(
            counts(page) == [
                "Different 2", "Different values 1", "Only in Default 1", "Only in Local 1", "Same 0", "Not set 0",
                "All 3",
            ])
        #expect(try await self.page(fixture, ["show": "different"]).rows.map(\.key) == ["a", "c"])
        #expect(try await self.page(fixture, ["show": "only-left"]).rows.map(\.key) == ["b"])
        let turned = try await self.page(fixture, ["left": "Local", "right": "default", "show": "different"])
        #expect(turned.rows.map(\.key) == ["a", "c"])
        let document = try await fixture.get("/api/v1/compare?left=default&right=Local").body
        #expect(document.contains("\"only-left\""), "programs are told of it as before")
    }

    @Test("Where nothing is changed the comparison opens on all differences")
    func opensOnDifferences() async throws {
        let fixture = try DashboardFixture(
            "<key>a</key><integer>2</integer>", flags: [DashboardFixture.flag("a", "integer")], team: "")
        let page = try await page(fixture)
        #expect(page.rows.map(\.key) == ["a"] && page.show == "different")
    }

    @Test("What differs within two texts is marked")
    func marks() async throws {
        let row = try #require(try await page(try fixture(), ["q": "title"]).rows.first)
        let (left, right) = (row.cells[0].values[0], row.cells[1].values[0])
        #expect(left.shown?.plain == "\"the " && left.mark?.text == "old" && left.mark?.rest == " title\"")
        #expect(right.mark?.text == "new")
        let flag = try #require(try await page(try fixture(), ["q": "dark"]).rows.first)
        #expect(flag.cells[0].values[0].mark == nil && flag.cells[0].values[0].shown?.plain == "On")
    }

    @Test("Sides that are none or one are told of, and nothing is compared", arguments: ["nobody", "Local"])
    func wrongSides(right: String) async throws {
        let page = try await page(try fixture(), ["left": "Local", "right": right])
        #expect(
            page.list.problems.count == 1 && page.list.table == nil && page.list.extents.isEmpty && page.list.bar == nil
        )
    }

    @Test("A locked flag can't be chosen and says why; a viewer can choose none")
    func choosing() async throws {
        let rows = try await page(try fixture()).rows
        #expect(rows.filter { $0.choiceID == nil }.map(\.key) == ["ui/fixed"])
        #expect(rows.first { $0.key == "ui/fixed" }?.note?.contains("Locked") == true)
        let viewed = try await page(try fixture(), by: .viewer)
        #expect(viewed.rows.allSatisfy { $0.choiceID == nil } && viewed.list.bar == nil)
        #expect(viewed.list.refusals.count == 1 && viewed.list.refusals[0] == "Viewers can’t copy values.")
        let defaults = try await page(try fixture(), ["left": "default", "right": "Team"])
        #expect(defaults.list.bar?.lines.map { $0.buttons[0].target } == ["Team"])
        #expect(defaults.list.refusals.count == 1)
    }

    @Test("Copying the chosen is previewed, and applied makes the sides the same as one batch")
    func copiesChosen() async throws {
        let fixture = try fixture()
        let answer = try await fixture.preview(
            "/compare",
            body: "left=Local&right=Team&copy=chosen-right&key=ui%2Fdark&key=only_local&key=rate")
        #expect(answer.status == 200)
        #expect(answer.body.contains("Copy from Local to Team"))
        #expect(try fixture.rows().isEmpty)
        let applied = try await apply(answer, fixture)
        #expect(applied.status == 303)
        let rows = try fixture.rows()
        #expect(Set(rows.map(\.event.key.text)) == ["ui/dark", "only_local", "rate"])
        #expect(Set(rows.map(\.event.provider)) == ["Team"] && Set(rows.map(\.event.batch)).count == 1)
        #expect(rows.allSatisfy { $0.event.reason == "Copied from Local" && $0.event.origin == .form })
        #expect(rows.first { $0.event.key.text == "rate" }?.event.kind == .reset)
        #expect(try await page(fixture).rows.map(\.key) == ["ui/title", "ui/fixed"])
    }

    @Test("Copying all goes by the filter, leaves out what is locked or broken, and says so")
    func copiesAll() async throws {
        let fixture = try fixture()
        let answer = try await fixture.preview(
            "/compare", ["left": "Local", "right": "Team", "copy": "all-left", "show": "", "q": ""])
        #expect(answer.status == 200)
        #expect(answer.body.contains("1 locked flag is skipped."))
        #expect(answer.body.contains("1 flag is skipped: its value in Team is broken."))
        _ = try await apply(answer, fixture)
        #expect(Set(try fixture.rows().map(\.event.key.text)) == ["ui/dark", "ui/title", "only_local"])
        #expect(try await page(fixture, ["show": "different"]).rows.map(\.key) == ["rate", "ui/fixed"])
    }

    @Test(
        "A flag that was the same and was changed after the preview, on either side, is shown before anything is copied",
        arguments: ["Local", "Team"])
    func overlooked(side: String) async throws {
        let fixture = try fixture()
        let preview = try await fixture.preview(
            "/compare", ["left": "Local", "right": "Team", "copy": "all-right", "show": "", "q": ""])
        let shown = try await page(fixture, ["show": "same"])
        let same = try #require(shown.rows.first?.key)
        let reset = Change(key: Samples.key(same), action: .reset, provider: side)
        _ = try await fixture.service.apply(reset, by: ChangeAuthor(name: "bob", role: .editor, origin: .api))
        let refused = try await apply(preview, fixture)
        #expect(refused.status == 409 && refused.body.contains("This flag changed since you previewed it."))
        #expect(try fixture.rows().count == 1)
        #expect(try await apply(refused, fixture).status == 303)
        #expect(try fixture.rows().filter { $0.event.key.text == same }.count == 2)
    }

    @Test(
        "A value that the source got after the preview is shown before it is copied, be the flag among the changes or not"
    )
    func sourceChanged() async throws {
        let fixture = try fixture()
        let preview = try await fixture.preview(
            "/compare", ["left": "Local", "right": "Team", "copy": "all-right", "show": "", "q": ""])
        #expect(preview.body.contains("data-changes=\"only_local\""))
        let change = Change(key: Samples.key("only_local"), action: .reset, provider: "Local")
        _ = try await fixture.service.apply(change, by: ChangeAuthor(name: "bob", role: .editor, origin: .api))
        let refused = try await apply(preview, fixture)
        #expect(refused.status == 409 && !refused.body.contains("data-changes=\"only_local\""))
        #expect(try await apply(refused, fixture).status == 303)
        #expect(try fixture.rows().filter { $0.event.provider == "Team" }.allSatisfy { $0.event.key != change.key })
    }

    @Test(
        "What can't be copied is refused on the page, with what was chosen still chosen",
        arguments: [
            ("left=Local&right=Team&copy=chosen-right", 422), ("left=Local&right=Team&copy=sideways&key=count", 422),
            ("left=default&right=Team&copy=chosen-left&key=ui%2Fdark", 403),
            ("left=Local&right=Team&copy=chosen-right&key=count&key=ui%2Fdark%2Fnone", 422),
            ("left=Local&right=Local&copy=all-right", 422), ("left=Local&right=Team&copy=chosen-left&key=~2", 400),
        ])
    func refused(body: String, status: Int) async throws {
        let fixture = try fixture()
        let answer = try await fixture.ask(.post, "/compare", [.secFetchSite: "same-origin"], body: body)
        #expect(answer.status == status)
        #expect(try fixture.rows().isEmpty)
        let chosen = try await fixture.ask(
            .post, "/compare", [.secFetchSite: "same-origin"],
            body: "left=Local&right=Team&copy=nonsense&key=ui%2Fdark")
        #expect(chosen.body.contains(/value="ui\/dark" id="choice-\d+" checked/))
        #expect(chosen.body.matches(of: /id="choice-\d+" checked/).count == 1)
    }

    @Test("A refusal has the address of its comparison, with the sides, the filter and the page of the list")
    func addressOfRefusal() async throws {
        let fixture = try fixture()
        let address = "/compare?left=Local&right=Team&show=all&q=dark"
        let written = address.replacing("&", with: "&amp;")
        #expect(try await fixture.get(address).body.contains("<form method=\"post\" action=\"\(written)\""))
        let fields: KeyValuePairs = [
            "left": "Local", "right": "Team", "show": "all", "q": "dark", "copy": "chosen-right",
        ]
        let refused = try await fixture.post(address, fields)
        #expect(refused.status == 422 && refused.body.contains("<form method=\"post\" action=\"\(written)\""))
        #expect(refused.body.contains("http://localhost\(written)</pre>"))
        let beyond = try await fixture.post(
            "/compare", ["left": "Local", "right": "Team", "page": "2", "copy": "chosen-right"])
        #expect(beyond.body.contains("http://localhost/compare?left=Local&amp;right=Team&amp;page=2</pre>"))
    }

    @Test("A viewer who posts gets the page with the reason")
    func viewerPosts() async throws {
        let fixture = try fixture(role: .viewer)
        let answer = try await fixture.post(
            "/compare", ["left": "Local", "right": "Team", "copy": "chosen-right", "key": "ui/dark"])
        #expect(answer.status == 403 && answer.body.contains("Viewers can’t change values."))
    }

    @Test("The list with a column for each provider marks the winner and says what is absent or broken")
    func table() async throws {
        let fixture = try fixture()
        let catalogue = try await fixture.service.overview().catalogue
        let view = CatalogueView(catalogue: catalogue, status: .clear, now: Samples.now)
        let filter = FlagFilter(query: ["view": "providers"])
        let page = FlagListPage(frame: Samples.frame(), view: view, filter: filter)
        let table = try #require(page.table)
        #expect(table.columns.map(\.name) == ["Local", "Team", "default"])
        let rows = Dictionary(uniqueKeysWithValues: table.rows.map { ($0.key, $0.cells) })
        #expect(rows["ui/dark"]?.map(\.isWinner) == [true, false, false])
        #expect(rows["rate"]?.map(\.answer) == ["absent", "broken", "absent"])
        #expect(rows["rate"]?[1].values[0].words?.hasPrefix("broken: ") == true)
        #expect(rows["rate"]?[2].values[0].words == "no default")
        #expect(rows["none"]?.contains(where: \.isWinner) == false)
        #expect(page.groups.isEmpty && page.flags.isEmpty)
        #expect(page.views.map(\.href) == ["/", "/?view=providers"])
        #expect(filter.with(.state, "on").href == "/?state=on&view=providers")
        #expect(FlagFilter(query: ["view": "odd"]).problems.count == 1)
    }

    @Test("Rows and cells give each stored property by its name")
    func rowsAnswerByName() async throws {
        let fixture = try fixture()
        let catalogue = try await fixture.service.overview().catalogue
        let view = CatalogueView(catalogue: catalogue, status: .clear, now: Samples.now)
        let rows = try await page(fixture, ["show": "different"]).rows
        let table = try #require(MatrixTable(providersOf: catalogue.entries, in: view))
        let values = (rows + table.rows).flatMap(\.cells).flatMap(\.values)
        var parts: [any PagePart] = rows + table.rows
        parts += (rows + table.rows).flatMap(\.cells) as [any PagePart]
        parts += values as [any PagePart]
        parts += values.compactMap(\.mark) as [any PagePart]
        #expect(parts.count > 40)
        for part in parts {
            for child in Mirror(reflecting: part).children {
                let label = try #require(child.label)
                let place = try #require(type(of: part).place(of: label), "\(label)")
                let mirror = Mirror(reflecting: child.value)
                let isNil = mirror.displayStyle == .optional && mirror.children.isEmpty
                let isAbsent = if case .absent = part.content(at: place) { true } else { false }
                #expect(isAbsent == isNil, "\(label)")
            }
        }
    }

    /// Presses the first button of the preview page.
    private func apply(
        _ preview: DashboardFixture.Answer, _ fixture: DashboardFixture
    ) async throws -> DashboardFixture.Answer {
        try await fixture.applyPreview(preview)
    }
}

extension DashboardFixture {
    /// Presses the button of a preview page that makes the changes.
    func applyPreview(_ preview: Answer, reason other: String? = nil) async throws -> Answer {
        func field(_ name: String) -> String {
            let text = preview.field(name) ?? ""
            return text.replacing("&quot;", with: "\"").replacing("&#39;", with: "'").replacing("&amp;", with: "&")
        }
        let reason = preview.body.firstRange(of: "name=\"reason\" value=\"").map { start in
            String(preview.body[start.upperBound...].prefix { $0 != "\"" })
        }
        return try await post(
            "/batch",
            [
                "title": field("title"), "changes": field("changes"), "seal": field("seal"),
                "deed": field("deed"), "back": field("back"),
                "idempotency": field("idempotency"), "asof": field("asof"), "agreement": field("agreement"),
                "reason": other ?? reason ?? "",
                "preview": field("preview"),
            ])
    }
}

extension ComparePage {
    fileprivate var rows: [MatrixRow] { list.table?.rows ?? [] }
}
