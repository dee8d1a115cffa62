import FeatureFlags
import FlagChanges
import FlagHistory
import Foundation
import HTTPTypes
import Testing

@testable import Flagboard

@Suite("List of flags")
struct FlagListPageTests {
    private func page(_ query: [String: String] = [:]) -> FlagListPage {
        FlagListPage(
            frame: Samples.frame(), view: Samples.view(), filter: FlagFilter(query: query))
    }

    @Test("Why somebody only looks is said above the list, but not to whoever may change it")
    func onlyLooking() throws {
        func note(_ view: CatalogueView) -> String? {
            FlagListPage(frame: Samples.frame(), view: view, filter: FlagFilter()).lookNote?.heading
        }
        #expect(page().lookNote == nil)
        #expect(note(Samples.view(by: .viewer)) == "View only")
        let providers = [FixedProvider(name: "local", isWritable: false)]
        let fixed = Samples.catalogue([Samples.entry("on", .bool)], providers: providers)
        #expect(note(Samples.view(fixed)) == "All providers are read-only")
    }

    @Test("What needs a look is told once, by the words of its filter, with a button where it would change anything")
    func look() throws {
        let past = FlagMetadata(expires: Samples.now.addingTimeInterval(-1))
        let unset = Samples.entry("a", .bool, metadata: past)
        let set = Samples.entry("b", .bool, stored: .bool(true), metadata: past)
        let old = Samples.entry("c", .bool, stored: .bool(true))
        func items(_ entries: [FlagEntry], unchanged: [FlagKeyPath: Date?] = [:]) -> [LookPanel.Item] {
            var view = Samples.view(Samples.catalogue(entries), by: .editor)
            view.unchanged = unchanged
            return FlagListPage(frame: Samples.frame(), view: view, filter: FlagFilter()).look?.items ?? []
        }
        let alone = items([unset])
        #expect(alone.map(\.label) == ["1 expired"] && alone[0].deed == nil)
        #expect(items([unset, set])[0].deed?.query == "state=overridden%2Cexpired")
        let all = items([set, old], unchanged: [old.key: Samples.now.addingTimeInterval(-181 * 86_400)])
        #expect(all.map(\.label) == ["1 expired", "2 stale"] && all[1].deed?.label == "Reset…")
    }

    @Test("Groups nest by key path, in the catalogue's order")
    func groups() throws {
        let page = page()
        #expect(page.flags.map(\.key) == ["blob", "left_over"])
        #expect(page.groups.map(\.key) == ["ui", "checkout", "limits", "net"])
        let payments = try #require(page.groups[1].groups.first)
        #expect(payments.flags.map(\.key) == ["checkout/payments/wallet", "checkout/payments/refunds"])
        #expect(payments.level == 3)
        #expect(page.groups[1].countText == "3 flags")
    }

    @Test("A section has a heading that can't be collapsed; other groups can")
    func sections() throws {
        let html = try Samples.pageSet.templates.html(of: page())
        #expect(html.contains("<section class=\"group\" data-group=\"checkout/payments\">\n<header><h3>"))
        #expect(html.contains("<details class=\"group\" open data-group=\"checkout\">\n<summary><h2>"))
        let groups = html.matches(of: /<(section|details) class="group"/).map(\.1)
        #expect(groups == ["details", "details", "section", "details", "details"])
        #expect(html.matches(of: /<section[ >]/).count == html.matches(of: /<\/section>/).count)
        #expect(html.matches(of: /<details[ >]/).count == html.matches(of: /<\/details>/).count)
    }

    @Test(
        "A value shows its kind, and the empty text is not the same as no value",
        arguments: [
            ("ui/banner", "\"\""), ("ui/order", "no value"),
            ("blob", "12 bytes: 07 07 07 07 07 07 07 07 … (SHA-256 8c62e33c…)"), ("ui/motd", "\"Two↵lines\""),
            ("limits/big", "18446744073709551615"), ("ui/layout", "{ \"columns\": 2 }"),
            ("ui/launch", "2026-11-21 14:05:09 UTC"),
        ])
    func values(key: String, shown: String) throws {
        let entry = try #require(Samples.everything[Samples.key(key)])
        #expect(FlagRow(entry, in: Samples.view()).value?.plain == shown)
    }

