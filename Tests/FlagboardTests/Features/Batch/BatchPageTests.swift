import FeatureFlags
import FlagChanges
import FlagHistory
import Foundation
import HTTPTypes
import Testing

@testable import Flagboard

@Suite("Several changes at once, on a page")
struct BatchPageTests {
    private let fixture: DashboardFixture

    init() throws {
        fixture = try DashboardFixture(
            "<key>count</key><integer>1</integer><key>name</key><string>a</string><key>kept</key><true/>",
            flags: [
                DashboardFixture.flag("count", "integer"), DashboardFixture.flag("name", "string"),
                DashboardFixture.flag("kept", "bool", "<key>isLocked</key><true/>"),
            ])
    }

    private static func change(_ key: String, _ action: Change.Action) throws -> Change {
        Change(key: try #require(FlagKeyPath(text: key)), action: action)
    }

    private func page(_ changes: [Change]) async throws -> BatchPage {
        let author = ChangeAuthor(name: "ada", role: .editor, origin: .form)
        let previews = try await fixture.service.preview(ChangeRequest(changes, by: author))
        let overview = try await fixture.service.overview()
        let proposal = BatchProposal(
            title: "Many", changes: changes, origin: .form, back: "/?state=on", asOf: overview.version)
        let view = CatalogueView(catalogue: overview.catalogue, status: .clear, now: .now)
        return try BatchPage(
            frame: PageFrame(fileName: "flags.xml", providers: []), proposal: proposal, previews: previews, view: view
        ) { _ in "" }
    }

    private func send(_ page: BatchPage, reason: String = "why") async throws -> DashboardFixture.Answer {
        try await fixture.post(
            "/batch",
            [
                "title": page.title, "changes": page.changes, "seal": page.seal, "back": page.back,
                "asof": page.asOf, "agreement": page.agreement, "preview": "gone", "idempotency": page.idempotencyKey,
                "reason": reason,
            ])
    }

    @Test("The page says of each change what it would do; its form makes them as one batch, and once")
    func applied() async throws {
        let page = try await page([
            Self.change("count", .setText("2")), Self.change("name", .setValue(.string(""))),
        ])
        #expect(page.rows.map(\.verdict) == [nil, nil] && page.applyLabel == "Apply 2 changes")
        #expect(page.rows[0].before.plain == "1" && page.rows[0].after.plain == "2")
        let answers = [try await send(page), try await send(page)]
        #expect(
            answers.map(\.status) == [303, 303]
                && Set(answers.map { $0.headers[.location]?.prefix { $0 != "?" } }).count == 1)
        let rows = try fixture.rows()
        #expect(
            rows.count == 2 && Set(rows.map(\.event.batch)).count == 1 && rows.allSatisfy { $0.event.reason == "why" })
    }

    @Test("Where some are refused, the button says how many are made, and leaves the others out")
    func someRefused() async throws {
        let page = try await page([
            Self.change("count", .setText("2")), Self.change("kept", .setText("false")),
            Self.change("name", .setText("a")),
        ])
        #expect(page.rows.map(\.verdict) == [nil, "Error", "No change"])
        #expect(
            page.countText == "1 change, 1 unchanged, 1 error"
                && page.applyLabel == "Apply 1 change, skip 1")
        #expect(try await send(page).status == 303)
        #expect(try fixture.rows().filter { $0.event.kind == .set }.map(\.event.key.text) == ["count"])
    }

    @Test("What was so already is looked at again: where somebody changed it, nothing is made")
    func idleChanged() async throws {
        let page = try await page([
            Self.change("count", .setText("2")), Self.change("kept", .setText("false")),
            Self.change("name", .setText("a")),
        ])
        _ = try await fixture.service.apply(
            Self.change("name", .setText("b")), by: ChangeAuthor(name: "bob", role: .editor, origin: .api))
        let answer = try await send(page)
        #expect(answer.status == 409 && answer.body.contains("Nothing was changed"))
        #expect(try fixture.rows().map(\.event.key.text) == ["name"])
    }

    @Test("Where it is not kept what was asked for, what came since is told once, then just the changes are made")
    func notKept() async throws {
        let page = try await page([Self.change("count", .setText("2")), Self.change("name", .setText("a"))])
        let bob = ChangeAuthor(name: "bob", role: .editor, origin: .api)
        for text in ["b", "c"] { _ = try await fixture.service.apply(Self.change("name", .setText(text)), by: bob) }
        let answer = try await send(page)
        #expect(answer.body.contains("Go back and preview again, or apply the changes below."))
        _ = try await fixture.service.apply(Self.change("name", .setText("d")), by: bob)
        #expect(answer.body.contains("This preview has expired.") && !answer.body.contains("since this preview"))
        #expect(try await fixture.applyPreview(answer).status == 303)
        #expect(try fixture.rows().map(\.event.key.text) == ["count", "name", "name", "name"])
    }

    @Test("What has nothing to do with the changes does not stand in their way")
    func unrelated() async throws {
        let answer = try await fixture.preview("/selected", body: "key=count&action=set&value=2")
        let bob = ChangeAuthor(name: "bob", role: .editor, origin: .api)
        _ = try await fixture.service.apply(Self.change("name", .setText("b")), by: bob)
        #expect(try await fixture.applyPreview(answer).status == 303)
        #expect(try fixture.rows().map(\.event.key.text) == ["count", "name"])
    }

    @Test(
        "What the page said of a change has to be so still: that it waits for a restart now, and what it comes to, is shown"
    )
    func otherEffect() async throws {
        let key = Samples.key("count")
        for change in [
            { (definition: inout FlagDefinition) in definition.metadata.requiresRestart = true },
            { definition in definition.type = .string },
        ] {
            let fixture = try DashboardFixture("", flags: [DashboardFixture.flag("count", "integer")])
            let answer = try await fixture.preview("/selected", body: "key=count&action=set&value=2")
            var definition = try #require(try await fixture.service.overview().catalogue[key]?.definition)
            change(&definition)
            let edit = Change(key: key, action: .redefine(DefinitionEdit(definition)))
            _ = try await fixture.service.apply(edit, by: ChangeAuthor(name: "bob", role: .admin, origin: .form))
            let refused = try await fixture.applyPreview(answer)
            let news = definition.type == .string ? "&quot;2&quot;" : "Takes effect after the app restarts."
            #expect(refused.status == 409 && refused.body.contains(news))
            #expect(try await fixture.applyPreview(refused).status == 303)
            #expect(try fixture.rows().map(\.event.kind) == [.set, .redefine])
        }
    }

    @Test("A first manifest that comes from outside after the preview is looked at before anything is made by it")
    func firstManifest() async throws {
        let fixture = try DashboardFixture("<key>count</key><integer>1</integer>")
        let answer = try await fixture.preview("/selected", body: "key=count&action=set&value=2")
        let flag = DashboardFixture.flag("count", "integer", "<key>requiresRestart</key><true/>")
        let manifest = "<dict><key>version</key><integer>1</integer><key>flags</key><array>\(flag)</array></dict>"
        try Data(DashboardFixture.plist(manifest).utf8).write(to: fixture.service.files.manifest)
        let refused = try await fixture.applyPreview(answer)
        #expect(refused.status == 409 && refused.body.contains("Takes effect after the app restarts."))
        #expect(try await fixture.applyPreview(refused).status == 303)
    }

    @Test("What the page does not show of a flag does not stand in the way of a lock")
    func lockOfOtherEntry() async throws {
        let admin = ChangeAuthor(name: "bob", role: .admin, origin: .form)
        let fixture = try DashboardFixture("", flags: [DashboardFixture.flag("count", "integer")], role: .admin)
        let answer = try await fixture.preview("/selected", body: "key=count&action=lock")
        _ = try await fixture.service.apply(Self.change("count", .tag("new", isSet: true)), by: admin)
        #expect(try await fixture.applyPreview(answer).status == 303)
        #expect(try fixture.rows().map(\.event.kind) == [.lock, .redefine])
    }

    @Test("A lock that was there already, and that somebody lifted meanwhile, is shown before it is made again")
    func idleLock() async throws {
        let admin = ChangeAuthor(name: "ada", role: .admin, origin: .form)
        let fixture = try DashboardFixture(
            "<key>count</key><integer>1</integer>",
            flags: [
                DashboardFixture.flag("count", "integer"),
                DashboardFixture.flag("kept", "bool", "<key>isLocked</key><true/>"),
            ], role: .admin)
        let answer = try await fixture.preview("/selected", body: "key=count&key=kept&action=lock")
        _ = try await fixture.service.apply(Self.change("kept", .unlock), by: admin)
        let again = try await fixture.applyPreview(answer)
        #expect(again.status == 409 && again.body.contains("This flag changed since you previewed it."))
        #expect(try await fixture.applyPreview(again).status == 303)
        #expect(try fixture.rows().prefix(2).allSatisfy { $0.event.kind == .lock })
    }

    @Test("A form that is sent once more gets its first answer, be it that what was so already was changed since")
    func repeatedAfterChange() async throws {
        let fixture = try DashboardFixture(
            "<key>dark</key><false/><key>fast</key><true/>",
            flags: [DashboardFixture.flag("dark", "bool"), DashboardFixture.flag("fast", "bool")])
        let page = try await fixture.preview("/selected", body: "key=dark&key=fast&action=on")
        #expect(try await fixture.applyPreview(page).status == 303)
        _ = try await fixture.service.apply(
            Self.change("fast", .setText("false")), by: ChangeAuthor(name: "bob", role: .editor, origin: .api))
        #expect(try await fixture.applyPreview(page).status == 303)
        #expect(try fixture.rows().map(\.event.key.text) == ["fast", "dark"])
    }

    @Test("What has changed since the page was made is not overwritten: the page comes again, and nothing was changed")
    func changedMeanwhile() async throws {
        let page = try await page([Self.change("count", .setText("2")), Self.change("name", .setText("b"))])
        let other = try Self.change("count", .setText("9"))
        _ = try await fixture.service.apply(other, by: ChangeAuthor(name: "bob", role: .editor, origin: .api))
        let answer = try await send(page, reason: "mine <b>")
        #expect(answer.status == 409 && answer.body.contains("Nothing was changed"))
        #expect(
            answer.body.contains("mine &lt;b&gt;") && answer.body.contains("Apply 1 change, skip 1"))
        #expect(try fixture.rows().count == 1)
    }

    @Test("A preview is shown as things are each time that its page is loaded, and is there for one person alone")
    func loadedAgain() async throws {
        let sent = try await fixture.post(
            "/selected", ["key": "count", "action": "set", "value": "2", "back": "/?q=c"])
        let address = try #require(sent.headers[.location])
        #expect(sent.status == 303 && address.hasPrefix("/batch?preview="))
        #expect(try await fixture.get(address).body.contains("Apply change"))
        let author = ChangeAuthor(name: "bob", role: .editor, origin: .api)
        _ = try await fixture.service.apply(Self.change("count", .setText("2")), by: author)
        let again = try await fixture.get(address)
        #expect(again.status == 200 && again.body.contains("No change") && again.body.contains("href=\"/?q=c\""))
        let id = try #require(again.field("preview"))
        #expect(fixture.dashboard.previewRequests.find(id, of: "bob") == nil)
        let unknown = try await fixture.get("/batch?preview=x")
        #expect(unknown.status == 404 && unknown.body.contains("Preview not found"))
    }

    @Test("A form that was overtaken comes again with what its changes do now, and can be sent then")
    func overtaken() async throws {
        let fields: KeyValuePairs = ["key": "count", "action": "set", "value": "2", "back": "/"]
        let first = try await fixture.preview("/selected", fields)
        let author = ChangeAuthor(name: "bob", role: .editor, origin: .api)
        _ = try await fixture.service.apply(Self.change("count", .setText("9")), by: author)
        let answer = try await fixture.applyPreview(first, reason: "mine <b>")
        #expect(answer.status == 409 && answer.body.contains("The preview below is up to date: review it, then apply."))
        #expect(answer.body.contains("This flag changed since you previewed it."))
        #expect(answer.body.contains("mine &lt;b&gt;") && answer.body.contains("Apply change"))
        #expect(try await fixture.applyPreview(answer).status == 303)
        #expect(try fixture.rows().first?.event.before == .integer(9))
    }

    @Test("A preview says what the app gets where that is not what the provider holds then")
    func effective() async throws {
        let fixture = try DashboardFixture(
            "<key>count</key><integer>1</integer>",
            flags: [DashboardFixture.flag("count", "integer", "<key>default</key><integer>7</integer>")],
            team: "<key>count</key><integer>4</integer>")
        func says(_ action: String, _ value: String, in provider: String) async throws -> String {
            let page = try await fixture.preview(
                "/selected", ["key": "count", "action": action, "value": value, "provider": provider])
            let note = page.body.firstRange(of: "batch-note\">")
            return note.map { String(page.body[$0.upperBound...].prefix { $0 != "<" }) } ?? ""
        }
        #expect(try await says("reset", "", in: "Local") == "The value in use becomes 4 (Team).")
        #expect(try await says("set", "2", in: "Local") == "")
        #expect(try await says("set", "2", in: "Team") == "The value in use stays 1 (Local).")
        _ = try await fixture.post("/flags/count", ["action": "reset", "provider": "Team"])
        #expect(try await says("reset", "", in: "Local") == "The value in use becomes 7 (default).")
    }

    @Test("Where several providers of a flag change together, each row says what comes of all of them")
    func effectiveTogether() async throws {
        let flag = DashboardFixture.flag("count", "integer", "<key>default</key><integer>7</integer>")
        let fixture = try DashboardFixture("", flags: [flag], team: "")
        for provider in ["Local", "Team"] {
            _ = try await fixture.post("/flags/count", ["action": "set", "value": "1", "provider": provider])
        }
        let page = try await fixture.preview("/history/at", ["before": "1", "restore": "all", "show": "different"])
        let notes = page.body.split(separator: "batch-note\">").dropFirst().map { String($0.prefix { $0 != "<" }) }
        #expect(notes == Array(repeating: "The value in use becomes 7 (default).", count: 2))
    }

    @Test("The newest previews of each person are kept, and no more than fit")
    func kept() throws {
        let requests = PreviewRequests(maximumForOne: 2, maximumBytes: 10)
        func ask(_ reason: String, _ person: String) throws -> String {
            requests.add(
                RevertPreview(change: 1, request: RevertRequest(try FormFields("reason=\(reason)"))), of: person)
        }
        let ids = [try ask("a", "ada"), try ask("b", "ada"), try ask("c", "bob"), try ask("d", "ada")]
        #expect(ids.map { requests.find($0, of: "ada") != nil } == [false, true, false, true])
        #expect(requests.find(ids[2], of: "bob") != nil && Set(ids).count == 4)
        let large = try ask("0123456789abc", "bob")
        #expect(requests.find(large, of: "bob") != nil && requests.find(ids[3], of: "ada") == nil)
    }

    @Test(
        "What says that changes are a revert or an import counts for just these changes, and is nothing to be named by hand",
        arguments: ["revert", "import"])
    func origin(named: String) async throws {
        let fixture = try DashboardFixture(
            "<key>count</key><integer>1</integer><key>name</key><string>a</string>", role: .admin)
        _ = try await fixture.post("/flags/count", ["action": "set", "value": "2"])
        let preview =
            named == "revert"
            ? try await fixture.preview("/history/1/revert", body: "confirm=no")
            : try await fixture.preview("/import", ["text": #"{"count": 1}"#])
        let seal = try #require(preview.field("seal"))
        let others = try ProposedChanges.text(of: [Self.change("name", .setText("b"))])
        for (key, seal) in [("1", ""), ("2", seal), ("3", "revert")] {
            let answer = try await fixture.post(
                "/batch", ["changes": others, "origin": named, "seal": seal, "back": "/", "idempotency": key])
            #expect(answer.status == 303)
        }
        #expect(try await fixture.applyPreview(preview).status == 303)
        let origins = try fixture.rows().map(\.event.origin)
        #expect(origins == [HistoryRecord.Origin(rawValue: named), .form, .form])
    }

    @Test("Another person can't make changes come in by the way that a page of somebody else's says")
    func sealOfAnother() {
        let seals = ProposalSeal()
        let seal = seals.text(of: "[]", from: .import, for: "ada")
        #expect(seals.origin(of: "[]", sentBy: "ada", under: seal) == .import)
        #expect(seals.origin(of: "[]", sentBy: "bob", under: seal) == .form)
        #expect(seals.origin(of: "[ ]", sentBy: "ada", under: seal) == .form)
        #expect(ProposalSeal().origin(of: "[]", sentBy: "ada", under: seal) == .form)
    }

    @Test(
        "A form that the page did not make changes nothing",
        arguments: [
            ("changes", "[]"), ("changes", "{"), ("changes", #"[{"key":"count","action":"erase"}]"#),
            ("idempotency", ""),
        ])
    func malformed(name: String, value: String) async throws {
        let page = try await page([Self.change("count", .setText("2"))])
        var fields = [
            "changes": page.changes, "back": "/", "idempotency": "x",
        ]
        fields[name] = value
        let body = fields.map { "\($0)=\(PageLink.encode($1))" }.joined(separator: "&")
        let answer = try await fixture.ask(.post, "/batch", [.secFetchSite: "same-origin"], body: body)
        #expect(answer.status == 400)
        #expect(try fixture.rows().isEmpty)
    }

    @Test(
        "Changes come out of the form as they went in",
        arguments: [
            Change.Action.setText("é\n\""), .setValue(.data(Data([0, 255]))), .setValue(.double(.nan)),
            .setJSON(JSONInput(.array([.integer(Int128(UInt64.max)), .string("")]))), .reset, .lock, .unlock,
        ])
    func roundTrip(action: Change.Action) throws {
        var change = Change(key: FlagKeyPath(components: ["a/b", ""]), action: action, provider: "Team", reason: "r")
        change.revisions = [FlagRevision(rawValue: "x"), FlagRevision(rawValue: "y")]
        let text = try ProposedChanges.text(of: [change])
        let again = try #require(ProposedChanges.changes(in: text, reason: "r")?.first)
        #expect(again.key == change.key && again.provider == "Team" && again.revisions == change.revisions)
        #expect("\(again.action)" == "\(action)")
    }
}
