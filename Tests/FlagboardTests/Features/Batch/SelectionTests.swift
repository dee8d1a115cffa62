import FeatureFlags
import FlagChanges
import FlagHistory
import Foundation
import HTTPTypes
import Testing

@testable import Flagboard

@Suite("Flags that are ticked in the list")
struct SelectionTests {
    private static let flags = [
        DashboardFixture.flag("a", "bool"), DashboardFixture.flag("b/c", "bool"), DashboardFixture.flag("n", "integer"),
        DashboardFixture.flag("motd", "string"), DashboardFixture.flag("fixed", "bool", "<key>isLocked</key><true/>"),
        DashboardFixture.flag("hidden", "bool", "<key>isInternal</key><true/>"),
    ]

    private func fixture(role: ChangeAuthor.Role = .admin) throws -> DashboardFixture {
        try DashboardFixture(
            "<key>a</key><false/><key>motd</key><string>x</string><key>hidden</key><true/>", flags: Self.flags,
            role: role)
    }

    private func choose(
        _ fixture: DashboardFixture, _ keys: [String], _ fields: KeyValuePairs<String, String>
    ) async throws -> DashboardFixture.Answer {
        let ticked = keys.map { "key=\(PageLink.encode($0))" }.joined(separator: "&")
        return try await fixture.preview("/selected", body: "\(ticked)&\(DashboardFixture.encoded(fields))")
    }

    @Test("Booleans are turned on together; other flags are skipped, by name, and not refused")
    func turnsOn() async throws {
        let fixture = try fixture()
        let page = try await choose(
            fixture, ["a", "b/c", "motd", "fixed", "a"], ["action": "on", "provider": "Local", "back": "/?q=x"])
        #expect(page.status == 200 && page.body.contains("Turn on 3 flags"))
        #expect(page.body.contains("2 changes, 1 error"))
        #expect(page.body.contains("Only Booleans can be turned on or off. Skipped: Motd."))
        #expect(page.body.contains("href=\"/?q=x\"") && page.body.contains("fixed is locked"))
        #expect(try fixture.rows().isEmpty)
        let none = try await choose(fixture, ["motd", "n"], ["action": "off"])
        #expect(none.status == 200 && none.body.contains("Skipped: Motd, N.") && none.body.contains("No changes"))
        #expect(try await choose(fixture, ["a"], ["action": "off"]).body.contains("Skipped") == false)
    }

    @Test("An internal flag is answered like one that was never there")
    func internalFlags() async throws {
        let fixture = try fixture()
        let page = try await choose(fixture, ["hidden"], ["action": "reset"])
        let other = try await choose(fixture, ["absent"], ["action": "reset"])
        func comparable(_ answer: DashboardFixture.Answer) -> String {
            answer.body.replacing(answer.field("idempotency") ?? "?", with: "")
                .replacing(answer.field("preview") ?? "?", with: "").replacing("absent", with: "hidden")
        }
        #expect(page.status == other.status && comparable(page) == comparable(other))
        #expect(page.body.contains("Flag “hidden"))
    }

    @Test("A tag is added to all of them, in a preview that names their tags")
    func addsTag() async throws {
        let fixture = try fixture()
        let page = try await choose(fixture, ["a", "b/c", "fixed"], ["action": "tag", "tag": " spring ", "value": ""])
        #expect(page.status == 200 && page.body.contains("Add tag spring to 3 flags"))
        #expect(page.body.contains("3 changes") && page.body.contains("spring"))
        #expect(try await choose(fixture, ["a"], ["action": "tag", "tag": " "]).status == 422)
        let bar = try await fixture.ask(.get, "/")
        #expect(bar.body.contains("data-takes=\"tag\"") && bar.body.contains("name=\"tag\""))
        let editor = try await self.fixture(role: .editor).ask(.get, "/")
        #expect(!editor.body.contains("name=\"tag\""))
    }

