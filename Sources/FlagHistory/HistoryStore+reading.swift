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
    /// - Parameter id: Its place in the history.
    /// - Returns: `nil` where there is none.
    /// - Throws: Why it can't be read.
    public func record(_ id: Int64) throws(HistoryStoreError) -> HistoryRecord? {
        try read { db in try Self.records("WHERE id = \(id)", db).first }
    }

    /// The rows that were applied together, oldest first.
    ///
    /// - Parameters:
    ///   - batch: What ties them.
    ///   - hiddenKeys: Flags that must not appear: the internal ones.
    /// - Returns: The rows; none where there is no such batch.
    /// - Throws: Why they can't be read.
    public func records(
        batch: UUID, hiddenKeys: Set<FlagKeyPath> = []
    ) throws(HistoryStoreError) -> [HistoryRecord] {
        try read { db in
            try Self.records(
                "WHERE batch = \(batch.uuidString) AND \(HistoryQuery.isShown(hiddenKeys)) ORDER BY id", db)
        }
    }

    /// The rows that came of a request with this idempotency key, oldest first: what a repeated request is answered
    /// with.
    ///
    /// - Parameter idempotencyKey: The key.
    /// - Returns: The rows; none where the request is a new one.
    /// - Throws: Why they can't be read.
    public func records(idempotencyKey: String) throws(HistoryStoreError) -> [HistoryRecord] {
        try read { db in
            try Self.records("WHERE idempotency_key = \(StoredEvent.storable(idempotencyKey)) ORDER BY id", db)
        }
    }

    /// Everybody who did something, in order of their names.
    ///
    /// - Parameter hiddenKeys: Flags whose rows don't count: the internal ones.
    /// - Returns: Each name once.
    /// - Throws: Why the rows can't be read.
    public func actors(hiddenKeys: Set<FlagKeyPath>) throws(HistoryStoreError) -> [String] {
        // Steps from name to name in the index, which a DISTINCT would walk row by row.
        try read { db in
            try SQLRequest<String>(
                literal: """
                    WITH RECURSIVE step(name) AS (
                        SELECT min(actor) FROM history
                        UNION ALL
                        SELECT (SELECT min(actor) FROM history WHERE actor > step.name)
                        FROM step WHERE step.name IS NOT NULL)
                    SELECT name FROM step WHERE name IS NOT NULL AND EXISTS (
                        SELECT 1 FROM history WHERE actor = step.name AND \(HistoryQuery.isShown(hiddenKeys)))
                    ORDER BY name
                    """
            ).fetchAll(db)
        }
    }

    /// The newest change of each flag: its newest row that is neither `denied` nor `aborted`.
    ///
    /// - Parameters:
    ///   - keys: The flags of interest; `nil` for all.
    ///   - hiddenKeys: Flags that must not appear: the internal ones.
    /// - Returns: A row for each flag that was ever changed.
    /// - Throws: Why the rows can't be read.
    public func lastChanges(
        of keys: Set<FlagKeyPath>? = nil, hiddenKeys: Set<FlagKeyPath> = []
    ) throws(HistoryStoreError) -> [FlagKeyPath: HistoryRecord] {
        let step: SQL =
            if let keys {
                "step(name) AS (SELECT value FROM json_each(\(HistoryQuery.jsonArray(keys.map(\.text)))))"
            } else {
                """
                step(name) AS (
                    SELECT min("key") FROM history WHERE kind NOT IN ('denied', 'aborted')
                    UNION ALL
                    SELECT (
                        SELECT min("key") FROM history WHERE kind NOT IN ('denied', 'aborted') AND "key" > step.name)
                    FROM step WHERE step.name IS NOT NULL)
                """
            }
        let records = try read { db in
            try Self.records(
                """
                WHERE id IN (
                    WITH RECURSIVE \(step)
                    SELECT (
                        SELECT max(id) FROM history WHERE kind NOT IN ('denied', 'aborted') AND "key" = step.name)
                    FROM step WHERE name IS NOT NULL AND \(HistoryQuery.isShown(hiddenKeys, column: "name")))
                """, db)
        }
        return Dictionary(records.map { ($0.event.key, $0) }) { $0.id > $1.id ? $0 : $1 }
    }

    private static func records(_ selection: SQL, _ db: Database) throws -> [HistoryRecord] {
        let columns = SQL(sql: StoredEvent.columns)
        return try SQLRequest<Row>(literal: "SELECT \(columns) FROM history \(selection)").fetchAll(db)
            .map(HistoryRecord.init)
    }
}
