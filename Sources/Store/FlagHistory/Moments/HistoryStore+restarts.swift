import FeatureFlags
import Foundation
import GRDB

/// That the app was restarted, and so has every value that a flag had then.
public struct AppRestart: Hashable, Sendable {
    /// The last row of the history that the app has taken up; 0 where it is older than every row.
    public let lastRow: Int64
    /// When it was reported; `nil` where it never was, and the time is counted from when the history first could tell.
    public let at: Date?
    /// Who reported it; empty where none was reported.
    public let actor: String
    /// The last row that was pruned; 0 where none was.
    public let lastPruned: Int64
}

extension HistoryStore {
    /// Keeps that the app was restarted.
    ///
    /// - Parameters:
    ///   - row: The last row that the app has taken up; `nil` for the newest. One that is not there yet counts as the newest.
    ///   - at: When it was reported.
    ///   - actor: Who reported it.
    /// - Throws: Why it could not be kept. It is on the disk otherwise.
    public func recordRestart(after row: Int64?, at: Date, actor: String) throws(HistoryStoreError) {
        try write { db in
            let newest = try Self.chainHead(db).id
            let lastRow = min(max(row ?? newest, 0), newest)
            try db.execute(
                literal: """
                    INSERT INTO restart (last_row, at, actor)
                    VALUES (\(lastRow), \(HistoryTime.microseconds(at)), \(StoredEvent.storable(actor)))
                    """)
        }
    }

    /// The restart that took up the most.
    ///
    /// - Throws: Why it can't be read.
    public func lastRestart() throws(HistoryStoreError) -> AppRestart {
        try read { db in
            let newest = "SELECT last_row, at, actor FROM restart ORDER BY last_row DESC, id DESC LIMIT 1"
            let row = try Row.fetchOne(db.cachedStatement(sql: newest))
            let pruned = try Self.lastAnchor(db)?.last ?? 0
            guard let row else {
                return AppRestart(lastRow: 0, at: nil, actor: "", lastPruned: pruned)
            }
            let lastRow: Int64 = try row.sound("last_row")
            return AppRestart(
                lastRow: lastRow, at: Int64.fromDatabaseValue(row["at"]).map(HistoryTime.date),
                actor: try row.sound("actor"), lastPruned: pruned)
        }
    }

    /// The first change of a value in each provider within each span.
    ///
    /// - Parameters:
    ///   - spans: The flags, and the rows to look at.
    ///   - providers: The providers' names.
    /// - Returns: The rows of each span, oldest first.
    /// - Throws: Why they can't be read.
    public func firstChanges(
        in spans: [HistorySpan], of providers: [String]
    ) throws(HistoryStoreError) -> [[HistoryRecord]] {
        let list = FlagJSON.line(
            .array(
                spans.map { span in
                    .array([
                        .string(StoredEvent.path(of: span.key.text)), .integer(Int128(span.start)),
                        .integer(Int128(span.end)),
                    ])
                }))
        let names = FlagJSON.line(.array(providers.map { .string(StoredEvent.storable($0)) }))
        return try read { db in
            let found = try SQLRequest<Row>(
                literal: """
                    SELECT s."key" AS place, (
                        SELECT h.id FROM history AS h INDEXED BY history_by_subject
                        WHERE h.provider = p.value AND h.path = s.value ->> 0 AND h.id > s.value ->> 1
                            AND h.id < s.value ->> 2 AND h.kind IN ('set', 'reset', 'external')
                            AND \(sql: Self.isApplied)
                        ORDER BY h.id LIMIT 1) AS first
                    FROM json_each(\(list)) AS s CROSS JOIN json_each(\(names)) AS p ORDER BY first
                    """, cached: true
            ).fetchAll(db)
            // Two flags may have stood at one key path, one after the other.
            var places: [Int64: [Int]] = [:]
            for row in found {
                guard let id = Int64.fromDatabaseValue(row["first"]) else { continue }
                places[id, default: []].append(try row.sound("place"))
            }
            var rows = spans.map { _ in [HistoryRecord]() }
            for record in try rowReader.records(places.keys.sorted(), db) {
                for place in places[record.id] ?? [] { rows[place].append(record) }
            }
            return rows
        }
    }

    /// The rows by which the definitions of some flags came or went, or began or ceased to say that a change takes effect
    /// after a restart of the app.
    ///
    /// - Parameters:
    ///   - keys: The flags.
    ///   - row: The row after which to look.
    /// - Returns: The rows, oldest first.
    /// - Throws: Why they can't be read.
    public func definitionTurns(
        of keys: Set<FlagKeyPath>, after row: Int64
    ) throws(HistoryStoreError) -> [HistoryRecord] {
        let paths = FlagJSON.line(.array(keys.map { .string(StoredEvent.path(of: $0.text)) }))
        return try read { db in
            try rowReader.records(
                """
                WHERE id IN (
                    SELECT h.id FROM json_each(\(paths)) AS k CROSS JOIN history AS h INDEXED BY history_by_subject
                    WHERE h.provider IS NULL AND h.path = k.value AND h.id > \(row) AND h.type IS NOT NULL
                        AND \(sql: Self.isApplied) AND (h."before" IS NULL OR h."after" IS NULL
                            OR \(Self.restartMarks("before")) <> \(Self.restartMarks("after"))))
                ORDER BY id
                """, db)
        }
    }

    /// How long in all the marks are by which the text of an entry says that it requires a restart: within a string their
    /// quotes would be escaped, but what the app keeps for itself in the entry may say the same.
    private static func restartMarks(_ column: String) -> SQL {
        let mark = "\"requiresRestart\":{\"bool\":true}"
        return "length(h.\(sql: "\"\(column)\"")) - length(replace(h.\(sql: "\"\(column)\""), \(mark), ''))"
    }

    /// The first and the last row of a batch, which stand in the history without others between them.
    ///
    /// - Throws: Why they can't be read.
    public func rows(ofBatch batch: UUID) throws(HistoryStoreError) -> ClosedRange<Int64> {
        try read { db in
            let ends = try SQLRequest<Row>(
                literal: "SELECT min(id) AS first, max(id) AS last FROM history WHERE batch = \(batch.uuidString)",
                cached: true
            ).fetchOne(db)
            guard let ends else { throw HistoryStoreError.AbortError(.corrupt("a batch has no rows")) }
            let (first, last): (Int64, Int64) = (try ends.sound("first"), try ends.sound("last"))
            return first...last
        }
    }

    /// The definitions that were removed or made by some rows, oldest first.
    ///
    /// - Throws: Why they can't be read.
    public func definitionsMoved(in rows: ClosedRange<Int64>) throws(HistoryStoreError) -> [HistoryRecord] {
        try read { db in
            try rowReader.records(
                """
                WHERE id BETWEEN \(rows.lowerBound) AND \(rows.upperBound) AND kind IN ('remove', 'define')
                    AND provider IS NULL ORDER BY id
                """, db)
        }
    }
}
