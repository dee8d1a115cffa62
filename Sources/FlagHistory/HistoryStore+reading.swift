import FeatureFlags
import Foundation
import GRDB

extension HistoryStore {
    /// The rows that match, newest first, one page of them.
    ///
    /// - Parameter query: Which rows, and where the page begins.
    /// - Returns: The page; its total and its neighbours belong to the same moment.
    /// - Throws: Why the rows can't be read.
    public func page(_ query: HistoryQuery) throws(HistoryStoreError) -> HistoryPage {
        try read { db in
            let condition = query.condition
            let older: SQL = query.olderThan.map { "id < \($0)" } ?? "TRUE"
            let newer: SQL = query.newerThan.map { "id > \($0)" } ?? "TRUE"
            let order: SQL = query.newerThan == nil ? "DESC" : "ASC"
            var records = try Self.records(
                "WHERE \(condition) AND \(older) AND \(newer) ORDER BY id \(order) LIMIT \(max(query.limit, 0))", db)
            if query.newerThan != nil { records.reverse() }

            func exists(_ bound: SQL) throws -> Bool {
                try SQLRequest<Bool>(literal: "SELECT EXISTS (SELECT 1 FROM history WHERE \(condition) AND \(bound))")
                    .fetchOne(db) ?? false
            }
            let total = try SQLRequest<Int>(literal: "SELECT count(*) FROM history WHERE \(condition)").fetchOne(db)
            return HistoryPage(
                records: records, total: total ?? 0,
                hasNewer: try exists("id > \(records.first?.id ?? query.olderThan.map { $0 - 1 } ?? .max)"),
                hasOlder: try exists("id < \(records.last?.id ?? query.newerThan.map { $0 + 1 } ?? .min)"))
        }
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
            try Self.records("WHERE \(query.condition) AND id > \(id) ORDER BY id LIMIT \(max(limit, 0))", db)
        }
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
