import FeatureFlags
import FlagChanges
import FlagHistory
import Foundation
import Testing

@testable import Flagboard

@Suite("The history's page")
struct HistoryPageTests {
    /// A change so many hours before now.
    private static func record(
        _ id: Int64, hoursAgo: Double, _ key: String = "ui/theme", actor: String = "ada", reason: String = "",
        batch: UUID = UUID(), kind: HistoryRecord.Kind = .set, before: FlagValue? = nil, after: FlagValue? = .bool(true)
    ) -> HistoryRecord {
        let record = Samples.record(
            id, key, kind, before: before, after: after, reason: reason, actor: actor, batch: batch)
        var event = record.event
        event.at = Samples.now.addingTimeInterval(-hoursAgo * 3600)
        return HistoryRecord(id: id, event: event, previousHash: record.previousHash, hash: record.hash)
    }

    private static func page(_ records: [HistoryRecord], older: Bool = false) -> HistoryPage {
        HistoryPage(records: records, total: records.count, hasNewer: false, hasOlder: older)
    }

    @Test("The way a change came is told unless it was a form")
    func origins() {
        func origin(_ kind: HistoryRecord.Kind, _ origin: HistoryRecord.Origin) -> String? {
            HistoryRow(Samples.record(1, "ui/theme", kind, origin: origin)).origin
        }
        #expect(origin(.external, .external) == nil)
        #expect(origin(.set, .api) == "via API" && origin(.set, .form) == nil)
    }

    @Test("Changes stand by day, the two latest days by name")
    func days() {
        // It is 14:05 in UTC.
        let records = [
            Self.record(5, hoursAgo: 1), Self.record(4, hoursAgo: 14), Self.record(3, hoursAgo: 15),
            Self.record(2, hoursAgo: 30), Self.record(1, hoursAgo: 80),
        ]
        let days = HistoryDay.days(of: Self.page(records), now: Samples.now, isOneBatch: false)
        #expect(days.map(\.heading) == ["Today", "Yesterday", "2026-11-18"])
        #expect(days.map(\.date) == ["2026-11-21", "2026-11-20", "2026-11-18"])
        #expect(days.map(\.shownDate) == ["2026-11-21", "2026-11-20", nil])
        #expect(days.map { $0.blocks.count } == [2, 2, 1])
        #expect(Set(days.map(\.headingID)).count == 3)
    }

    @Test("Changes that were applied together stand in one block that says so, with their reason once")
    func batches() throws {
        let batch = UUID()
        let records = [
            Self.record(4, hoursAgo: 1, "a", reason: "Sale", batch: batch),
            Self.record(3, hoursAgo: 1, "b", reason: "Sale", batch: batch),
            Self.record(2, hoursAgo: 1, "c", reason: "Alone"),
        ]
        let blocks = HistoryBlock.blocks(of: records, isOneBatch: false, mayGoOn: (false, false))
        let together = try #require(blocks.first?.together)
        #expect(together.batchActor == "ada")
        #expect(together.batchWords.verb == "turned" && together.batchWords.rest == "on")
        #expect(together.batchWords.subjects.map(\.name) == ["b", "a"])
        #expect(together.batchReason == "Sale" && together.rows.allSatisfy { $0.reason == nil })
        #expect(together.batchHref == "/history?batch=\(batch.uuidString)")
        #expect(blocks.last?.row?.reason == "Alone")
        let cut = HistoryBlock.blocks(of: Array(records.prefix(2)), isOneBatch: false, mayGoOn: (false, true))
        #expect(cut.first?.together?.batchWords.verb == "changed at least 2 flags")
        #expect(together.state == nil)
        let refused = [6, 5].map { Self.record($0, hoursAgo: 1, "a", batch: batch, kind: .denied) }
        let attempt = HistoryBlock.blocks(of: refused, isOneBatch: false, mayGoOn: (false, false))
        #expect(attempt.first?.together?.state?.label == "Refused")
        let alone = HistoryBlock.blocks(of: records, isOneBatch: true, mayGoOn: (false, false))
        #expect(alone.allSatisfy { $0.together == nil })
    }

    @Test("A batch names the provider that all its changes are in, and claims nothing where they are in two")
    func batchesElsewhere() {
        func words(_ providers: [String]) -> BatchWords {
            let records = providers.enumerated().map { place, provider in
                Samples.record(Int64(2 - place), ["a", "b"][place], after: .bool(true), provider: provider)
            }
            return BatchWords(records, isCut: false, in: nil)
        }
        #expect(words(["Team", "Team"]).verb == "turned" && words(["Team", "Team"]).elsewhere == "Team")
        #expect(words(["Local", "Team"]).verb == "changed" && words(["Local", "Team"]).elsewhere == nil)
        let attempt = [2, 1].map { Samples.record($0, "flag\($0)", .aborted, after: .bool(true)) }
        #expect(BatchWords(attempt, isCut: true, in: nil).verb == "tried to change at least 2 flags")
    }

