import FeatureFlags
import Foundation
import GRDB

/// The changes around a moment.
///
/// Those that were applied together count as one, named by the first of them that may be seen.
public struct NeighbouringChanges: Hashable, Sendable {
    /// A change, or several that were applied together.
    public struct Change: Hashable, Sendable {
        /// The first row.
        public let id: Int64
        /// When it was written.
        public let at: Date

        /// Names a change.
        public init(id: Int64, at: Date) {
            self.id = id
            self.at = at
        }
    }

    /// The last change before the moment.
    public let previous: Change?
    /// The first change after the moment.
    public let next: Change?
    /// The change after that.
    public let afterNext: Change?

    /// Makes the neighbours of a moment.
    public init(previous: Change?, next: Change?, afterNext: Change?) {
        self.previous = previous
        self.next = next
        self.afterNext = afterNext
    }
}

extension HistoryStore {
    /// The changes around the moment after a row.
    ///
    /// Attempts that were refused or interrupted changed nothing and are passed over.
    ///
    /// - Parameters:
    ///   - row: The last row before the moment (``HistoryMoment/lastRow``); 0 for the time before all rows.
    ///   - hiddenKeys: What must not appear: everything about the internal flags.
    /// - Returns: The changes.
    /// - Throws: Why they can't be read.
    public func neighbours(
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

    /// The first change on one side of a moment, and the last row of those that were applied together with it.
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
    /// The flags that rows are about, and what was done, without anything else that they say.
    ///
    /// - Parameters:
    ///   - row: The row after which to look.
    ///   - limit: How many rows at most.
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
                    throw HistoryStoreError.AbortError(.corrupt("a row of \(text) can't be read"))
                }
                subjects.append((key, kind))
            }
            return subjects
        }
    }
}

/// A stretch of the history, and the key path at which a flag stood meanwhile.
public struct HistorySpan: Hashable, Sendable {
    /// The key path.
    public let key: FlagKeyPath
    /// The row after which it begins.
    public let start: Int64
    /// The row before which it ends.
    public let end: Int64

    /// Makes a span.
    public init(key: FlagKeyPath, start: Int64, end: Int64 = .max) {
        self.key = key
        self.start = start
        self.end = end
    }
}
