import FeatureFlags
import Foundation
import GRDB

extension HistoryStore {
    /// Returns an actor's newest change; `nil` if there is none, or it is hidden.
    package func newestChange(
        by actor: String, through origins: [HistoryRecord.Origin], hiddenKeys: HiddenKeys
    ) throws(HistoryStoreError) -> HistoryRecord? {
        func list(_ names: [String]) -> String { FlagJSON.line(.array(names.map(FlagValue.string))) }
        let (origins, kinds) = (list(origins.map(\.rawValue)), list(HistoryRecord.Kind.changingFlags.map(\.rawValue)))
        return try read { db in
            let id = try SQLRequest<Int64?>(
                literal: """
                    SELECT max((
                        SELECT h.id FROM history AS h INDEXED BY history_by_actor
                        WHERE h.actor = \(StoredEvent.storable(actor)) AND h.origin = o.value AND h.kind = k.value
                        ORDER BY h.id DESC LIMIT 1))
                    FROM json_each(\(origins)) AS o CROSS JOIN json_each(\(kinds)) AS k
                    """, cached: true
            ).fetchOne(db)
            guard case let id?? = id else { return nil }
            // One row is checked directly: the condition is rebuilt after each new row.
            return try rowReader.records("WHERE id = \(id)", db).first { !hiddenKeys.hides($0.event) }
        }
    }
}

extension HistoryStore {
    /// Returns the key paths edited from outside in a range of rows, with their newest rows.
    ///
    /// Includes groups and removed flags. The index of origins and kinds keeps earlier rows free.
    package func keysEditedOutside(
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
                    throw HistoryStoreError(.corrupt("a row has the key \"\(text.prefix(60))\""))
                }
                return (key, try row.sound("id") as Int64)
            }
            // Canonically equivalent spellings are one flag.
            return Dictionary(keys, uniquingKeysWith: max)
        }
    }
}

extension HistoryStore {
    /// Returns the new key paths of flags renamed in a range of rows, also of flags removed or renamed since.
    package func renamedKeys(after row: Int64, through last: Int64) throws(HistoryStoreError) -> Set<FlagKeyPath> {
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
            if let defined = try record(id, hiddenKeys: []), let removed = try record(id &- 1, hiddenKeys: []),
                defined.isRenaming(of: removed)
            {
                keys.insert(defined.event.key)
            }
        }
        return keys
    }
}
