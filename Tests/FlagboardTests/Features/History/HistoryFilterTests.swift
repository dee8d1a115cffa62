import FeatureFlags
import FlagHistory
import Foundation
import Testing

@testable import Flagboard

@Suite("Filter of the history")
struct HistoryFilterTests {
    @Test("Every field becomes a criterion, and a day counts through its end")
    func criteria() throws {
        let filter = HistoryFilter(query: [
            "key": "ui/theme", "group": "ui", "batch": "01020304-0506-0708-090A-0B0C0D0E0F10", "actor": "ada",
            "origin": "cli", "kind": "set", "from": "2026-01-01",
            "to": "2026-01-31", "q": "dark", "before": "50",
        ])
        let hidden: HiddenKeys = [Samples.key("secret")]
        let query = try #require(filter.historyQuery(hiddenKeys: hidden, limit: 20))
        let expected = HistoryQuery(
            key: Samples.key("ui/theme"), group: Samples.key("ui"), batch: Samples.history[0].event.batch, actor: "ada",
            origin: .cli, kind: .set,
            from: FlagDate.parse("2026-01-01"), until: FlagDate.parse("2026-02-01"), text: "dark",
            hiddenKeys: hidden, olderThan: 50, limit: 20)
        #expect(query == expected)
    }

    @Test("A time as the end counts through its second")
    func endTime() throws {
        let filter = HistoryFilter(query: ["to": "2026-01-31T12:00:00Z", "after": "7"])
        let query = try #require(filter.historyQuery(hiddenKeys: []))
        #expect(query.until == FlagDate.parse("2026-01-31T12:00:01Z"))
        #expect(query.newerThan == 7)
    }

    @Test("Days are those of the zone that is named, also where a clock is set on them")
    func zone() throws {
        let filter = HistoryFilter(query: ["from": "2026-10-25", "to": "2026-10-25", "zone": "Europe/Berlin"])
        #expect(filter.range.from == FlagDate.parse("2026-10-24T22:00:00Z"))
        #expect(filter.range.until == FlagDate.parse("2026-10-25T23:00:00Z"))
        #expect(filter.href() == "/history?from=2026-10-25&to=2026-10-25&zone=Europe%2FBerlin")
        #expect(filter.criteria.map(\.label) == ["2026-10-25 (Europe/Berlin)", "2026-10-25 (Europe/Berlin)"])
        #expect(HistoryFilter(query: ["zone": "Europe/Berlin"]).isActive == false)
    }

    @Test("What the history is narrowed to is told in words, each with the way to drop it")
    func words() {
        let filter = HistoryFilter(query: ["actor": "ada", "kind": "redefine", "from": "2026-01-01", "q": "x"])
        #expect(filter.criteria.map(\.title) == ["Search", "Actor", "Kind", "From"])
        #expect(filter.criteria.map(\.label) == ["x", "ada", "Definition changed", "2026-01-01 (UTC)"])
        #expect(filter.criteria.map(\.href)[1] == "/history?q=x&kind=redefine&from=2026-01-01")
        #expect(filter.criteria.last?.href == "/history?q=x&actor=ada&kind=redefine")
    }

    @Test(
        "What is not valid gives a problem and no query",
        arguments: [
            ["key": "a~"], ["group": "~2"], ["batch": "7"], ["origin": "fax"], ["kind": "odd"], ["from": "2026-02-30"],
            ["to": "soon"],
            ["before": "x"], ["from": "2026-02-02", "to": "2026-02-01"],
            ["from": "2026-02-02", "zone": "Mars/Olympus"],
        ])
    func problems(query: [String: String]) {
        let filter = HistoryFilter(query: query)
        #expect(filter.problems.count == 1)
        #expect(filter.historyQuery(hiddenKeys: []) == nil)
    }

    @Test("Newer and older keep the filter and start at the ends of the page")
    func cursors() {
        let page = HistoryPage(records: Samples.history, total: 90, hasNewer: true, hasOlder: true)
        let list = HistoryListPage(
            frame: Samples.frame(), page: page, filter: HistoryFilter(query: ["actor": "ada", "before": "99"]),
            now: Samples.now)
        #expect(list.newerHref == "/history?actor=ada&after=5")
        #expect(list.olderHref == "/history?actor=ada&before=1")
        #expect(list.countText == "90 changes")
    }

    @Test("A refused filter shows what was typed beside the problem")
    func typed() {
        let list = HistoryListPage(
            frame: Samples.frame(), page: nil, filter: HistoryFilter(query: ["from": "soon", "kind": "odd"]),
            now: Samples.now)
        #expect(list.from == "soon" && list.fromType == "text")
        #expect(list.kinds.first { $0.isSelected }?.value == "odd")
        #expect(list.filterProblems.count == 2)
    }
}