    @Test("A flag that was renamed is told as that, unless more was changed with it")
    func renamed() async throws {
        let flags = ["a", "b"].map {
            "<dict><key>key</key><string>\($0)</string><key>type</key><string>integer</string></dict>"
        }
        let fixture = try DashboardFixture("<key>a</key><integer>3</integer>", flags: flags)
        let author = ChangeAuthor(name: "ada", role: .admin, origin: .form)
        let rename = Change(key: Samples.key("a"), action: .rename(Samples.key("area/new")), reason: "Tidy")
        _ = try await fixture.service.apply(rename, by: author)
        let alone = try await fixture.get("/history").body
        #expect(alone.contains("renamed <code dir=\"auto\">a</code> to <code dir=\"auto\">area/new</code>"))
        #expect(!alone.contains("</bdi> changed"))
        let back = Change(key: Samples.key("area/new"), action: .rename(Samples.key("a")))
        let other = Change(key: Samples.key("b"), action: .setText("4"))
        _ = try await fixture.service.apply(ChangeRequest([back, other], by: author))
        let more = try await fixture.get("/history").body
        #expect(more.contains("</bdi> changed <code dir=\"auto\">"))
        #expect(more.contains(" and <code dir=\"auto\">b</code>"))
    }

    @Test("A changed definition is told by what it says otherwise, and by how much more there is")
    func redefined() async throws {
        let flag = "<dict><key>key</key><string>count</string><key>type</key><string>integer</string></dict>"
        let fixture = try DashboardFixture("<key>count</key><integer>3</integer>", flags: [flag])
        let author = ChangeAuthor(name: "ada", role: .admin, origin: .form)
        var edit = DefinitionEdit(FlagDefinition(key: Samples.key("count"), type: .integer))
        edit.definition.metadata.owner = "web"
        _ = try await fixture.service.apply(Change(key: edit.definition.key, action: .redefine(edit)), by: author)
        let short = try await fixture.get("/history").body
        #expect(short.contains(": <code class=\"change-field\" dir=\"auto\">owner</code>"))
        #expect(short.contains("&quot;web&quot;") || short.contains("\"web\""))
        #expect(!short.contains("side-before") && !short.contains("<li class=\"entry "))
        edit.definition.metadata.owner = nil
        edit.definition.metadata.name = "Count"
        edit.definition.metadata.description = "How many"
        edit.definition.constraints.minimum = 1
        edit.definition.constraints.maximum = 9
        edit.definition.metadata.order = 2
        edit.definition.metadata.tags = ["shop"]
        edit.definition.metadata.requiresRestart = true
        _ = try await fixture.service.apply(Change(key: edit.definition.key, action: .redefine(edit)), by: author)
        let long = try await fixture.get("/history?kind=redefine&before=3").body
        #expect(long.components(separatedBy: "<li class=\"entry ").count - 1 == 6)
        #expect(long.contains("<a href=\"/history/2\">2 more changes</a>"))
    }

    /// A summary of days before now, each with so many changes, and so many of them from outside.
    private static func summary(
        _ days: [(ago: Double, count: Int, outside: Int)], isComplete: Bool = true
    ) -> HistorySummary {
        let quarters = days.map {
            HistorySummary.Quarter(
                start: Samples.now.addingTimeInterval(-$0.ago * 86_400), count: $0.count, outside: $0.outside)
        }
        return HistorySummary(
            quarters: quarters, actors: [], count: quarters.reduce(0) { $0 + $1.count }, isComplete: isComplete)
    }

    @Test("A day's bar stands at its day, leads to it and keeps the filter; a quiet time is seen as one")
    func chart() throws {
        let summary = Self.summary([(0, 1, 0), (9, 4, 1), (39, 2, 2)])
        let filter = HistoryFilter(query: ["actor": "ada", "before": "7"])
        let chart = try #require(DayChart(summary, filter, now: Samples.now))
        #expect(chart.caption == "Changes per day" && chart.firstDay == "2026-10-13" && chart.lastDay == "2026-11-21")
        #expect(chart.summary == "7 changes on 3 days (3 external)" && chart.highest == "4")
        #expect(chart.bars.map(\.stretch) == ["2026-10-13", "2026-11-12", "2026-11-21"])
        #expect(chart.bars.map(\.roomX) == ["0.00%", "75.00%", "97.50%"])
        #expect(chart.bars.map(\.roomWidth) == ["2.50%", "2.50%", "2.50%"])
        #expect(chart.bars.map(\.barHeight) == ["48.00%", "96.00%", "24.00%"])
        #expect(chart.bars.map(\.outsideHeight) == ["48.00%", "24.00%", nil])
        #expect(chart.bars.last?.href == "/history?actor=ada&from=2026-11-21&to=2026-11-21")
        #expect(chart.bars.map(\.isStop) == [false, false, true])
        #expect(chart.ticks.map(\.tickLabel) == ["2026-11"] && chart.cutNote == nil)
    }

