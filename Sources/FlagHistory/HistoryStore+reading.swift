import FeatureFlags
import Foundation
import GRDB

extension HistoryStore {
    /// The rows that match, newest first, one page of them.
    ///
    /// Where the rows that match are far apart among many that don't, the page ends before it is full, and says how far
    /// was looked (``HistoryPage/lookedUpTo``).
    ///
    /// - Parameter query: Which rows, and where the page begins.
    /// - Returns: The page; its total and its neighbours belong to the same moment.
    /// - Throws: Why the rows can't be read.
    public func page(_ query: HistoryQuery) throws(HistoryStoreError) -> HistoryPage {
        try read { db in
            let search = try HistorySearch(query, db)
            let counted = try search.find(
                in: .min ... .max, ascending: false, limit: HistoryPage.countLimit + 1, effort: .counting)
            return try Self.page(query, search, counted, db)
        }
    }

    /// A page of rows, and how the newest rows that match are spread over days and actors.
    ///
    /// - Parameter query: Which rows, and where the page begins.
    /// - Returns: Both, of the same moment.
    /// - Throws: Why the rows can't be read.
    public func pageWithSummary(
        _ query: HistoryQuery
    ) throws(HistoryStoreError) -> (page: HistoryPage, summary: HistorySummary) {
        try read { db in
            let search = try HistorySearch(query, db)
            let counted = try search.find(
                in: .min ... .max, ascending: false, limit: HistorySummary.limit + 1, effort: .counting)
            return (try Self.page(query, search, counted, db), try Self.summary(of: counted, db))
        }
    }

    private static func page(
        _ query: HistoryQuery, _ search: HistorySearch, _ counted: HistorySearch.Found, _ db: Database
    ) throws -> HistoryPage {
        let limit = max(query.limit, 0)
        let ascending = query.newerThan != nil
        let lowest = query.newerThan.map { $0 == .max ? .max : $0 + 1 } ?? .min
        let highest = query.olderThan.map { $0 == .min ? .min : $0 - 1 } ?? .max
        var found = HistorySearch.Found()
        if lowest <= highest, limit > 0 {
            // One more than the page holds tells whether it is the last.
            found = try search.find(in: lowest...highest, ascending: ascending, limit: limit + 1, effort: .listing)
        }
        let isFull = found.ids.count > limit
        found.ids = Array(found.ids.prefix(limit))
        let ids = ascending ? found.ids.reversed() : found.ids
        let newest = ids.first ?? query.olderThan.map { $0 - 1 } ?? .max
        let oldest = ids.last ?? query.newerThan.map { $0 + 1 } ?? .min

        /// Where time was up before one was found, there may be one.
        func exists(_ range: ClosedRange<Int64>, ascending: Bool) throws -> Bool {
            let next = try search.find(in: range, ascending: ascending, limit: 1, effort: .peeking)
            return !next.ids.isEmpty || next.lookedUpTo != nil
        }
        func hasNewer() throws -> Bool {
            if ascending, isFull { return true }
            // Nothing bounds the page above, so it begins with the newest.
            if query.olderThan == nil, !ascending, limit > 0 { return false }
            return newest == .max ? false : try exists((newest + 1) ... .max, ascending: true)
        }
        func hasOlder() throws -> Bool {
            if !ascending, isFull || found.lookedUpTo != nil { return true }
            if lowest == .min, !ascending, limit > 0 { return false }
            return oldest == .min ? false : try exists(.min...(oldest - 1), ascending: false)
        }
        return HistoryPage(
            records: try records(ids, db), total: min(counted.ids.count, HistoryPage.countLimit),
            isTotalExact: counted.lookedUpTo == nil && counted.ids.count <= HistoryPage.countLimit,
            hasNewer: try hasNewer(), hasOlder: try hasOlder(),
            lookedUpTo: ascending || isFull ? nil : found.lookedUpTo)
    }

    /// The rows that match, oldest first, some at a time: for an export, which needs neither totals nor neighbours.
    ///
    /// - Parameters:
    ///   - query: Which rows; where its page begins and its limit are not looked at.
    ///   - id: The last row that the caller has; 0 for none.
    ///   - limit: How many rows at most.
    /// - Returns: The rows; none where the caller has them all.
    /// - Throws: Why the rows can't be read.
    public func records(
        matching query: HistoryQuery, after id: Int64, limit: Int = 500
    ) throws(HistoryStoreError) -> [HistoryRecord] {
        try read { db in
            let found = try HistorySearch(query, db).find(
                in: (id + 1) ... .max, ascending: true, limit: limit, effort: .exhaustive)
            return try Self.records(found.ids, db)
        }
    }

    /// The rows of some ids, in their order.
    private static func records(_ ids: [Int64], _ db: Database) throws -> [HistoryRecord] {
        let records = try records("WHERE id IN (SELECT value FROM json_each(\(list(ids))))", db)
        let places = Dictionary(records.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        return ids.compactMap { places[$0] }
    }

    /// One row.
    ///
    /// - Parameters:
    ///   - id: Its place in the history.
    ///   - hiddenKeys: What must not appear: everything about the internal flags.
    /// - Returns: `nil` where there is none, or it is hidden.
    /// - Throws: Why it can't be read.
    public func record(_ id: Int64, hiddenKeys: HiddenKeys) throws(HistoryStoreError) -> HistoryRecord? {
        try read { db in try Self.records("WHERE id = \(id) AND \(hiddenKeys.isShown)", db).first }
    }

    /// The rows that were applied together, oldest first.
    ///
    /// - Parameters:
    ///   - batch: What ties them.
    ///   - hiddenKeys: What must not appear: everything about the internal flags.
    /// - Returns: The rows; none where there is no such batch.
    /// - Throws: Why they can't be read.
    public func records(batch: UUID, hiddenKeys: HiddenKeys) throws(HistoryStoreError) -> [HistoryRecord] {
        try read { db in
            try Self.records("WHERE batch = \(batch.uuidString) AND \(hiddenKeys.isShown) ORDER BY id", db)
        }
    }

    /// The rows that came of a request with this idempotency key, oldest first: what a repeated request is answered
    /// with.
    ///
    /// - Parameters:
    ///   - idempotencyKey: The key.
    ///   - hiddenKeys: What must not appear: everything about the internal flags.
    /// - Returns: The rows; none where the request is a new one.
    /// - Throws: Why they can't be read.
    public func records(
        idempotencyKey: String, hiddenKeys: HiddenKeys
    ) throws(HistoryStoreError) -> [HistoryRecord] {
        let key = StoredEvent.storable(idempotencyKey)
        return try read { db in
            try Self.records("WHERE idempotency_key = \(key) AND \(hiddenKeys.isShown) ORDER BY id", db)
        }
    }

    static func records(_ selection: SQL, _ db: Database) throws -> [HistoryRecord] {
        let columns = SQL(sql: StoredEvent.columns)
        return try SQLRequest<Row>(literal: "SELECT \(columns) FROM history \(selection)").fetchAll(db)
            .map(HistoryRecord.init)
    }
}
