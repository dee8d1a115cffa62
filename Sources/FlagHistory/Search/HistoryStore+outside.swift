import FeatureFlags
import Foundation
import GRDB

extension HistoryStore {
    /// The kinds of rows that tell of a change that took effect.
    private static let changing: [HistoryRecord.Kind] = [
        .set, .reset, .define, .redefine, .lock, .unlock, .remove, .external,
    ]

    /// The key paths that edits from outside touched in some rows.
    ///
    /// The rows are found by the index of origins and kinds from the first of them on, so that the rows before them cost nothing.
    ///
    /// - Parameters:
    ///   - row: The last row before them.
    ///   - last: The last of them.
    /// - Returns: The key paths, each once: of flags and of groups, also of those that are gone.
    /// - Throws: Why the rows can't be read.
    public func keysEditedOutside(
        after row: Int64, through last: Int64
    ) throws(HistoryStoreError) -> Set<FlagKeyPath> {
        guard row < last else { return [] }
        let kinds = FlagJSON.line(.array(Self.changing.map { .string($0.rawValue) }))
        return try read { db in
            let keys = try SQLRequest<String>(
                literal: """
                    SELECT DISTINCT h."key" FROM json_each(\(kinds)) AS k
                    CROSS JOIN history AS h INDEXED BY history_by_origin
                    ON h.origin = \(HistoryRecord.Origin.external.rawValue) AND h.kind = k.value
                        AND h.id > \(row) AND h.id <= \(last)
                    """, cached: true
            ).fetchAll(db)
            return Set(
                try keys.map { text in
                    guard let key = FlagKeyPath(longText: text) else {
                        throw HistoryStoreError.AbortError(.corrupt("a row has the key \"\(text.prefix(60))\""))
                    }
                    return key
                })
        }
    }
}
