import FeatureFlags
import FlagChanges
import FlagHistory
import Foundation
import HTTPTypes
import Synchronization
import Testing

@testable import Flagboard

@Suite("The time machine")
struct TimeMachineTests {
    private static let flags = [
        DashboardFixture.flag("count", "integer", "<key>default</key><integer>1</integer>"),
        DashboardFixture.flag("dark", "bool"),
        DashboardFixture.flag("secret", "string", "<key>isInternal</key><true/>"),
    ]

    /// A dashboard in which `count` went from 3 to 5, and `dark` was set.
    private func fixture(role: ChangeAuthor.Role = .editor, clock: TestClock? = nil) async throws -> DashboardFixture {
        let fixture = try DashboardFixture(
            "<key>count</key><integer>3</integer><key>secret</key><string>hush</string>", flags: Self.flags,
            team: "<key>count</key><integer>9</integer>", role: role, clock: { clock?.now ?? Date() })
        let author = ChangeAuthor(name: "ada", role: .admin, origin: .form)
        for (key, text) in [("count", "4"), ("count", "5"), ("dark", "true")] {
            _ = try await fixture.service.apply(
                Change(key: Samples.key(key), action: .setText(text)), by: author)
        }
        return fixture
    }

    @Test(
        "A moment is read from the address in each of its forms",
        arguments: [
            (["time": "2026-11-20T12:00:00Z"], "2026-11-20T12:00:00Z", "2026-11-20", "12:00:00"),
            (["day": "2026-11-20", "clock": "12:00"], "2026-11-20T12:00:00Z", "2026-11-20", "12:00:00"),
            (["day": "2026-11-20", "clock": "12:34:56"], "2026-11-20T12:34:56Z", "2026-11-20", "12:34:56"),
            (["day": "2026-11-20", "clock": ""], "2026-11-20T00:00:00Z", "2026-11-20", "00:00:00"),
            (["time": "2026-11-20T14:00:00+02:00"], "2026-11-20T12:00:00Z", "2026-11-20", "12:00:00"),
            (["time": "2026-11-20T12:00:00.250Z"], "2026-11-20T12:00:00.250Z", "2026-11-20", "12:00:00"),
        ])
    func moments(query: [String: String], written: String, day: String, clock: String) throws {
        let filter = PastFilter(query: query, now: Samples.now)
        #expect(filter.problems == [] && filter.day == day && filter.clock == clock)
        #expect(filter.href == "/history/at?time=\(PageLink.encode(written))")
        guard case .time(let date) = filter.instant else {
            Issue.record("no time")
            return
        }
        let seconds = date.timeIntervalSinceReferenceDate
        let fraction = seconds - seconds.rounded(.down)
        #expect(written.contains(".") ? fraction == 0.25 : fraction > 0.9)
        #expect(PastFilter(query: ["time": written], now: Samples.now).instant == filter.instant)
    }

    @Test(
        "What is no moment, or still to come, is told of in words",
        arguments: [
            (["time": "soon"], "is not a time"), (["time": "2026-02-30"], "is not a time"),
            (["day": "x", "clock": "y"], "is not a time"), (["before": "x"], "is not a change number"),
            (["time": "2100-01-01T00:00:00Z"], "is in the future"), (["clock": "12:00"], "Enter a date too."),
        ])
    func wrongMoments(query: [String: String], words: String) async throws {
        let filter = PastFilter(query: query, now: Samples.now)
        #expect(filter.instant == nil && filter.problems.count == 1 && filter.problems[0].contains(words))
        let text = query.map { "\($0.key)=\(PageLink.encode($0.value))" }.joined(separator: "&")
        let answer = try await fixture().get("/history/at?\(text)")
        #expect(answer.status == 200 && answer.body.contains("role=\"alert\""))
    }

