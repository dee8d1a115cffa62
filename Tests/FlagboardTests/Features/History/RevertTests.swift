import FeatureFlags
import FlagChanges
import FlagHistory
import Foundation
import HTTPTypes
import Testing

@testable import Flagboard

@Suite("Reverting changes")
struct RevertTests {
    private func fixture(role: ChangeAuthor.Role = .admin, locked: Bool = false) throws -> DashboardFixture {
        try DashboardFixture(
            "<key>count</key><integer>3</integer><key>title</key><string>Old</string>",
            flags: [
                DashboardFixture.flag("count", "integer", locked ? "<key>isLocked</key><true/>" : ""),
                DashboardFixture.flag("title", "string"), DashboardFixture.flag("extra", "bool"),
                DashboardFixture.flag("slow", "bool", "<key>requiresRestart</key><true/>"),
            ], role: role)
    }

    /// The button that reverts a change on its page; the viewer's last change has a form of its own at the foot of it.
    private static let button = #"type="submit" name="scope" value="change""#

    private func value(_ fixture: DashboardFixture, _ key: String) async throws -> FlagValue? {
        let overview = try await fixture.service.overview()
        guard case .value(_, let stored)? = overview.catalogue[Samples.key(key)]?.resolution["Local"] else {
            return nil
        }
        return stored
    }

