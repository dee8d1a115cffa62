import FeatureFlags
import Foundation
import GRDB

extension HistoryStore {
    /// The newest row by which an actor changed a flag in some ways: the newest of each way and kind is found by the index of
    /// actors, and no other row is looked at.
    ///
    /// - Parameters:
    ///   - actor: Who made the change.
    ///   - origins: The ways.
    ///   - hiddenKeys: What must not appear: everything about the internal flags.
    /// - Returns: The row; `nil` where there is none, or it is hidden.
    /// - Throws: Why the rows can't be read.
    public func newestChange(
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
            // One row is held against the key paths at once: the condition for many is made anew after each row.
            return try rowReader.records("WHERE id = \(id)", db).first { !hiddenKeys.hides($0.event) }
        }
    }
}
