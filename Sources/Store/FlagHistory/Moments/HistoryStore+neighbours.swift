import FeatureFlags
import Foundation
import GRDB

/// The changes around a moment.
///
/// Changes applied together count as one, named by their first visible row.
package struct NeighbouringChanges: Hashable, Sendable {
    package struct Change: Hashable, Sendable {
        package let id: Int64
        package let at: Date

        package init(id: Int64, at: Date) {
            self.id = id
            self.at = at
        }
    }

    package let previous: Change?
    package let next: Change?
    package let afterNext: Change?

    package init(previous: Change?, next: Change?, afterNext: Change?) {
        self.previous = previous
        self.next = next
        self.afterNext = afterNext
    }
}

extension HistoryStore {
    /// Returns the changes around the moment after a row, without refused and interrupted attempts.
    package func neighbours(
        ofMomentAfter row: Int64, hiddenKeys: HiddenKeys
    ) throws(HistoryStoreError) -> NeighbouringChanges {
        try read { db in
            let isShown = try known.shown.condition(hiding: hiddenKeys, db)
            let previous = try Self.change("id <= \(row)", "DESC", isShown, db)
            let next = try Self.change("id > \(row)", "ASC", isShown, db)
            let afterNext = try next.flatMap { try Self.change("id > \($0.last)", "ASC", isShown, db) }
            return NeighbouringChanges(
                previous: previous?.change, next: next?.change, afterNext: afterNext?.change)
        }
    }

    /// Returns the nearest change, and its batch's last row.
    private static func change(
        _ side: SQL, _ order: SQL, _ isShown: SQL, _ db: Database
    ) throws -> (change: NeighbouringChanges.Change, last: Int64)? {
        let found = try SQLRequest<Row>(
            literal: """
                SELECT id, at, (SELECT max(id) FROM history WHERE batch = f.batch) AS last
                FROM history AS f WHERE id = (
                    SELECT min(id) FROM history WHERE \(isShown) AND batch = (
                        SELECT batch FROM history NOT INDEXED WHERE \(side) AND \(sql: isApplied) AND \(isShown)
                        ORDER BY id \(order) LIMIT 1))
                """
        ).fetchOne(db)
        guard let found else { return nil }
        let id: Int64 = try found.sound("id")
        let change = NeighbouringChanges.Change(id: id, at: HistoryTime.date(try found.sound("at")))
        return (change, try found.sound("last"))
    }
}

extension HistoryStore {
    /// Returns the flags and kinds of rows, oldest first.
    package func subjects(
        after row: Int64, limit: Int
    ) throws(HistoryStoreError) -> [(key: FlagKeyPath, kind: HistoryRecord.Kind)] {
        try readAtOnce { db in
            let rows = try Row.fetchCursor(
                db.cachedStatement(sql: "SELECT \"key\", kind FROM history WHERE id > ? ORDER BY id LIMIT ?"),
                arguments: [row, limit])
            var subjects: [(key: FlagKeyPath, kind: HistoryRecord.Kind)] = []
            while let row = try rows.next() {
                let (text, word): (String, String) = (
                    try row.sound(row[0], "key", of: "a row"), try row.sound(row[1], "kind", of: "a row")
                )
                guard let key = FlagKeyPath(longText: text), let kind = HistoryRecord.Kind(rawValue: word) else {
                    throw HistoryStoreError(.corrupt("can't read a row of \(text)"))
                }
                subjects.append((key, kind))
            }
            return subjects
        }
    }
}

/// The rows during which a flag had one key path.
package struct HistorySpan: Hashable, Sendable {
    package let key: FlagKeyPath
    /// The row before the first.
    package let start: Int64
    /// The row after the last.
    package let end: Int64

    package init(key: FlagKeyPath, start: Int64, end: Int64 = .max) {
        self.key = key
        self.start = start
        self.end = end
    }
}