    @Test("A bar of many days leads to all of them, and what was not counted is told and not drawn as quiet")
    func longChart() throws {
        let summary = Self.summary([(0, 1, 0), (100, 4, 0)], isComplete: false)
        let chart = try #require(DayChart(summary, HistoryFilter(query: [:]), now: Samples.now))
        #expect(chart.caption == "Changes per week" && chart.stretches == "Week")
        #expect(chart.bars.first?.href == "/history?from=2026-08-10&to=2026-08-16")
        #expect(chart.bars.first?.stretch == "the week of 2026-08-10" && chart.firstDay == "2026-08-10")
        #expect(chart.lastDay == "2026-11-21" && chart.bars.last?.href == "/history?from=2026-11-16&to=2026-11-21")
        #expect(chart.cutNote == "Only the latest 5 changes are counted.")
    }

    @Test("In another zone the days are that zone's, and its links say which one is meant")
    func zonedChart() throws {
        // It is 14:05 in UTC, which is after midnight in Auckland.
        let auckland = try #require(TimeZone(identifier: "Pacific/Auckland"))
        let chart = try PageZone.$current.withValue(auckland) {
            try #require(DayChart(Self.summary([(0, 1, 0), (1, 1, 0)]), HistoryFilter(query: [:]), now: Samples.now))
        }
        let href = try #require(chart.bars.last?.href)
        #expect(href == "/history?from=2026-11-22&to=2026-11-22&zone=Pacific%2FAuckland")
        let query = ["from": "2026-11-22", "to": "2026-11-22", "zone": "Pacific/Auckland"]
        let range = HistoryFilter(query: query).range
        #expect(range.from == FlagDate.parse("2026-11-21T11:00:00Z"))
        #expect(range.until == FlagDate.parse("2026-11-22T11:00:00Z"))
    }

    @Test("There is no chart of changes on a single day")
    func noChart() {
        for days in [[], [(ago: 0.0, count: 9, outside: 0)], [(0, 1, 0), (0.1, 1, 0)]] {
            #expect(DayChart(Self.summary(days), HistoryFilter(query: [:]), now: Samples.now) == nil)
        }
    }

    @Test("A count that was not finished is told as one")
    func counts() {
        func text(_ total: Int, _ isExact: Bool) -> String {
            ShownCount.changes(
                HistoryPage(records: [], total: total, isTotalExact: isExact, hasNewer: false, hasOlder: false))
        }
        #expect(text(1, true) == "1 change" && text(1000, true) == "1,000 changes")
        #expect(text(1000, false) == "More than 1,000 changes" && text(37, false) == "At least 37 changes")
    }

    @Test("A search that could not look at everything offers to go on")
    func unfinished() {
        let page = HistoryPage(
            records: [], total: 0, isTotalExact: false, hasNewer: false, hasOlder: true, lookedUpTo: 4711)
        let list = HistoryListPage(
            frame: Samples.frame(), page: page, filter: HistoryFilter(query: ["q": "x"]), now: Samples.now)
        #expect(list.empty?.link?.href == "/history?q=x&before=4711")
        #expect(list.olderHref == "/history?q=x&before=4711")
        #expect(list.lookedNote?.contains("from number 4711 on") == true)
    }

    @Test("A search upwards that could not look at everything offers to go on upwards")
    func unfinishedUpwards() {
        let page = HistoryPage(
            records: [], total: 0, isTotalExact: false, hasNewer: true, hasOlder: false, lookedBackTo: 4711)
        let list = HistoryListPage(
            frame: Samples.frame(), page: page, filter: HistoryFilter(query: ["q": "x"]), now: Samples.now)
        #expect(list.empty?.link?.href == "/history?q=x&after=4711")
        #expect(list.newerHref == "/history?q=x&after=4711" && list.olderHref == nil)
        #expect(list.lookedNote?.contains("up to number 4711") == true)
    }

    @Test("The group, the batch and the downloads work as the page links to them")
    func routes() async throws {
        let fixture = try DashboardFixture(
            "<key>ui</key><dict><key>a</key><integer>1</integer><key>b</key><integer>1</integer></dict>"
                + "<key>uib</key><integer>1</integer>")
        let author = ChangeAuthor(name: "ada", role: .editor, origin: .form)
        _ = try await fixture.service.apply(
            ChangeRequest(["ui/a", "ui/b"].map { Change(key: Samples.key($0), action: .setText("2")) }, by: author))
        _ = try await fixture.post("/flags/uib", ["action": "set", "value": "7"])
        let all = try await fixture.get("/history").body
        #expect(all.contains("set <code dir=\"auto\">ui/a</code> and <code dir=\"auto\">ui/b</code>"))
        #expect(all.contains(">Today<"))
        let batch = try #require(try fixture.rows().last).event.batch.uuidString
        for query in ["group=ui", "batch=\(batch)"] {
            let page = try await fixture.get("/history?\(query)").body
            #expect(page.contains("2 changes") && page.contains("ui/a") && !page.contains("flags/uib"))
            let csv = try await fixture.get("/export/history.csv?\(query)").body
            #expect(csv.split(separator: "\r\n").count == 3 && !csv.contains("uib"))
            #expect(page.contains("/export/history.jsonl?\(query)"))
            let lines = try await fixture.get("/export/history.jsonl?\(query)").body
            #expect(lines.split(separator: "\n").count == 2)
        }
        #expect(try await fixture.get("/export/history.csv?kind=odd").status == 400)
    }
}
