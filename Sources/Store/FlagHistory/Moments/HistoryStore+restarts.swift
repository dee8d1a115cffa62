import FeatureFlags
import Foundation
import GRDB

/// A restart of the app, which reloads every value.
package struct AppRestart: Hashable, Sendable {
    /// The last row that the app loaded; 0 if older than every row.
    package let lastRow: Int64
    /// The time of the report; `nil` without one.
    package let at: Date?
    /// The reporter; empty without a report.
    package let actor: String
    /// The last pruned row; 0 for none.
    package let lastPruned: Int64
}

extension HistoryStore {
    /// Stores a restart of the app; `nil` or a future row means the newest.
    package func recordRestart(after row: Int64?, at: Date, actor: String) throws(HistoryStoreError) {
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

    /// Returns the restart that loaded the newest row.
    package func lastRestart() throws(HistoryStoreError) -> AppRestart {
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

    /// Returns the first change of a value in each provider, oldest first, for each span.
    package func firstChanges(
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
        let names = FlagJSON.line(.array(providers.map { .string(stored($0)) }))
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
            // Two flags may have had one key path in turn.
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

    /// Returns the rows that added or removed definitions, or changed their `requiresRestart`, oldest first.
    package func definitionTurns(
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

    /// Returns the length of the marks that require a restart.
    ///
    /// Inside a string their quotes would be escaped, but the app's own data in the entry may contain the mark too.
    private static func restartMarks(_ column: String) -> SQL {
        let mark = "\"requiresRestart\":{\"bool\":true}"
        return "length(h.\(sql: "\"\(column)\"")) - length(replace(h.\(sql: "\"\(column)\""), \(mark), ''))"
    }

    /// Returns the rows of a batch, which are contiguous.
    package func rows(ofBatch batch: UUID) throws(HistoryStoreError) -> ClosedRange<Int64> {
        try read { db in
            let ends = try SQLRequest<Row>(
                literal: "SELECT min(id) AS first, max(id) AS last FROM history WHERE batch = \(batch.uuidString)",
                cached: true
            ).fetchOne(db)
            guard let ends else { throw HistoryStoreError(.corrupt("a batch has no rows")) }
            let (first, last): (Int64, Int64) = (try ends.sound("first"), try ends.sound("last"))
            return first...last
        }
    }

    /// Returns the rows in a range that removed or added definitions, oldest first.
    package func definitionsMoved(in rows: ClosedRange<Int64>) throws(HistoryStoreError) -> [HistoryRecord] {
        try read { db in
            try rowReader.records(
                """
                WHERE id BETWEEN \(rows.lowerBound) AND \(rows.upperBound) AND kind IN ('remove', 'define')
                    AND provider IS NULL ORDER BY id
                """, db)
        }
    }
}
