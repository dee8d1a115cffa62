import FeatureFlags
import FlagChanges
import Foundation
import Testing

@testable import Flagboard

@Suite("List of flags")
struct FlagListPageTests {
    private func page(_ query: [String: String] = [:]) -> FlagListPage {
        FlagListPage(
            frame: Samples.frame(), view: Samples.view(), filter: FlagFilter(query: query))
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

    @Test(
        "A value shows its kind, and the empty text is not the same as no value",
        arguments: [
            ("ui/banner", "\"\""), ("ui/order", "no value"),
            ("blob", "12 bytes: 07 07 07 07 07 07 07 07 … (SHA-256 8c62e33c…)"), ("ui/motd", "\"Two↵lines\""),
            ("limits/big", "18446744073709551615"), ("ui/layout", "{ \"columns\": 2 }"),
            ("ui/launch", "2026-11-21 14:05:09 UTC"), ("checkout/new_flow", "true"),
        ])
    func values(key: String, shown: String) throws {
        let entry = try #require(Samples.everything[Samples.key(key)])
        #expect(FlagRow(entry, in: Samples.view()).value.plain == shown)
    }

    @Test(
        "What is the matter with a flag is marked",
        arguments: [
            ("left_over", ["undefined"]), ("limits/retries", []), ("checkout/new_flow", ["expired"]),
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
        #expect(row.states.map(\.label) == ["Broken", "Default"])
        #expect(row.problems.count == 1)
        #expect(row.problems[0].hasPrefix("overrides: found string \"many\", wanted a whole number"))
        #expect(row.source == "default")
    }

    @Test("A facet counts what it would leave, and the current one leads back")
    func facets() throws {
        let page = page(["tag": "beta"])
        let states = try #require(page.facets.first { $0.title == "State" })
        #expect(states.links.first { $0.label == "Locked" }?.count == 1)
        #expect(states.links.first { $0.label == "Locked" }?.href == "/?state=locked&tag=beta")
        let tags = try #require(page.facets.first { $0.title == "Tag" })
        #expect(tags.links.first { $0.isCurrent }?.href == "/")
        #expect(page.countText == "2 of 16 flags")
    }

    @Test("A row's HTML is as recorded")
    func recorded() throws {
        let entry = Samples.entry(
            "ui/<b>", .bool, default: .bool(false), stored: .bool(true),
            metadata: FlagMetadata(name: "Bold & new", description: "Say \"b\"", isLocked: true, tags: ["a b"]))
        let page = FlagListPage(
            frame: Samples.frame(), view: Samples.view(Samples.catalogue([entry])), filter: FlagFilter())
        let html = try TemplateLibrary(directory: Samples.templates).render(page)
        let start = try #require(html.range(of: "<li class=\"flag\"")).lowerBound
        let end = try #require(html.range(of: "</li>", range: start..<html.endIndex)).upperBound
        #expect(String(html[start..<end]) == Self.row)
    }

    private static let row = """
        <li class="flag" data-flag="ui/&lt;b&gt;" data-state="overridden-on">
        <div class="flag-name">
        <a class="name" href="/flags/ui/%3Cb%3E" dir="auto">Bold &amp; new</a>
        <code class="key" dir="auto">ui/&lt;b&gt;</code>
        <p class="about" dir="auto">Say &quot;b&quot;</p>
        <p class="marks">
        <span class="mark mark-locked" title="The definition doesn&#39;t allow changes.">\
        <span aria-hidden="true">⊘</span> Locked</span>
        <a class="tag" href="/?tag=a%20b"><span class="unseen">Tag </span><bdi>a b</bdi></a>
        </p>
        </div>
        <div class="flag-state"><span class="cell-label">State</span> <span class="state state-overridden-on">\
        <span aria-hidden="true">◆</span> Overridden on</span> </div>
        <div class="flag-value"><span class="cell-label">Effective value</span> <span>\
        <code class="value value-true" dir="auto" data-effective>true</code> <span class="type">bool</span></span></div>
        <div class="flag-source"><span class="cell-label">Source</span> <bdi>local</bdi></div>
        </li>
        """

    @Test("An empty list teaches, and says which of the two kinds of empty it is")
    func empty() {
        let none = FlagListPage(
            frame: Samples.frame(), view: Samples.view(Samples.catalogue([])), filter: FlagFilter())
        #expect(none.empty?.heading == "No flags yet")
        #expect(none.empty?.link == nil)
        #expect(page(["q": "zzz"]).empty?.link == TextLink(label: "Show all 16 flags", href: "/"))
        #expect(page().empty == nil)
    }
}