    @Test("Just before each change the flags are those of then, those that differ now are marked, and none is internal")
    func beforeChanges() async throws {
        let fixture = try await fixture()
        for (row, value, different) in [(1, "3", 2), (2, "4", 2), (3, "5", 1)] {
            let answer = try await fixture.get("/history/at?before=\(row)&show=all")
            #expect(answer.status == 200)
            #expect(answer.body.contains(">\(value)</code>"))
            #expect(answer.body.components(separatedBy: "data-difference=\"different\"").count == different + 1)
            #expect(!answer.body.contains("secret") && !answer.body.contains("hush"))
        }
        let change = try await fixture.get("/history/2")
        #expect(change.body.contains("href=\"/history/at?before=2\""))
        #expect(try await fixture.get("/history/at?before=4").status == 404)
    }

    @Test("Before the first row, that is said; at the present nothing differs")
    func ends() async throws {
        let fixture = try await fixture()
        let first = try await fixture.get("/history/at?time=2001-01-01T00:00:00Z")
        #expect(first.body.contains("History starts at") && first.body.contains("data-difference=\"different\""))
        let now = FlagDate.text(Date().addingTimeInterval(0.9))
        let last = try await fixture.get("/history/at?time=\(PageLink.encode(now))&show=different")
        #expect(last.body.contains("No values have changed since."))
        #expect(last.body.contains("All values are the same."))
    }

    @Test("A page that there is not is told, but not where no flags are shown")
    func beyond() async throws {
        let fixture = try await fixture()
        let problem = "The list has no page 7. This is the only page."
        #expect(try await fixture.get("/history/at?before=1&page=7").body.contains(problem))
        #expect(try await !fixture.get("/history/at?page=7").body.contains(problem))
    }

    @Test("What was pruned is said, with from when on the past is known, and no flags are shown")
    func pruned() async throws {
        let fixture = try await fixture()
        let event = HistoryEvent(
            batch: UUID(), at: Date(), actor: "ada", role: "admin", origin: .cli, kind: .prune, provider: nil,
            key: Samples.key("history"), type: nil, before: nil, after: nil)
        _ = try fixture.service.history.prune(upTo: 2, recording: event)
        let answer = try await fixture.get("/history/at?time=2001-01-01")
        #expect(answer.body.contains("Changes up to number 2 were archived in"))
        #expect(!answer.body.contains("data-flag"))
        #expect(try await fixture.get("/history/at/values.xml?time=2001-01-01").status == 404)
        let archived = try await fixture.get("/history/at?before=1")
        #expect(archived.status == 404 && archived.body.contains("Archived"))
        #expect(try await fixture.get("/history/at?before=3").body.contains("data-flag"))
    }

    @Test("The values of then can be taken away as a property list and as JSON, without what is internal")
    func exports() async throws {
        let fixture = try await fixture()
        let xml = try await fixture.get("/history/at/values.xml?before=1")
        #expect(xml.status == 200 && xml.body.contains("<integer>3</integer>") && !xml.body.contains("secret"))
        #expect(xml.headers[.contentDisposition]?.hasPrefix("attachment; filename=\"flags-20") == true)
        let json = try await fixture.get("/history/at/values.json?before=2&provider=Local")
        #expect(json.body == "{\n  \"count\": 4\n}\n")
        let team = try await fixture.get("/history/at/values.json?before=2&provider=Team")
        #expect(team.body.contains("9") && team.headers[.contentDisposition]?.contains("provider-2") == true)
        #expect(try await fixture.get("/history/at/values.json?before=2&provider=None").status == 404)
        #expect(try await fixture.get("/history/at/values.json").status == 404)
    }

    @Test("The chosen flags are restored as a batch of origin revert, with the moment as the reason")
    func restoresChosen() async throws {
        let fixture = try await fixture()
        let preview = try await fixture.preview("/history/at", ["before": "1", "restore": "chosen", "key": "count"])
        #expect(preview.status == 200 && preview.body.contains("Restore flags from 20"))
        #expect(try await fixture.applyPreview(preview).status == 303)
        let row = try #require(try fixture.rows().first?.event)
        #expect(row.key == Samples.key("count") && row.after == .integer(3) && row.origin == .revert)
        #expect(row.reason.hasPrefix("Restore from 20"))
        #expect(try fixture.rows().count == 4)
    }

