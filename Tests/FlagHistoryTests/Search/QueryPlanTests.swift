import FeatureFlags
import Foundation
import GRDB
import Testing

@testable import FlagHistory

@Suite("How SQLite finds the rows of a query")
struct QueryPlanTests {
    let history: TemporaryHistory
    let store: HistoryStore
    private static let batch = UUID()
    private static let filters: [@Sendable (inout HistoryQuery) -> Void] = [
        { $0.key = .make("ui/blue_text") }, { $0.group = .make("ui") }, { $0.actor = "ann" }, { $0.origin = .form },
        { $0.kind = .set }, { $0.text = "blue" }, { $0.from = Date(timeIntervalSince1970: 0) },
        { $0.until = Date(timeIntervalSince1970: 2_000_000_000) }, { $0.batch = batch },
        { $0.hiddenKeys = [.make("ui/secret")] },
    ]

    init() throws {
        history = try TemporaryHistory()
        store = try history.open()
        let events = (0..<20).map { number in
            HistoryEvent.sample(
                actor: number.isMultiple(of: 2) ? "ann" : "bob", origin: number.isMultiple(of: 3) ? .form : .api,
                reason: "blue", batch: Self.batch)
        }
        try store.append(events, head: nil)
    }

    private func plan(_ query: SQL, _ db: Database) throws -> [String] {
        try SQLRequest<Row>(literal: "EXPLAIN QUERY PLAN \(query)").fetchAll(db).map { $0["detail"] }
    }

    /// The steps that go through a whole table of the history, or sort more than what was found by an index.
    private func scans(_ plan: [String]) -> [String] {
        plan.filter { step in
            step.hasPrefix("SCAN ") && !step.contains("VIRTUAL TABLE INDEX") && !step.hasPrefix("SCAN candidate")
                && !step.contains("CONSTANT ROW") && !step.hasPrefix("SCAN (subquery")
        }
    }

    @Test("Every filter, every pair of filters and every order finds its rows by an index, and never scans the table")
    func filters() throws {
        let queries = Self.filters.indices.flatMap { first in
            Self.filters.indices.map { second in
                var query = HistoryQuery()
                Self.filters[first](&query)
                Self.filters[second](&query)
                return query
            }
        }
        try store.pool.read { db in
            for query in queries + [HistoryQuery()] {
                let search = try HistorySearch(query, db)
                for ascending in [false, true] {
                    let matches = search.matches(
                        in: 1...10, size: 100, ascending: ascending, limit: 50, isTallied: ascending)
                    let steps = try plan(matches, db)
                    #expect(scans(steps).isEmpty, "\(query): \(steps)")
                    #expect(steps.contains { $0.hasPrefix("SEARCH history USING INTEGER PRIMARY KEY") }, "\(query)")
                }
            }
        }
    }

    @Test("Only the few statements of single filters are kept by SQLite, however many mixtures are asked for")
    func keptStatements() throws {
        var kept: Set<String> = []
        try store.pool.read { db in
            for mixture in 0..<1 << Self.filters.count {
                var query = HistoryQuery()
                for (place, filter) in Self.filters.enumerated() where mixture >> place & 1 == 1 { filter(&query) }
                let search = try HistorySearch(query, db)
                guard search.areStatementsKept else { continue }
                let matches = search.matches(in: 1...10, size: 100, ascending: false, limit: 50, isTallied: false)
                kept.insert(try matches.build(db).sql)
            }
        }
        #expect(10...20 ~= kept.count)
    }

    @Test(
        "A flag, an actor, an origin, a kind and a batch have indexes of their own",
        arguments: [
            (0, "history_by_path "), (1, "history_by_path "), (2, "history_by_actor "), (3, "history_by_origin "),
            (4, "history_by_origin "), (5, "VIRTUAL TABLE INDEX"), (8, "history_by_batch "),
        ])
    func index(filter: Int, index: String) throws {
        var query = HistoryQuery()
        Self.filters[filter](&query)
        let steps = try store.pool.read { db in
            let matches = try HistorySearch(query, db).matches(
                in: 1...10, size: 100, ascending: false, limit: 50, isTallied: false)
            return try plan(matches, db)
        }
        #expect(steps.contains { $0.contains(index) }, "\(steps)")
    }
}
