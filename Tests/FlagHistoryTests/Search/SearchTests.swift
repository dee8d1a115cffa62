import FeatureFlags
import FlagHistory
import Foundation
import GRDB
import Testing

@Suite("Searching a long history")
struct SearchTests {
    private static let start = Date(timeIntervalSince1970: 1_767_225_600)

    /// A store of so many rows a minute apart, each of a key, an actor and a reason of its own kind.
    private func store(
        _ history: TemporaryHistory, _ count: Int, _ make: (Int) -> HistoryEvent
    ) throws -> HistoryStore {
        let store = try history.open()
        try store.append((0..<count).map(make), head: nil)
        return store
    }

    @Test("Counting ends at a thousand, and says so")
    func countLimit() throws {
        let history = try TemporaryHistory()
        let store = try store(history, 1200) { .sample(actor: $0 < 1000 ? "ann" : "bob") }
        let all = try store.page(HistoryQuery())
        #expect(all.total == HistoryPage.countLimit && !all.isTotalExact)
        let some = try store.page(HistoryQuery(actor: "ann"))
        #expect(some.total == 1000 && some.isTotalExact)
    }

    @Test("What was counted is counted anew once a row came, from wherever, and where other flags are hidden")
    func countedAnew() throws {
        let batch = UUID()
        let (folder, history) = try TemporaryHistory.filled([
            .sample(key: "a", batch: batch), .sample(key: "b", batch: batch), .sample(key: "secret", batch: batch),
        ])
        func counts(hiding hidden: HiddenKeys = []) throws -> [Int] {
            let found = try history.pageWithSummary(HistoryQuery(actor: "ann", hiddenKeys: hidden, limit: 1))
            let outline = try history.outline(ofBatch: batch, limit: 1, hiddenKeys: hidden)
            return [found.page.total, found.summary.count, outline.sorts.reduce(0) { $0 + $1.count }]
        }
        #expect(try counts() == [3, 3, 3])
        #expect(try counts(hiding: [.make("secret")]) == [2, 2, 2])
        #expect(try counts() == [3, 3, 3])
        try history.append([.sample(key: "c")], head: nil)
        #expect(try counts() == [4, 4, 3])
        try folder.open().append([.sample(key: "secret/below", batch: batch)], head: nil)
        #expect(try counts() == [5, 5, 4])
        #expect(try counts(hiding: [.make("secret")]) == [3, 3, 2])
    }

    @Test("An actor is found by the name as it is spelt, whichever spelling was asked for before")
    func actorSpelling() throws {
        let history = try TemporaryHistory.filled([.sample(actor: "Jos\u{E9}")]).1
        for _ in 0..<2 {
            #expect(try history.page(HistoryQuery(actor: "Jose\u{301}")).total == 0)
            #expect(try history.page(HistoryQuery(actor: "Jos\u{E9}")).total == 1)
        }
    }

    @Test("A group is what stands in it and at it, and not what merely begins like it")
    func group() throws {
        let history = try TemporaryHistory()
        let keys = ["ui", "ui/theme", "ui/deep/er", "ui-kit", "uix/theme", "u", "other"]
        let store = try store(history, keys.count) { .sample(key: keys[$0]) }
        let found = try store.page(HistoryQuery(group: .make("ui"))).records.map(\.event.key.text)
        #expect(found == ["ui/deep/er", "ui/theme", "ui"])
        #expect(try store.page(HistoryQuery(key: .make("uix/theme"), group: .make("ui"))).records.isEmpty)
    }

    @Test("A batch is all of its rows, in pages")
    func batch() throws {
        let history = try TemporaryHistory()
        let batch = UUID()
        let store = try store(history, 30) {
            .sample(actor: $0 == 9 ? "bob" : "ann", batch: $0.isMultiple(of: 3) ? batch : UUID())
        }
        let page = try store.page(HistoryQuery(batch: batch, limit: 4))
        #expect(page.records.map(\.id) == [28, 25, 22, 19])
        #expect(page.total == 10 && page.olderThan == 19)
        #expect(try store.page(HistoryQuery(batch: batch, actor: "bob")).records.map(\.id) == [10])
        #expect(try store.page(HistoryQuery(batch: UUID())).total == 0)
    }