    @Test("All that differ are restored together, and those that are locked left out")
    func restoresAll() async throws {
        let fixture = try await fixture()
        let author = ChangeAuthor(name: "ada", role: .admin, origin: .form)
        _ = try await fixture.service.apply(Change(key: Samples.key("count"), action: .lock), by: author)
        let page = try await fixture.get("/history/at?before=1")
        #expect(page.body.contains("Locked. An admin must unlock it first."))
        let preview = try await fixture.preview(
            "/history/at", ["before": "1", "restore": "all", "show": "all", "q": ""])
        #expect(
            preview.body.contains(
                "1 flag can’t be restored (locked, read-only, admin-only or in another environment)."))
        #expect(try await fixture.applyPreview(preview).status == 303)
        #expect(try fixture.rows().first?.event.kind == .reset)
        let again = try await fixture.post("/history/at", ["before": "1", "restore": "all", "q": "dark"])
        #expect(again.status == 422)
    }

    @Test("A flag that differs in another environment alone isn't restored, and the page says why")
    func otherEnvironment() async throws {
        let fixture = try DashboardFixture(
            "<key>count</key><integer>3</integer>", flags: Self.flags, team: "<key>count</key><integer>9</integer>",
            isTeamAsked: false)
        _ = try await fixture.post("/flags/count", ["action": "set", "value": "5", "provider": "Team"])
        let page = try await fixture.get("/history/at?before=1").body
        #expect(page.contains("Only values of other environments differ. They aren’t restored here"))
        #expect(!page.contains("read-only values differ") && !page.contains("value=\"all\""))
    }

    @Test("A flag that was still as it was then and was changed after the preview is shown before all are restored")
    func overlooked() async throws {
        let fixture = try await fixture()
        let author = ChangeAuthor(name: "bob", role: .admin, origin: .api)
        let count = Samples.key("count")
        _ = try await fixture.service.apply(Change(key: count, action: .setText("3")), by: author)
        let preview = try await fixture.preview("/history/at", ["before": "1", "restore": "all"])
        #expect(!preview.body.contains("data-changes=\"count\""))
        _ = try await fixture.service.apply(Change(key: count, action: .setText("4")), by: author)
        let refused = try await fixture.applyPreview(preview)
        #expect(refused.status == 409 && refused.body.contains("This flag changed since you previewed it."))
        #expect(try await fixture.applyPreview(refused).status == 303)
        #expect(try fixture.rows().first { $0.event.key == count }?.event.after == .integer(3))
    }

    @Test("A flag that was deleted is restored with its definition, by an admin; an editor is told who can")
    func deleted() async throws {
        let author = ChangeAuthor(name: "ada", role: .admin, origin: .form)
        for role in [ChangeAuthor.Role.admin, .editor] {
            let fixture = try DashboardFixture(
                "<key>count</key><integer>3</integer>",
                flags: [DashboardFixture.flag("count", "integer", "<key>owner</key><string>ann</string>")], role: role)
            let key = Samples.key("count")
            _ = try await fixture.service.apply(Change(key: key, action: .remove(withValues: true)), by: author)
            let page = try await fixture.get("/history/at?before=1&show=different").body
            guard role == .admin else {
                #expect(page.contains("Deleted. Only admins can restore it.") && !page.contains("value=\"count\""))
                continue
            }
            #expect(page.contains("Restoring brings the deleted flag back."))
            let preview = try await fixture.preview(
                "/history/at", ["before": "1", "restore": "chosen", "key": "count"])
            #expect(preview.body.contains("2 changes"))
            #expect(try await fixture.applyPreview(preview).status == 303)
            let entry = try #require(try await fixture.service.overview().catalogue[key])
            #expect(entry.isDefined && entry.definition.metadata.owner == "ann")
            #expect(entry.resolution.effectiveValue == .integer(3))
        }
    }

    @Test(
        "What can't be restored is refused on the page",
        arguments: [
            (["before": "1", "restore": "chosen"], 422), (["before": "1", "restore": "odd", "key": "count"], 422),
            (["restore": "all"], 422), (["before": "9", "restore": "all"], 404),
            (["before": "1", "restore": "chosen", "key": "secret"], 422),
        ])
    func refused(fields: [String: String], status: Int) async throws {
        let fixture = try await fixture()
        let body = fields.map { "\($0.key)=\($0.value)" }.joined(separator: "&")
        let answer = try await fixture.ask(.post, "/history/at", [.secFetchSite: "same-origin"], body: body)
        #expect(answer.status == status)
        #expect(try fixture.rows().count == 3)
    }

    @Test("A refusal has the address of its page, with the moment, the filter and the page of the list")
    func addressOfRefusal() async throws {
        let fixture = try await fixture()
        let address = "/history/at?before=1&show=all&q=a"
        let written = address.replacing("&", with: "&amp;")
        #expect(try await fixture.get(address).body.contains("<form method=\"post\" action=\"\(written)\""))
        let fields: KeyValuePairs = ["before": "1", "show": "all", "q": "a", "restore": "chosen"]
        let refused = try await fixture.post(address, fields)
        #expect(refused.status == 422 && refused.body.contains("<form method=\"post\" action=\"\(written)\""))
        #expect(refused.body.contains("http://localhost\(written)</pre>"))
        let beyond = try await fixture.post("\(address)&page=2", ["before": "1", "page": "2", "restore": "chosen"])
        #expect(beyond.body.contains("http://localhost/history/at?before=1&amp;page=2</pre>"))
        let usual = try await fixture.get("/history/at").body
        #expect(usual.contains("<form method=\"post\" action=\"/history/at?before=3\""))
    }

    @Test("A viewer sees the flags of then and why nothing can be restored")
    func viewer() async throws {
        let fixture = try await fixture(role: .viewer)
        let page = try await fixture.get("/history/at?before=1")
        #expect(page.body.contains("Viewers can’t restore values."))
        #expect(!page.body.contains("type=\"checkbox\""))
        let answer = try await fixture.post("/history/at", ["before": "1", "restore": "all"])
        #expect(answer.status == 403)
    }

    @Test("Without a moment, the page shows what differs since just before the last change, and says so")
    func usualMoment() async throws {
        let fixture = try await fixture()
        let page = try await fixture.get("/history/at").body
        #expect(page.contains("Showing the state before the last change."))
        #expect(page.contains("Flags before <a href=\"/history/3\">change 3</a>"))
        #expect(page.contains("data-flag=\"dark\"") && !page.contains("data-flag=\"count\""))
        #expect(
            page.contains(
                #"<a class="button button-small" id="previous" href="/history/at?before=2#previous" rel="prev">"#))
        #expect(!page.contains("rel=\"next\"") && page.contains(">1 later change</span>"))
        #expect(!page.contains("moment-strip"), "a single day makes no picture")
        let middle = try await fixture.get("/history/at?before=2&q=count").body
        #expect(middle.contains("href=\"/history/at?before=1&amp;q=count#previous\" rel=\"prev\""))
        #expect(middle.contains("href=\"/history/at?before=3&amp;q=count#next\" rel=\"next\""))
        let empty = try await DashboardFixture("<key>a</key><integer>1</integer>").get("/history/at")
        #expect(empty.status == 200 && empty.body.contains("<h2>No history yet</h2>"))
        #expect(empty.body.contains(#"<a class="button button-primary" href="/">All flags</a>"#))
    }

    @Test("The buttons that restore stand after the flags, and what was restored is called so")
    func words() async throws {
        let fixture = try await fixture()
        let page = try await fixture.get("/history/at?before=1").body
        let (button, list) = (page.firstRange(of: "value=\"all\""), page.firstRange(of: "data-flag="))
        #expect(try #require(list).lowerBound < #require(button).lowerBound)
        let many = try await fixture.applyPreview(
            try await fixture.preview("/history/at", ["before": "1", "restore": "all"]))
        let done = try await fixture.get(try #require(many.headers[.location])).body
        #expect(done.contains("2 changes restored.") && !done.contains("Reverted"))
        _ = try await fixture.post("/flags/count", ["action": "set", "value": "8"])
        let one = try await fixture.applyPreview(
            try await fixture.preview("/history/at", ["before": "6", "restore": "chosen", "key": "count"]))
        let single = try await fixture.get(try #require(one.headers[.location])).body
        #expect(single.contains("<strong><bdi>Count</bdi>:</strong> Restored. Back to 3."))
        let undone = try await fixture.post(
            "/history/7/revert",
            ["scope": "batch", "confirm": "yes", "deed": "undo", "back": "/history/at?before=6"])
        let after = try await fixture.get(try #require(undone.headers[.location])).body
        #expect(after.contains("<strong><bdi>Count</bdi>:</strong> Undone. Back to 8."))
    }

    @Test("The slider leads to the beginning of a day, by an address that holds the time itself")
    func slider() async throws {
        let clock = TestClock()
        let fixture = try await fixture(clock: clock)
        let leap = try await fixture.get("/history/at?start=2026-10-20&days=5&show=different&q=count")
        #expect(leap.status == 303)
        #expect(leap.headers[.location] == "/history/at?time=2026-10-25T00%3A00%3A00Z&q=count")
        let berlin = try await fixture.get("/history/at?start=2026-10-20&days=6&zone=Europe/Berlin&show=all")
        #expect(berlin.headers[.location] == "/history/at?time=2026-10-25T23%3A00%3A00Z&show=all")
        let now = try await fixture.get("/history/at?start=2026-10-20&days=90")
        #expect(now.headers[.location] == "/history/at?time=2026-11-21T14%3A05%3A09Z")
        for query in ["start=soon&days=1", "start=2026-10-20&days=-1", "start=2026-10-20&days=x", "days=4"] {
            let refused = try await fixture.get("/history/at?\(query)")
            #expect(refused.status == 200 && refused.body.contains("The slider’s position is invalid."), "\(query)")
        }
    }

    @Test("The strip shows the last 90 days, with the moment in it, and each bar leads to the beginning of its day")
    func strip() throws {
        let bins = MomentStrip.bins(now: Samples.now, in: .gmt)
        #expect(bins.count == 90 && bins.unit == .day)
        let filter = PastFilter(query: ["q": "x"], now: Samples.now)
        let moment = Samples.now.addingTimeInterval(-86_400 * 10)
        let strip = try #require(MomentStrip(Samples.surroundings(), filter, at: moment, in: bins))
        #expect(strip.bars.count == 40 && strip.firstDay == "2026-08-24" && strip.dayCount == "90")
        #expect(strip.bars.last?.href == "/history/at?time=2026-11-21T00%3A00%3A00Z&q=x")
        #expect(strip.dayNumber == "79" && strip.dayText == "2026-11-11")
        #expect(strip.unknownWidth?.hasPrefix("55.") == true && strip.markX.hasPrefix("88."))
        let now = try #require(MomentStrip(Samples.surroundings(), filter, at: nil, in: bins))
        #expect(now.dayNumber == "90" && now.dayText == "now")
    }

    @Test("A day and time are those of the zone that is named, and one that its clocks leap over is told of")
    func zones() throws {
        func filter(_ day: String, _ clock: String, _ zone: String) -> PastFilter {
            PastFilter(query: ["day": day, "clock": clock, "zone": zone], now: Samples.now)
        }
        #expect(
            filter("2026-11-20", "12:00", "Europe/Berlin").href == "/history/at?time=2026-11-20T11%3A00%3A00Z")
        #expect(filter("2026-03-29", "02:30", "Europe/Berlin").problems[0].contains("clocks go forward"))
        #expect(filter("2026-03-29", "02:30", "Mars/Olympus").problems[0].contains("Unknown time zone"))
        let shown = PageZone.$current.withValue(Samples.berlin) { filter("2026-11-20", "12:00", "UTC") }
        #expect(shown.day == "2026-11-20" && shown.clock == "13:00:00")
    }
}
