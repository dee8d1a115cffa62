import FeatureFlags
import GRDB

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