    @Test("Times are found whatever order they are in, and after a pruning and an older schema too")
    func times() throws {
        let history = try TemporaryHistory()
        let order = [5, 1, 9, 0, 400, 3, 300, 2, 7]
        let store = try store(history, order.count) {
            .sample(at: Self.start.addingTimeInterval(Double(order[$0]) * 3600), reason: "\(order[$0])")
        }
        let query = HistoryQuery(
            from: Self.start.addingTimeInterval(2 * 3600), until: Self.start.addingTimeInterval(8 * 3600))
        #expect(try store.page(query).records.map(\.event.reason) == ["7", "2", "3", "5"])
        let now = Self.start.addingTimeInterval(1000 * 3600)
        _ = try store.prune(upTo: 4, recording: .sample(at: now, kind: .prune, provider: nil, type: nil))
        #expect(try store.page(query).records.map(\.event.reason) == ["7", "2", "3"])
        #expect(try store.page(HistoryQuery(from: now)).total == 1)
        #expect(try store.verify().isSound)
    }

    @Test("A summary counts by quarters of an hour, edits from outside apart, and by actor, who has most first")
    func summary() throws {
        let history = try TemporaryHistory()
        let store = try store(history, 10) {
            .sample(
                at: Self.start.addingTimeInterval(Double($0) * 300), actor: $0 < 3 ? "bob" : "ann",
                origin: $0 == 4 ? .external : .form)
        }
        let summary = try store.pageWithSummary(HistoryQuery()).summary
        #expect(summary.quarters.map(\.count) == [1, 3, 3, 3])
        #expect(summary.quarters.map(\.outside) == [0, 0, 1, 0])
        #expect(summary.quarters.map { $0.start.timeIntervalSince(Self.start) } == [2700, 1800, 900, 0])
        #expect(summary.actors == [.init(name: "ann", count: 7), .init(name: "bob", count: 3)])
        #expect(summary.count == 10 && summary.isComplete)
        #expect(try store.pageWithSummary(HistoryQuery(actor: "bob")).summary.count == 3)
        #expect(try store.pageWithSummary(HistoryQuery(hiddenKeys: [.make("ui/blue_text")])).summary.count == 0)
    }

    @Test("What an export reads is what the pages show, in every portion", arguments: [1, 7, 500])
    func export(limit: Int) throws {
        let history = try TemporaryHistory()
        let store = try store(history, 60) {
            .sample(actor: $0.isMultiple(of: 2) ? "ann" : "bob", reason: $0.isMultiple(of: 3) ? "three" : "")
        }
        let query = HistoryQuery(actor: "ann", text: "three")
        var (ids, last): ([Int64], Int64) = ([], 0)
        while true {
            let rows = try store.records(matching: query, after: last, limit: limit)
            guard let newest = rows.last else { break }
            ids += rows.map(\.id)
            last = newest.id
        }
        #expect(ids == Array(try store.page(query).records.map(\.id).reversed()))
        #expect(ids.count == 10)
    }