    @Test("A change that nothing came after is reverted at once, and the new change says of which one")
    func single() async throws {
        let fixture = try fixture()
        _ = try await fixture.post("/flags/count", ["action": "set", "value": "5"])
        let first = try #require(try fixture.rows().first)
        let answer = try await fixture.post("/history/\(first.id)/revert", ["reason": "It was too much"])
        #expect(answer.status == 303)
        let row = try #require(try fixture.rows().first)
        let page = try await fixture.get(try #require(answer.headers[.location])).body
        #expect(page.contains("Reverted. Back to 3.") && page.contains(">Undo</button>"))
        #expect(row.event.origin == .revert && row.event.kind == .set && row.event.after == .integer(3))
        #expect(row.event.reason == "Revert change \(first.id): It was too much")
        #expect(try await value(fixture, "count") == .integer(3))
    }

    @Test("The notice names the flag but on its own page, another provider, and an undo as such")
    func notice() async throws {
        let fixture = try DashboardFixture(
            "<key>count</key><integer>3</integer>", flags: [DashboardFixture.flag("count", "integer")],
            team: "<key>count</key><integer>9</integer>")
        _ = try await fixture.post("/flags/count", ["action": "set", "value": "5", "provider": "Team"])
        for (change, deed, back, text) in [
            (1, "", "/history", #"dir="auto"><strong><bdi>Count</bdi>:</strong> Reverted. Back to 9 in Team.<"#),
            (2, "undo", "/history", #"dir="auto"><strong><bdi>Count</bdi>:</strong> Undone. Back to 5 in Team.<"#),
            (3, "undo", "/flags/count", #"dir="auto">Undone. Back to 9 in Team.<"#),
        ] {
            let answer = try await fixture.post(
                "/history/\(change)/revert", ["scope": "batch", "confirm": "yes", "deed": deed, "back": back])
            #expect(try await fixture.get(try #require(answer.headers[.location])).body.contains(text), "\(text)")
        }
    }

    @Test("An undo that was looked at first is called so when it is made")
    func previewedUndo() async throws {
        let fixture = try fixture()
        _ = try await fixture.post("/flags/count", ["action": "set", "value": "5"])
        let preview = try await fixture.preview(
            "/history/1/revert", ["scope": "change", "confirm": "no", "deed": "undo", "back": "/history"])
        #expect(preview.field("deed") == "undo")
        let made = try await fixture.applyPreview(preview)
        let page = try await fixture.get(try #require(made.headers[.location])).body
        #expect(page.contains("<strong><bdi>Count</bdi>:</strong> Undone. Back to 3."))
    }

    @Test("A value that was not there before is reset, and one that was reset comes back")
    func absent() async throws {
        let fixture = try fixture()
        _ = try await fixture.post("/flags/extra", ["action": "set", "value": "true"])
        let set = try #require(try fixture.rows().first)
        #expect(try await fixture.post("/history/\(set.id)/revert", [:]).status == 303)
        let reset = try #require(try fixture.rows().first)
        #expect(reset.event.kind == .reset && reset.event.reason == "Revert change \(set.id)")
        #expect(try await fixture.post("/history/\(reset.id)/revert", [:]).status == 303)
        #expect(try await value(fixture, "extra") == .bool(true))
    }

    @Test("A change that another came after is not reverted; the page names that one and links to it")
    func conflict() async throws {
        let fixture = try fixture()
        _ = try await fixture.post("/flags/count", ["action": "set", "value": "5"])
        let first = try #require(try fixture.rows().first)
        _ = try await fixture.post("/flags/count", ["action": "set", "value": "6"])
        let second = try #require(try fixture.rows().first)
        let answer = try await fixture.post("/history/\(first.id)/revert", ["reason": "why"])
        #expect(answer.status == 409)
        #expect(answer.body.contains("change \(second.id) by ada"))
        #expect(answer.body.contains("href=\"/history/\(second.id)\""))
        #expect(answer.body.contains(">No changes<"))
        #expect(try await value(fixture, "count") == .integer(6))
        // What came after was taken back by hand, so nothing stands in the way any more.
        _ = try await fixture.post("/flags/count", ["action": "set", "value": "5"])
        #expect(try await fixture.post("/history/\(first.id)/revert", [:]).status == 303)
        #expect(try await value(fixture, "count") == .integer(3))
    }

    @Test("A change that was overtaken says so before anybody tries to revert it")
    func overtaken() async throws {
        let fixture = try fixture()
        _ = try await fixture.post("/flags/count", ["action": "set", "value": "5"])
        let first = try #require(try fixture.rows().first)
        #expect(try await fixture.get("/history/\(first.id)").body.contains(Self.button))
        _ = try await fixture.post("/flags/count", ["action": "reset"])
        let page = try await fixture.get("/history/\(first.id)").body
        let second = try #require(try fixture.rows().first).id
        #expect(page.contains("Superseded by change \(second) (ada). Not set in Local now."))
        #expect(page.contains("<a href=\"/history/\(second)\">View change \(second)</a>"))
        #expect(!page.contains(Self.button))
    }

    @Test("What takes effect after a restart is agreed to before it is reverted, one or many")
    func restart() async throws {
        let fixture = try fixture()
        let question = "I understand this takes effect after the app restarts"
        for flag in ["extra", "slow"] {
            _ = try await fixture.post("/flags/\(flag)", ["action": "set", "value": "true"])
            let change = try #require(try fixture.rows().first)
            #expect(try await fixture.get("/history/\(change.id)").body.contains(question) == (flag == "slow"))
            let preview = try await fixture.preview("/history/\(change.id)/revert", ["confirm": "no"]).body
            #expect(preview.contains("I understand changes that require a restart") == (flag == "slow"))
        }
        let both = try await fixture.preview("/selected", body: "key=extra&key=slow&action=off").body
        #expect(both.contains("I understand changes that require a restart take effect"))
    }

    @Test("So is what comes back with the flag that requires it")
    func restartOfDeleted() async throws {
        let fixture = try fixture()
        _ = try await fixture.post("/flags/slow", ["action": "set", "value": "true"])
        let slow = Change(key: Samples.key("slow"), action: .remove(withValues: true))
        _ = try await fixture.service.apply(slow, by: ChangeAuthor(name: "bob", role: .admin, origin: .api))
        let change = try #require(try fixture.rows().first)
        let preview = try await fixture.preview("/history/\(change.id)/revert", ["scope": "batch", "confirm": "no"])
        #expect(preview.body.contains("I understand changes that require a restart take effect"))
        #expect(preview.body.contains("Takes effect after the app restarts."))
    }

    @Test("The list of a batch leads to a look at its reverse, for those who may revert it")
    func batchList() async throws {
        for role in [ChangeAuthor.Role.editor, .viewer] {
            let fixture = try fixture(role: role)
            _ = try await fixture.service.apply(
                ChangeRequest(
                    [
                        Change(key: Samples.key("count"), action: .setText("5")),
                        Change(key: Samples.key("title"), action: .setText("New")),
                    ], by: ChangeAuthor(name: "bob", role: .editor, origin: .api)))
            let batch = try #require(try fixture.rows().first).event.batch.uuidString
            let list = try await fixture.get("/history?batch=\(batch)").body
            #expect(list.contains("Revert batch of 2…") == (role == .editor))
            #expect(try await !fixture.get("/history").body.contains("Revert all 2"))
        }
    }

    @Test("A change from outside is reverted like any other")
    func outside() async throws {
        let fixture = try fixture()
        _ = try await fixture.get("/")
        let text = try String(contentsOf: fixture.file, encoding: .utf8)
        try Data(text.replacing("Old", with: "New").utf8).write(to: fixture.file)
        _ = try await fixture.get("/")
        let row = try #require(try fixture.rows().first)
        #expect(row.event.kind == .external)
        #expect(try await fixture.post("/history/\(row.id)/revert", [:]).status == 303)
        #expect(try await value(fixture, "title") == .string("Old"))
    }

    @Test("A batch is shown before it is reverted, and reverted as one")
    func batch() async throws {
        let fixture = try fixture()
        let author = ChangeAuthor(name: "ada", role: .admin, origin: .form)
        _ = try await fixture.service.apply(
            ChangeRequest(
                [
                    Change(key: Samples.key("count"), action: .setText("5")),
                    Change(key: Samples.key("title"), action: .setText("New")),
                    Change(key: Samples.key("count"), action: .setText("6")),
                ], by: author))
        let id = try #require(try fixture.rows().first).id
        let shown = try await fixture.preview("/history/\(id)/revert", ["scope": "batch", "reason": "All wrong"])
        #expect(shown.status == 200 && shown.body.contains("Revert 3 changes"))
        #expect(shown.body.contains("Revert change \(id) and its batch: All wrong"))
        #expect(try await value(fixture, "count") == .integer(6))
        let done = try await fixture.post("/history/\(id)/revert", ["scope": "batch", "confirm": "yes"])
        #expect(done.status == 303)
        #expect(try await value(fixture, "count") == .integer(3))
        #expect(try await value(fixture, "title") == .string("Old"))
        let rows = try fixture.rows().prefix(3)
        #expect(Set(rows.map(\.event.batch)).count == 1 && rows.allSatisfy { $0.event.origin == .revert })
    }

    @Test("What is as before already is neither reverted again nor in the way of the rest")
    func alreadyAsBefore() async throws {
        let fixture = try fixture()
        _ = try await fixture.service.apply(
            ChangeRequest(
                [
                    Change(key: Samples.key("count"), action: .setText("5")),
                    Change(key: Samples.key("count"), action: .setText("6")),
                    Change(key: Samples.key("title"), action: .setText("New")),
                ], by: ChangeAuthor(name: "ada", role: .admin, origin: .import)))
        let id = try #require(try fixture.rows().first).id
        let batch: KeyValuePairs = ["scope": "batch", "confirm": "no"]
        _ = try await fixture.post("/flags/count", ["action": "set", "value": "3"])
        let part = try await fixture.preview("/history/\(id)/revert", batch).body
        #expect(part.contains("1 value is already as before.") && part.contains("1 change, 1 unchanged"))
        #expect(!part.contains("was changed after") && !part.contains(">Error<"))
        _ = try await fixture.post("/flags/title", ["action": "set", "value": "Old"])
        let whole = try await fixture.preview("/history/\(id)/revert", batch).body
        #expect(whole.contains("All 2 values are already as before. There is nothing to revert."))
        #expect(whole.contains("0 changes, 2 unchanged") && !whole.contains(">Error<"))
        let count = try fixture.rows().count
        #expect(try await fixture.post("/history/\(id)/revert", ["scope": "batch", "confirm": "yes"]).status == 409)
        #expect(try fixture.rows().count == count)
    }

    @Test("A lock is lifted by its reversal, by an admin alone")
    func locks() async throws {
        let fixture = try fixture()
        _ = try await fixture.post("/flags/count", ["action": "lock"])
        let lock = try #require(try fixture.rows().first)
        #expect(lock.event.kind == .lock)
        #expect(try await fixture.get("/history/\(lock.id)").body.contains("Unlocks the flag."))
        #expect(try await fixture.post("/history/\(lock.id)/revert", [:]).status == 303)
        #expect(try #require(try fixture.rows().first).event.kind == .unlock)
    }

    @Test("A locked flag stays as it is, and its change's page says so")
    func locked() async throws {
        let fixture = try fixture()
        _ = try await fixture.post("/flags/count", ["action": "set", "value": "5"])
        let change = try #require(try fixture.rows().first)
        _ = try await fixture.post("/flags/count", ["action": "lock"])
        #expect(try await fixture.post("/history/\(change.id)/revert", [:]).status == 423)
        #expect(try await value(fixture, "count") == .integer(5))
        let page = try await fixture.get("/history/\(change.id)").body
        #expect(page.contains("The flag is locked") && !page.contains(Self.button))
    }

    @Test("What changed nothing can't be reverted, in words")
    func kinds() async throws {
        let fixture = try fixture(locked: true)
        _ = try await fixture.post("/flags/count", ["action": "set", "value": "5"])
        let denied = try #require(try fixture.rows().first)
        #expect(denied.event.kind == .denied)
        let answer = try await fixture.post("/history/\(denied.id)/revert", [:])
        #expect(answer.status == 409)
        #expect(answer.body.contains("can’t be reverted: it changed nothing"))
        #expect(try await fixture.get("/history/\(denied.id)").body.contains("Nothing to revert"))
    }

    @Test("A definition is reverted after a look at what it says then, by an admin alone")
    func definitions() async throws {
        let fixture = try fixture()
        let author = ChangeAuthor(name: "ada", role: .admin, origin: .form)
        let count = Samples.key("count")
        _ = try await fixture.service.apply(Change(key: count, action: .tag("spring", isSet: true)), by: author)
        let tagged = try #require(try fixture.rows().first)
        #expect(try await fixture.get("/history/\(tagged.id)").body.contains("Restores the previous definition."))
        let shown = try await fixture.preview("/history/\(tagged.id)/revert", ["scope": "change"])
        #expect(shown.status == 200 && shown.body.contains("Change the definition"))
        #expect(shown.body.contains("<span class=\"entry-path\"><code dir=\"auto\">tags</code>:</span>"))
        #expect(try fixture.rows().first == tagged)
        let done = try await fixture.post("/history/\(tagged.id)/revert", ["confirm": "yes"])
        #expect(done.status == 303)
        #expect(try await fixture.service.storedDefinition(of: count)?.definition.metadata.tags == [])
        let editor = try self.fixture(role: .editor)
        _ = try await editor.service.apply(Change(key: count, action: .tag("spring", isSet: true)), by: author)
        let row = try #require(try editor.rows().first)
        #expect(try await editor.get("/history/\(row.id)").body.contains("Only admins can change definitions."))
        #expect(try await editor.post("/history/\(row.id)/revert", ["confirm": "yes"]).status == 403)
    }

    @Test("Before a definition is reverted, the page says which values are none then")
    func breaking() async throws {
        let fixture = try fixture()
        let count = Samples.key("count")
        var edit = DefinitionEdit(FlagDefinition(key: count, type: .integer))
        edit.definition.constraints.minimum = 1
        let author = ChangeAuthor(name: "ada", role: .admin, origin: .form)
        _ = try await fixture.service.apply(Change(key: count, action: .redefine(edit)), by: author)
        edit.definition.constraints.minimum = nil
        _ = try await fixture.service.apply(Change(key: count, action: .redefine(edit)), by: author)
        _ = try await fixture.service.apply(Change(key: count, action: .setText("0")), by: author)
        let shown = try await fixture.preview("/history/2/revert", ["scope": "change"])
        #expect(shown.status == 200 && shown.body.contains("The value in Local becomes invalid"))
        let harmless = try await fixture.preview("/history/1/revert", ["scope": "change"])
        #expect(!harmless.body.contains("becomes invalid"))
    }

    @Test("A flag that only its value made is put back from the list, from its change's page, and as of then")
    func gone() async throws {
        let fixture = try DashboardFixture("<key>stray</key><integer>4</integer>", flags: [])
        let page = try await fixture.post("/flags/stray", ["action": "reset"])
        let list = try await fixture.get(try #require(page.headers[.location])).body
        #expect(list.contains("The flag had no definition, so it’s gone."))
        #expect(list.contains("Undo change 1: set Local to 4"))
        #expect(try await fixture.post("/flags/stray", ["action": "undo", "change": "1"]).status == 303)
        #expect(try await value(fixture, "stray") == .integer(4))

        _ = try await fixture.post("/flags/stray", ["action": "reset"])
        let absent = try await fixture.get("/flags/stray")
        #expect(absent.status == 404 && absent.body.contains("href=\"/history?key=stray\""))
        #expect(try await !fixture.get("/flags/never").body.contains("any more"))
        let change = try await fixture.get("/history/3").body
        #expect(change.contains("Sets the value back to 4."))
        #expect(try await fixture.post("/history/3/revert", [:]).status == 303)
        #expect(try await value(fixture, "stray") == .integer(4))

        _ = try await fixture.post("/flags/stray", ["action": "reset"])
        let past = try await fixture.get("/history/at?before=5&show=different").body
        #expect(past.contains("value=\"stray\""))
        let preview = try await fixture.preview("/history/at", ["before": "5", "restore": "all", "q": ""])
        #expect(try await fixture.applyPreview(preview).status == 303)
        #expect(try await value(fixture, "stray") == .integer(4))
    }

    @Test("A value that was none before is put back after a look that says so; an undo names it")
    func broken() async throws {
        let fixture = try DashboardFixture(
            "<key>count</key><string>many</string>", flags: [DashboardFixture.flag("count", "integer")])
        let saved = try await fixture.post("/flags/count", ["action": "set", "value": "5"])
        #expect(
            try await fixture.get(try #require(saved.headers[.location])).body.contains("Undo change 1: set Local to"))
        let shown = try await fixture.preview("/history/1/revert", [:])
        #expect(shown.status == 200 && shown.body.contains("The flag will be broken"))
        #expect(try await fixture.post("/flags/count", ["action": "undo", "change": "1"]).status == 303)
        #expect(try String(contentsOf: fixture.file, encoding: .utf8).contains("<string>many</string>"))
    }

    @Test("A viewer sees no form, and is refused")
    func viewer() async throws {
        let fixture = try fixture(role: .viewer)
        _ = try await fixture.service.apply(
            Change(key: Samples.key("count"), action: .setText("5")),
            by: ChangeAuthor(name: "bob", role: .editor, origin: .form))
        let row = try #require(try fixture.rows().first)
        let page = try await fixture.get("/history/\(row.id)").body
        #expect(page.contains("Viewers can’t revert changes.") && !page.contains(Self.button))
        #expect(try await fixture.post("/history/\(row.id)/revert", [:]).status == 403)
        #expect(try await value(fixture, "count") == .integer(5))
    }
}