    @Test(
        "What is the matter with a flag is marked",
        arguments: [
            ("left_over", ["undefined"]), ("limits/retries", ["broken"]), ("checkout/new_flow", ["expired"]),
            ("checkout/payments/refunds", ["locked"]),
            ("checkout/payments/wallet", ["restart"]), ("ui/theme", []),
        ])
    func marks(key: String, marks: [String]) throws {
        let entry = try #require(Samples.everything[Samples.key(key)])
        #expect(FlagRow(entry, in: Samples.view()).marks.map(\.name) == marks)
    }

    @Test("A broken value says in which provider, what was found and what is wanted")
    func broken() throws {
        let row = FlagRow(try #require(Samples.everything[Samples.key("limits/retries")]), in: Samples.view())
        #expect(row.marks.map(\.label) == ["Broken"])
        #expect(row.problems.count == 1)
        #expect(row.problems[0].hasPrefix("overrides has \"many\"; expected a whole number"))
        #expect(row.source == "default")
    }

    @Test("A facet counts what it would leave, and the current one leads back")
    func facets() throws {
        let page = page(["tag": "beta"])
        let marks = try #require(page.facets.first { $0.title == "Status" })
        #expect(marks.links.first { $0.label == "Locked" }?.count == 1)
        #expect(marks.links.first { $0.label == "Locked" }?.href == "/?state=locked&tag=beta")
        let tags = try #require(page.facets.first { $0.title == "Tag" })
        #expect(tags.links.first { $0.isCurrent }?.href == "/")
        #expect(page.countText == "2 of 16 flags")
    }

    @Test(
        "Every facet's count is what its link lists",
        arguments: [
            [:], ["tag": "beta"], ["q": "checkout"], ["state": "on"], ["state": "locked"], ["group": "checkout"],
            ["provider": "default", "type": "bool"], ["state": "on,locked", "tag": "beta", "group": "checkout"],
            ["q": "nothing"],
        ])
    func counts(query: [String: String]) throws {
        let facets = page(query).facets
        let links = facets.flatMap { $0.links + ($0.more?.links ?? []) }
        for link in links where !link.isCurrent {
            let fields = try FormFields(String(link.href.dropFirst(2))).values
            #expect(FlagFilter(query: fields).entries(of: Samples.view()).count == link.count, "\(link)")
        }
        #expect(query["q"] == "nothing" || links.contains { !$0.isCurrent })
    }

    @Test("A chosen group is a facet that leads to the one around it, beside the groups in it")
    func groupFacet() throws {
        let inner = try #require(page(["group": "checkout/payments"]).facets.first { $0.title == "Group" })
        #expect(inner.links.map(\.href) == ["/?group=checkout"])
        let outer = try #require(page(["group": "checkout"]).facets.first { $0.title == "Group" })
        #expect(outer.links.map(\.label) == ["Checkout", "Payments"])
        #expect(outer.links.map(\.href) == ["/", "/?group=checkout%2Fpayments"])
        #expect(outer.links.map(\.count) == [3, 2])
    }

    @Test("A facet of many folds most of them away, never the current one")
    func manyChoices() throws {
        let entries = (0..<30).map { Samples.entry("group\($0)/flag", .bool) }
        let page = FlagListPage(
            frame: Samples.frame(), view: Samples.view(Samples.catalogue(entries)), filter: FlagFilter())
        let groups = try #require(page.facets.first { $0.title == "Group" })
        #expect(groups.links.count == 10)
        #expect(groups.more?.label == "Show 20 more" && groups.more?.links.count == 20)
    }

    @Test("What is searched for comes without groups, each row with its key path")
    func flat() throws {
        let page = page(["q": "wallet"])
        #expect(page.groups.isEmpty && page.flags.map(\.key) == ["checkout/payments/wallet"])
        #expect(page.flags[0].keyText == "checkout/payments/wallet" && page.flags[0].cells.isEmpty)
        #expect(page.flags[0].openHref == "/?q=wallet&open=checkout%2Fpayments%2Fwallet#row")
    }

    @Test("By key, groups and flags stand in the order of their keys")
    func byKey() {
        let page = page(["sort": "key"])
        #expect(page.groups.map(\.key) == ["checkout", "limits", "net", "ui"])
        #expect(page.groups[0].groups[0].flags.map(\.key) == ["checkout/payments/refunds", "checkout/payments/wallet"])
        #expect(page.sorts.filter(\.isSelected).map(\.value) == ["key"])
    }

    @Test("By last change, the newest comes first with who and when, and the never changed last in their own order")
    func byChange() throws {
        let changes = [
            Samples.key("ui/motd"): LastChange(id: 3, at: Samples.now.addingTimeInterval(-7200), actor: "ada"),
            Samples.key("limits/big"): LastChange(id: 9, at: Samples.now.addingTimeInterval(-60), actor: "bob"),
        ]
        let page = FlagListPage(
            frame: Samples.frame(), view: Samples.view(), filter: FlagFilter(sort: .changed), lastChanges: changes)
        #expect(page.groups.isEmpty)
        #expect(page.flags.map(\.key).prefix(4) == ["limits/big", "ui/motd", "blob", "left_over"])
        // The times have a column with a head of its own.
        #expect(page.heads.map(\.label) == ["Flag", "Value", "Source", "Last change"])
        #expect(page.columnCount == 1 && page.flags.map(\.cells.count).prefix(4) == [1, 1, 0, 0])
        let change = try #require(page.flags[1].cells[0].change)
        #expect(change.actor == "ada" && change.ago == "2 hours ago" && change.href == "/history/3")
    }

    @Test("An order goes from its other end too, and what has no place in it stays last")
    func fromTheOtherEnd() throws {
        let entries = ["b": "Web", "a": "web", "c": "shop", "d": nil].map { key, owner in
            Samples.entry(key, .bool, metadata: FlagMetadata(owner: owner))
        }
        let changes = Dictionary(
            uniqueKeysWithValues: [("b", 3), ("d", 9)].map { key, id in
                (Samples.key(key), LastChange(id: id, at: Samples.now, actor: "ada"))
            })
        func keys(_ sort: String) -> [String] {
            FlagListPage(
                frame: Samples.frame(), view: Samples.view(Samples.catalogue(entries.sorted { $0.key < $1.key })),
                filter: FlagFilter(query: ["sort": sort]), lastChanges: changes
            ).flags.map(\.key)
        }
        #expect(keys("-key") == ["d", "c", "b", "a"])
        #expect(keys("owner") == ["c", "a", "b", "d"] && keys("-owner") == ["a", "b", "c", "d"])
        #expect(keys("changed") == ["d", "b", "a", "c"] && keys("-changed") == ["b", "d", "a", "c"])
    }

    @Test("A column's head leads to its order, from there to the other end, and back, and says which of them is there")
    func heads() throws {
        func head(_ sort: String) throws -> ListHead { try #require(page(["sort": sort]).heads.first) }
        let (none, forward, back) = (try head(""), try head("key"), try head("-key"))
        #expect([none, forward, back].map(\.href) == ["/?sort=key", "/?sort=-key", "/"])
        #expect([none, forward, back].map(\.direction) == [nil, "A to Z", "Z to A"])
        #expect([none, forward, back].map(\.arrow) == [nil, "up", "down"])
        #expect(forward.title == "Sort by key path, Z to A" && back.title == "Sort by manifest order")
    }

    @Test("A row's HTML is as recorded")
    func recorded() throws {
        let entry = Samples.entry(
            "ui/<b>", .bool, default: .bool(false), stored: .bool(true),
            metadata: FlagMetadata(name: "Bold & new", description: "Say \"b\"", isLocked: true, tags: ["a b"]))
        let page = FlagListPage(
            frame: Samples.frame(), view: Samples.view(Samples.catalogue([entry])), filter: FlagFilter())
        let html = try Samples.pageSet.templates.html(of: page)
        let start = try #require(html.range(of: "<li class=\"flag\"")).lowerBound
        let end = try #require(html.range(of: "</li>", range: start..<html.endIndex)).upperBound
        let assets = try Samples.pageSet.assets.path
        #expect(html[start..<end].replacing(assets, with: "/assets/VERSION") == Self.row)
    }

    private static let row = """
        <li class="flag" data-flag="ui/&lt;b&gt;" data-state="overridden-on">
        <div class="flag-name"><svg class="icon"><use href="/assets/VERSION/icons.svg#type-bool"/></svg><a class="name" href="/flags/ui/%3Cb%3E">Bold &amp; new</a> \
        <code>ui/&lt;b&gt;</code> <span class="marks"><span class="mark mark-locked" \
        title="An admin must unlock it before it can be changed."><svg class="icon">\
        <use href="/assets/VERSION/icons.svg#lock"/></svg>Locked</span> </span>\
        <p>Say &quot;b&quot;</p></div>\
        <div class="set"><a class="switch is-on" href="/?open=ui%2F%3Cb%3E#row" data-effective>On</a> \
        <span class="type">bool</span></div><bdi class="source">local</bdi>
        <p class="tags"><a class="tag" href="/?tag=a%20b"><span class="unseen">Tag </span><bdi>a b</bdi></a> </p>
        </li>
        """

    @Test("Beyond twenty flags the list is compact, whatever it is narrowed to")
    func density() throws {
        func page(of count: Int, _ filter: FlagFilter = FlagFilter()) -> FlagListPage {
            let entries = (0..<count).map { number in
                Samples.entry("flag\(number)", .bool, metadata: FlagMetadata(tags: ["a"]))
            }
            return FlagListPage(
                frame: Samples.frame(), view: Samples.view(Samples.catalogue(entries)), filter: filter)
        }
        #expect(page(of: 20).density == "roomy" && page(of: 20).flags[0].more?.tags.map(\.label) == ["a"])
        #expect(page(of: 21).density == "compact" && page(of: 21).flags[0].more == nil)
        #expect(page(of: 21, FlagFilter(text: "flag7")).density == "compact")
    }

    @Test("A row of a compact list takes at most 700 bytes, all types together")
    func bytesOfRows() throws {
        let types: [(FlagType, FlagValue)] = [
            (.bool, .bool(true)), (.integer, .integer(7)), (.double, .double(0.25)), (.string, .string("blue")),
        ]
        let entries = (0..<100).map { number in
            let (type, value) = types[number % types.count]
            return Samples.entry(
                "area_\(number / 25)/part_\(number / 5)/flag_\(number)", type, default: value,
                stored: number % 3 == 0 ? value : nil,
                metadata: FlagMetadata(
                    name: "Flag number \(number)", description: "What number \(number) is for, in a short sentence.",
                    tags: ["team \(number % 7)"]))
        }
        let page = FlagListPage(
            frame: Samples.frame(), view: Samples.view(Samples.catalogue(entries), by: .editor), filter: FlagFilter())
        let html = try Samples.pageSet.templates.html(of: page)
        let rows = html.matches(of: /(?s)<li class="flag".*?<\/li>/).map { $0.0.utf8.count }
        #expect(rows.count == 100)
        let mean = rows.reduce(0, +) / rows.count
        #expect(mean <= 700, "\(mean) bytes a row")
    }

    @Test("The open row says all that changing the flag takes, and leads back to the list without it")
    func openRow() async throws {
        let definition = "<key>default</key><integer>5</integer><key>description</key><string>How many</string>"
        let fixture = try DashboardFixture(
            "<key>count</key><integer>3</integer>", flags: [DashboardFixture.flag("count", "integer", definition)],
            role: .editor)
        _ = try await fixture.post("/flags/count", ["action": "set", "value": "4", "reason": "More of them"])
        let page = try await fixture.get("/?q=count&open=count").body
        let row = try #require(page.firstMatch(of: /(?s)<div class="opened".*<\/main>/)?.0)
        for text in [
            "How many", "<h2 id=\"editor-title\">Edit <bdi>Local</bdi></h2>", "name=\"reason\"",
            "Why this value", "More of them", "href=\"/flags/count\"",
            "href=\"/?q=count&amp;at=count#row\" data-close",
        ] {
            #expect(row.contains(text), "\(text)")
        }
        let missing = try await fixture.get("/?open=nothing").body
        #expect(missing.contains("nothing isn’t in this list.") && !missing.contains("class=\"opened\""))
    }

    @Test("The last changes of the open row are lines of the history, with the environment and the reason apart")
    func changesOfOpenRow() async throws {
        let fixture = try DashboardFixture(
            "<key>count</key><integer>3</integer>", flags: [DashboardFixture.flag("count", "integer")],
            team: "<key>count</key><integer>9</integer>", isTeamAsked: false)
        _ = try await fixture.post(
            "/flags/count", ["action": "set", "value": "5", "provider": "Team", "reason": "Quieter"])
        let list = try await fixture.get("/?open=count").body
        let row = try #require(list.firstMatch(of: /(?s)<ul class="opened-changes">(.*?)<\/ul>/)?.1)
        #expect(row.contains("<span class=\"soft\">in <bdi>Team</bdi></span>"))
        #expect(row.contains("<span class=\"reason\" title=\"Quieter\">"))
        let page = try await fixture.get("/flags/count").body
        let line = try #require(page.firstMatch(of: /(?s)<div class="deed">(.*?)<\/div>/)?.1)
        #expect(row.contains(line))
    }

    @Test("A form of the open row comes back to the list that its browser names, and a refused one to the open row")
    func formOfRow() async throws {
        let fixture = try DashboardFixture(
            "<key>count</key><integer>3</integer>", flags: [DashboardFixture.flag("count", "integer")], role: .editor)
        func post(_ value: String, from referrer: String) async throws -> DashboardFixture.Answer {
            try await fixture.post(
                "/flags/count", ["action": "set", "value": "\(value)"], headers: [.referer: referrer])
        }
        let list = "http://localhost/?q=count&open=count&saved=3"
        let done = try await post("4", from: list)
        #expect(done.status == 303)
        #expect(done.headers[.location]?.wholeMatch(of: /\/\?q=count&saved=\w+#row/) != nil)
        let refused = try await post("four", from: list)
        #expect(refused.status == 422 && refused.body.contains("class=\"opened\""))
        #expect(refused.body.contains("<strong>Not saved.</strong>") && refused.body.contains("value=\"four\""))
        for other in ["http://evil.example/?q=count", "http://localhost/flags/count", "http://localhost//evil", "x"] {
            let answer = try await post("5", from: other)
            #expect(answer.headers[.location]?.hasPrefix("/flags/count?saved=") == true, "\(other)")
            _ = try await post("4", from: other)
        }
    }

    @Test("A list is narrowed by an owner, and what no list is narrowed by is said")
    func owners() async throws {
        let fixture = try DashboardFixture(
            "",
            flags: ["ada", "bob"].map { owner in
                DashboardFixture.flag("of_\(owner)", "bool", "<key>owner</key><string>\(owner)</string>")
            })
        let page = try await fixture.get("/?owner=ada").body
        #expect(page.contains("data-flag=\"of_ada\"") && !page.contains("data-flag=\"of_bob\""))
        #expect(page.contains("href=\"/?owner=bob\"") && page.contains("Owner"))
        let wrong = try await fixture.get("/?ownr=ada").body
        #expect(wrong.contains("Unknown filter “ownr”") && wrong.contains("of_bob"))
    }

    @Test(
        "What the list is narrowed to that no flag has is said",
        arguments: [
            ("owner=nobody", "No flags are owned by “nobody”."),
            ("tag=zzz", "No flags have the tag “zzz”."),
            ("provider=zzz", "No provider is named “zzz”."),
            ("group=nope", "No group “nope”."),
            ("owner=ada", nil), ("tag=a", nil), ("provider=Local", nil), ("provider=default", nil),
            ("provider=computed", nil), ("group=ui", nil),
        ])
    func unknownValues(query: String, sentence: String?) async throws {
        let more = "<key>owner</key><string>ada</string><key>tags</key><array><string>a</string></array>"
        let page = try await DashboardFixture("", flags: [DashboardFixture.flag("ui/dark", "bool", more)])
            .get("/?\(query)").body
        let unknown = /No (flags are owned by|flags have the tag|provider is named|group) “/
        #expect(page.contains(unknown) == (sentence != nil))
        #expect(page.contains(sentence ?? "<h1>Flags</h1>"))
    }

    @Test("What is internal is told of as what no flag has")
    func hiddenValues() async throws {
        let more = "<key>owner</key><string>ada</string><key>isInternal</key><true/>"
        let fixture = try DashboardFixture(
            "", flags: [DashboardFixture.flag("ui/dark", "bool", more), DashboardFixture.flag("other", "bool")])
        #expect(try await fixture.get("/?owner=ada").body.contains("No flags are owned by “ada”."))
    }

    @Test("A file without flags teaches how to begin, in a property list that can be read")
    func noFlags() throws {
        let none = FlagListPage(
            frame: Samples.frame(), view: Samples.view(Samples.catalogue([])), filter: FlagFilter())
        let empty = try #require(none.empty)
        let start = try #require(empty.start)
        #expect(empty.heading == "No flags yet" && empty.link == nil && empty.drops.isEmpty)
        let root = try PropertyListSerialization.propertyList(from: Data(start.plist.utf8), format: nil)
        #expect((root as? [String: Bool]) == ["guest_checkout": true])
        #expect(page().empty == nil)
    }

    @Test("A list without flags has no tabs or search, and one button to create a flag")
    func nothingToFind() throws {
        func html(_ query: [String: String] = [:], _ searches: [SavedSearch] = [], count: Int = 0) throws -> String {
            let entries = (0..<count).map { Samples.entry("flag\($0)", .bool) }
            return try Samples.pageSet.templates.html(
                of: FlagListPage(
                    frame: Samples.frame(), view: Samples.view(Samples.catalogue(entries), by: .admin),
                    filter: FlagFilter(query: query), searches: searches))
        }
        func shows(_ html: String) -> [Bool] {
            ["class=\"tabs\"", "id=\"q\"", ">New flag</a>", ">Create flag</a>"].map(html.contains)
        }
        #expect(try shows(html()) == [false, false, false, true])
        #expect(try shows(html(["q": "x"])) == [true, true, false, true])
        let saved = SavedSearch(name: "On", query: "state=on", actor: "ada", made: Samples.now)
        #expect(try shows(html([:], [saved])) == [true, false, false, true])
        #expect(try shows(html(count: 1)) == [true, true, true, false])
    }

    @Test("Where nothing matches, each criterion that can be dropped says what would be left")
    func noMatch() throws {
        let words = try #require(page(["q": "zzz"]).empty)
        #expect(words.link == TextLink(label: "Show all 16 flags", href: "/") && words.drops.isEmpty)
        let both = try #require(page(["state": "locked,restart", "tag": "beta"]).empty)
        #expect(both.drops.map(\.label) == ["Requires restart"])
        #expect(both.drops.map(\.href) == ["/?state=locked&tag=beta"])
        #expect(both.drops.map(\.countText) == ["1 flag"])
        let all = try #require(page(["q": "zzz", "state": "locked,restart", "tag": "beta"]).empty)
        #expect(all.drops.isEmpty && all.advice.hasSuffix("Clear the filters to see all flags."))
    }
}

@Suite("Pages of a long list")
struct ListPagesTests {
    private static let size = ListPages.size

    @Test("A list that fits on one page has no others", arguments: [0, 1, size])
    func one(count: Int) {
        #expect(ListPages(count: count, page: 1) { "\($0)" } == nil)
        #expect(ListPages.range(of: count, page: 1) == 0..<count)
    }

    @Test(
        "Each flag is on one page, and the pages lead to each other",
        arguments: [
            (1, 0..<100, nil, "/?q=x&page=2"), (2, 100..<200, "/?q=x", "/?q=x&page=3"),
            (3, 200..<201, "/?q=x&page=2", nil), (9, 200..<201, "/?q=x&page=2", nil),
        ] as [(Int, Range<Int>, String?, String?)])
    func pages(number: Int, range: Range<Int>, previous: String?, next: String?) throws {
        let filter = FlagFilter(query: ["q": "x", "page": String(number)])
        let pages = try #require(ListPages(count: 201, page: number) { filter.with(\.page, $0).href })
        #expect(ListPages.range(of: 201, page: number) == range)
        #expect(pages.previousHref == previous && pages.nextHref == next)
        let page = min(number, 3)
        #expect(pages.text == "Flags \(range.lowerBound + 1) to \(range.upperBound) of 201, page \(page) of 3")
        #expect(pages.firstHref == (page == 3 ? "/?q=x" : nil) && pages.lastHref == (page == 1 ? "/?q=x&page=3" : nil))
    }

    @Test("A page that there is not is told, with which one is shown")
    func beyond() async throws {
        #expect(ListPages.problem(count: 201, page: 3) == nil && ListPages.problem(count: 0, page: 1) == nil)
        let page = try await DashboardFixture("<key>on</key><true/>").get("/?page=99").body
        #expect(
            page.contains("The list has no page 99. This is the only page.") && page.contains("data-flag=\"on\""))
        #expect(ListPages.problem(count: 201, page: 4)?.hasSuffix("This is page 3, the last one.") == true)
    }

    @Test("Flags are found by the text that they hold, beside what they are called")
    func heldText() async throws {
        let fixture = try DashboardFixture(
            "<key>greeting</key><string>Grüß Gott</string><key>other</key><string>Hello</string><key>n</key><true/>")
        let found = try await fixture.get("/?q=greeting+gruss").body
        #expect(!found.contains("data-flag=\"other\"") && !found.contains("data-flag=\"n\""))
        #expect(try await fixture.get("/?q=GRU%C3%9F").body.contains("data-flag=\"greeting\""))
        #expect(try await !fixture.get("/?q=true").body.contains("data-flag"))
    }

    @Test("A page that can't be is told, and a change of the filter begins anew", arguments: ["0", "-1", "two", "1.5"])
    func wrong(number: String) {
        let filter = FlagFilter(query: ["page": number])
        #expect(filter.page == 1 && filter.problems.count == 1)
        #expect(FlagFilter(query: ["page": "3"]).with(.tag, "a").href == "/?tag=a")
    }

    @Test("A long list shows one page of it, and counts all of it")
    func list() async throws {
        let values = (1...Self.size + 1).map { "<key>flag\(1000 + $0)</key><true/>" }.joined()
        let fixture = try DashboardFixture(values)
        let first = try await fixture.get("/").body
        #expect(first.matches(of: /data-flag=/).count == Self.size && first.contains("\(Self.size + 1) flags"))
        let last = try await fixture.get("/?page=2").body
        #expect(last.matches(of: /data-flag=/).count == 1 && last.contains("data-flag=\"flag\(1001 + Self.size)\""))
    }

    @Test("An address that opens a flag shows the page of the list that has it, and its links stay on that page")
    func openedOnLaterPage() async throws {
        let values = (1...Self.size + 1).map { "<key>flag\(1000 + $0)</key><integer>1</integer>" }.joined()
        let fixture = try DashboardFixture(values, role: .editor)
        let key = "flag\(1001 + Self.size)"
        let page = try await fixture.get("/?open=\(key)").body
        #expect(page.contains("class=\"opened\"") && !page.contains("isn’t in this list"))
        #expect(page.contains("href=\"/?at=\(key)#row\" data-close"))
        let closed = try await fixture.get("/?at=\(key)").body
        #expect(closed.contains("data-flag=\"\(key)\"") && closed.contains("page 2 of 2"))
    }

    @Test("A group that goes on over pages counts all its flags on each of them, and how many are there")
    func groups() throws {
        func entries(_ group: String, _ count: Int) -> [FlagEntry] {
            (0..<count).map { Samples.entry("\(group)/flag\(100 + $0)", .bool) }
        }
        let all = entries("small", 3) + entries("large/part", 250) + entries("large/rest", 3)
        let list = ListedFlags(FlagEntries(all), at: Array(all.indices))
        func counts(_ page: Range<Int>) -> [[String]] {
            let groups = FlagGroup.tree(of: page, in: list, Samples.view()).groups
            return groups.map { [$0.countText] + $0.groups.map(\.countText) }
        }
        #expect(
            counts(0..<100) == [["3 flags"], ["253 flags, 97 on this page", "250 flags, 97 on this page"]])
        #expect(counts(100..<200) == [["253 flags, 100 on this page", "250 flags, 100 on this page"]])
        #expect(
            counts(200..<256) == [["253 flags, 56 on this page", "250 flags, 53 on this page", "3 flags"]])
        #expect(counts(0..<256) == [["3 flags"], ["253 flags", "250 flags", "3 flags"]])
    }
}