    @Test(
        "However few of many rows match, paging down and up reaches each of them once, and a download has them too",
        arguments: [
            HistoryQuery(text: "zq"), HistoryQuery(text: "rare"), HistoryQuery(text: "then back to work"),
            HistoryQuery(actor: "ann", text: "zq"), HistoryQuery(kind: .set, text: "nowhere"),
            HistoryQuery(group: .make("ui"), actor: "bob"), HistoryQuery(key: .make("ui/last"), actor: "ann"),
        ])
    func reachesAll(query: HistoryQuery) throws {
        let history = try TemporaryHistory()
        let store = try store(history, 5000) { place in
            let reason =
                switch place {
                case 11, 2600, 4990: "zq, which is rare"
                default: place.isMultiple(of: 2) ? "back to normal, then back to bed" : ""
                }
            return .sample(
                key: place < 40 ? "ui/last" : "else/\(place % 7)", actor: place.isMultiple(of: 3) ? "bob" : "ann",
                reason: reason)
        }
        let matching = try (1...5000).compactMap { try store.record(Int64($0), hiddenKeys: []) }.filter { row in
            let event = row.event
            return (query.text.map(event.reason.contains) ?? true) && (query.actor.map { $0 == event.actor } ?? true)
                && (query.key.map { $0 == event.key } ?? true) && (query.group.map(event.key.isInside) ?? true)
        }.map(\.id)

        var (query, down, pages): (HistoryQuery, [Int64], Int) = (query, [], 0)
        query.limit = 2
        while pages < 3000 {
            let page = try store.page(query)
            #expect(page.isTotalExact ? page.total == matching.count : page.total <= matching.count)
            down += page.records.map(\.id)
            pages += 1
            guard let older = page.olderThan else { break }
            query.olderThan = older
        }
        #expect(down == matching.reversed())

        var up: [Int64] = []
        (query.olderThan, query.newerThan, pages) = (nil, 0, 0)
        while pages < 3000 {
            let page = try store.page(query)
            up += page.records.map(\.id).reversed()
            pages += 1
            guard let newer = page.newerThan else { break }
            query.newerThan = newer
        }
        #expect(up == matching)

        var (downloaded, last): ([Int64], Int64?) = ([], 0)
        while let row = last {
            let portion = try store.portion(matching: query, after: row, limit: 3)
            downloaded += portion.records.map(\.id)
            last = portion.end
        }
        #expect(downloaded == matching)
        query.newerThan = nil
        query.limit = 3
        #expect(try store.newest(query).map(\.id) == matching.reversed().prefix(3).map { $0 })
    }

    @Test("The last row until a time is found whatever order the times are in", arguments: [1, 2] as [UInt64])
    func moments(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let history = try TemporaryHistory()
        let hours = (0..<200).map { Double($0 / 4) + Double.random(in: -2...2, using: &random) }
        let store = try store(history, hours.count) { .sample(at: Self.start + (hours[$0] * 3600).rounded()) }
        let rows = try (1...hours.count).compactMap { try store.record(Int64($0), hiddenKeys: []) }
        for _ in 0..<200 {
            let time = Self.start + (Double.random(in: -4...54, using: &random) * 3600).rounded()
            let last = rows.last { $0.event.at <= time }?.id ?? 0
            #expect(try store.moment(at: time).lastRow == last)
        }
        for row in rows { #expect(try store.moment(at: row.event.at).lastRow >= row.id) }
    }

    @Test("An outline of a batch has its first rows, and counts all that may be seen by what they are")
    func outline() throws {
        let history = try TemporaryHistory()
        let batch = UUID()
        let kinds: [HistoryRecord.Kind] = [.set, .set, .reset, .denied, .set]
        let store = try store(history, 10) {
            .sample(
                key: $0 == 4 ? "secret" : "open", kind: kinds[$0 % 5], type: $0 == 0 ? nil : .bool,
                batch: $0 < 5 ? batch : UUID())
        }
        let outline = try store.outline(ofBatch: batch, limit: 2, hiddenKeys: [.make("secret")])
        #expect(outline.records.map(\.id) == [1, 2])
        #expect(
            Set(outline.sorts) == [
                .init(kind: .set, hasType: false, count: 1),
                .init(kind: .set, hasType: true, count: 1),
                .init(kind: .reset, hasType: true, count: 1),
                .init(kind: .denied, hasType: true, count: 1),
            ])
        let none = try store.outline(ofBatch: UUID(), limit: 2, hiddenKeys: [])
        #expect(none.records.isEmpty && none.sorts.isEmpty)
    }

    @Test("Every mixture of filters is answered by an index, whatever else there is")
    func indexes() throws {
        let history = try TemporaryHistory()
        _ = try store(history, 10) { _ in .sample() }
        let names = try history.raw().read { db in
            try String.fetchSet(db, sql: "SELECT name FROM sqlite_schema WHERE type = 'index' AND sql IS NOT NULL")
        }
        #expect(
            names == [
                "history_by_batch", "history_by_at", "history_by_actor", "history_by_origin", "history_by_path",
                "history_by_path_alone", "history_by_path_and_actor", "history_by_subject",
                "history_by_idempotency_key",
            ])
    }
}
