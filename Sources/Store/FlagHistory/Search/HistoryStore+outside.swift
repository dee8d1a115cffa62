import FeatureFlags
import Foundation
import GRDB

extension HistoryStore {
    /// The key paths that edits from outside touched in some rows, each with the newest row that tells of it.
    ///
    /// The rows are found by the index of origins and kinds from the first of them on, so that the rows before them cost nothing.
    ///
    /// - Parameters:
    ///   - row: The last row before them.
    ///   - last: The last of them.
    /// - Returns: The rows' numbers by the key paths: of flags and of groups, also of those that are gone.
    /// - Throws: Why the rows can't be read.
    public func keysEditedOutside(
        after row: Int64, through last: Int64
    ) throws(HistoryStoreError) -> [FlagKeyPath: Int64] {
        guard row < last else { return [:] }
        let kinds = FlagJSON.line(.array(HistoryRecord.Kind.changingFlags.map { .string($0.rawValue) }))
        return try read { db in
            let rows = try SQLRequest<Row>(
                literal: """
                    SELECT h."key", max(h.id) AS id FROM json_each(\(kinds)) AS k
                    CROSS JOIN history AS h INDEXED BY history_by_origin
                    ON h.origin = \(HistoryRecord.Origin.external.rawValue) AND h.kind = k.value
                        AND h.id > \(row) AND h.id <= \(last)
                    GROUP BY h."key"
                    """, cached: true
            ).fetchAll(db)
            let keys = try rows.map { row in
                let text: String = try row.sound("key")
                guard let key = FlagKeyPath(longText: text) else {
                    throw HistoryStoreError.AbortError(.corrupt("a row has the key \"\(text.prefix(60))\""))
                }
                return (key, try row.sound("id") as Int64)
            }
            // Canonically equivalent spellings are one flag.
            return Dictionary(keys, uniquingKeysWith: max)
        }
    }
}
