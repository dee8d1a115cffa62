import FeatureFlags
import Foundation
import GRDB

/// The newest row about a flag that tells of a change that took effect.
public struct LastChange: Hashable, Sendable {
    /// The row.
    public let id: Int64
    /// When.
    public let at: Date
    /// Who.
    public let actor: String
    /// Whether another program altered the row after it was written.
    public let isAltered: Bool

    /// Makes one.
    public init(id: Int64, at: Date, actor: String, isAltered: Bool = false) {
        self.id = id
        self.at = at
        self.actor = actor
        self.isAltered = isAltered
    }
}

extension HistoryStore {
    /// The last change of each of many flags, found by the index of their paths: a long history costs no more than a
    /// short one.
    ///
    /// What was refused or aborted changed nothing, and does not count.
    ///
    /// - Parameters:
    ///   - keys: The flags.
    ///   - hiddenKeys: What must not appear: everything about the internal flags.
    /// - Returns: The changes; none for a flag that was not changed since the history began.
    /// - Throws: Why they can't be read.
    public func lastChanges(
        of keys: Set<FlagKeyPath>, hiddenKeys: HiddenKeys
    ) throws(HistoryStoreError) -> [FlagKeyPath: LastChange] {
        let keys = Array(keys)
        let paths = FlagJSON.text(.array(keys.map { .string(StoredEvent.path(of: $0.text)) }))
        let request: SQL = """
            SELECT \(sql: RowReader.columns(of: "h")), k.key AS place FROM json_each(\(paths)) AS k CROSS JOIN history AS h
            ON h.id = (SELECT id FROM history INDEXED BY history_by_path_alone
                WHERE path = k.value AND kind NOT IN ('denied', 'aborted', 'prune', 'accept', 'note')
                    AND \(hiddenKeys.isShown)
                ORDER BY id DESC LIMIT 1)
            """
        return try read { db in
            var changes: [FlagKeyPath: LastChange] = [:]
            try rowReader.forEach(of: request, db) { row, isAltered in
                changes[keys[try row.sound("place")]] = LastChange(
                    id: try row.sound(.id), at: HistoryTime.date(try row.sound(.at)), actor: try row.sound(.actor),
                    isAltered: isAltered)
            }
            return changes
        }
    }
}