    @Test("Several tags are added at once, and each is there once")
    func addsTags() async throws {
        let fixture = try fixture()
        let page = try await choose(fixture, ["a", "fixed"], ["action": "tag", "tag": "spring, sale,, spring "])
        #expect(page.body.contains("Add tags spring, sale to 2 flags") && page.body.contains("4 changes"))
        #expect(try await fixture.applyPreview(page).status == 303)
        #expect(
            try await fixture.service.overview().catalogue[Samples.key("a")]?.definition.metadata.tags == [
                "spring", "sale",
            ])
    }

    @Test("All flags that a list finds are meant on every page of it, whichever are ticked")
    func everything() async throws {
        let flags = (0..<260).map { DashboardFixture.flag("group/f\($0)", "bool") } + Self.flags
        let fixture = try DashboardFixture("", flags: flags, role: .admin)
        let list = try await fixture.get("/?group=group&page=2").body
        #expect(list.contains("All 260 matching flags on all pages"))
        #expect(try await !fixture.get("/?q=f239").body.contains("name=\"extent\""))
        #expect(list.contains("name=\"query\" value=\"group=group\""))
        let all: KeyValuePairs = ["extent": "all", "query": "group=group", "action": "on", "tag": "a, b"]
        let page = try await choose(fixture, ["a"], all)
        #expect(page.body.contains("Turn on 260 flags") && page.body.contains("260 changes"))
        for query in ["q=hidden", "state=odd"] {
            #expect(try await choose(fixture, [], ["extent": "all", "query": query, "action": "reset"]).status == 422)
        }
        #expect(try await choose(fixture, [], ["extent": "all", "back": "/", "action": "reset"]).status == 422)
    }

    @Test("More changes than can be made at once are refused before anybody works them out")
    func tooManyChanges() async throws {
        let tags = (0..<101).map(String.init).joined(separator: ",")
        let keys = (0..<100).map { "f\($0)" }
        let answer = try await choose(try fixture(), keys, ["action": "tag", "tag": tags])
        #expect(answer.status == 422 && answer.body.contains("You selected 100 flags with 101 changes each"))
    }

    @Test("A form that lacks a flag, a deed or a tag comes back in its list, with what was chosen in it")
    func incomplete() async throws {
        let fixture = try fixture()
        let none = try await choose(fixture, [], ["action": "on", "back": "/?q=a"])
        #expect(none.status == 422 && none.body.contains("No flags are selected. Select the flags"))
        #expect(none.body.contains("value=\"on\" data-takes=\"\" selected"))
        #expect(none.body.contains("value=\"a\" dir=\"auto\"") && !none.body.contains("data-flag=\"n\""))
        for action in ["", "burn"] {
            let form = try await choose(
                fixture, ["a", "motd"], ["action": action, "value": "<x>", "back": "/?q=motd"])
            #expect(form.status == 422 && form.body.contains("id=\"selection-action-problem\">Select an action."))
            #expect(form.body.contains("value=\"motd\" form=\"selection\" aria-label=\"Select Motd\" checked"))
            #expect(form.body.contains("name=\"key\" value=\"a\" data-away"))
            #expect(form.body.contains("Also selected: a, which is not on this page."))
            #expect(form.body.contains("name=\"value\" value=\"&lt;x&gt;\""))
        }
        let tagless = try await choose(fixture, ["a"], ["action": "tag", "tag": " , ", "back": "/history"])
        #expect(tagless.status == 422 && tagless.body.contains("id=\"selection-tag-problem\">Enter a tag."))
        #expect(tagless.body.contains("name=\"tag\" value=\" , \"") && tagless.body.contains("data-flag=\"b/c\""))
        for back in ["/?view=providers", "/?q=no+such+flag"] {
            #expect(try await choose(fixture, [], ["action": "on", "back": back]).body.contains("Nothing to preview"))
        }
        #expect(try await choose(fixture, ["a"], ["action": "on", "x": "1"]).status == 200)
        #expect(
            try await fixture.ask(.post, "/selected", [.secFetchSite: "same-origin"], body: "key=a&x=1&x=2").status
                == 400)
        #expect(try await fixture.get("/selected").status == 405)
    }

    @Test("More fields than a list has are refused")
    func tooMany() async throws {
        let keys = (0...BatchProposal.largest).map { "k\($0)" }
        #expect(try await choose(try fixture(), keys, ["action": "reset"]).status == 400)
    }

    @Test("An address elsewhere to go back to is not taken")
    func back() async throws {
        let page = try await choose(try fixture(), ["a"], ["action": "on", "back": "//evil.example/"])
        #expect(!page.body.contains("evil.example"))
    }

    @Test("The list has boxes for those who may change something, and locks for admins alone")
    func offers() async throws {
        for (role, boxes, locks) in [
            (ChangeAuthor.Role.viewer, false, false), (.editor, true, false), (.admin, true, true),
        ] {
            let page = try await fixture(role: role).get("/").body
            #expect(page.contains("name=\"key\" value=\"b/c\"") == boxes, "\(role)")
            #expect(page.contains("<option value=\"lock\"") == locks, "\(role)")
        }
    }
}
