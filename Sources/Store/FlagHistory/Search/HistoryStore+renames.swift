import FeatureFlags
import GRDB

extension HistoryStore {
    /// The key paths that flags got by a renaming, as some rows tell.
    ///
    /// The rows are found by the index of origins and kinds from the first of them on, so that the rows before them cost nothing.
    ///
    /// - Parameters:
    ///   - row: The last row before them.
    ///   - last: The last of them.
    /// - Returns: The key paths, also of flags that are gone or have got another one since.
    /// - Throws: Why the rows can't be read.
    public func renamedKeys(after row: Int64, through last: Int64) throws(HistoryStoreError) -> Set<FlagKeyPath> {
        guard row < last else { return [] }
        let origins = FlagJSON.line(.array(HistoryRecord.Origin.allCases.map { .string($0.rawValue) }))
        let candidates = try read { db in
            try SQLRequest<Int64>(
                literal: """
                    SELECT d.id FROM json_each(\(origins)) AS o
                    CROSS JOIN history AS d INDEXED BY history_by_origin
                    ON d.origin = o.value AND d.kind = \(HistoryRecord.Kind.define.rawValue)
                        AND d.id > \(row) AND d.id <= \(last)
                    CROSS JOIN history AS r
                    ON r.id = d.id - 1 AND r.kind = \(HistoryRecord.Kind.remove.rawValue) AND r.batch = d.batch
                    """, cached: true
            ).fetchAll(db)
        }
        var keys: Set<FlagKeyPath> = []
        for id in candidates {
            if let defined = try record(id, hiddenKeys: []), let removed = try record(id - 1, hiddenKeys: []),
                defined.isRenaming(of: removed)
            {
                keys.insert(defined.event.key)
            }
        }
        return keys
    }
}
