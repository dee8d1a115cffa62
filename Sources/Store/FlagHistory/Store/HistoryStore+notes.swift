import FeatureFlags
import Foundation
import GRDB

extension HistoryEvent {
    /// The row that this note explains; `nil` for other kinds.
    package var notedRow: Int64? {
        guard kind == .note, case .integer(let number)? = after else { return nil }
        return Int64(exactly: number)
    }
}

extension HistoryStore {
    /// Returns the notes on each row, oldest first.
    package func notes(
        on records: [HistoryRecord], hiddenKeys: HiddenKeys
    ) throws(HistoryStoreError) -> [HistoryRecord.ID: [HistoryRecord]] {
        let noted = records.filter(\.event.kind.changesFlags)
        guard let oldest = noted.map(\.id).min() else { return [:] }
        let paths = Set(noted.map { StoredEvent.path(of: $0.event.key.text) })
        let origins = FlagJSON.line(.array(HistoryRecord.Origin.allCases.map { .string($0.rawValue) }))
        return try read { db in
            // Most pages have none, which this finds out at once.
            let hasLater = try SQLRequest<Bool>(
                literal: """
                    SELECT EXISTS (
                        SELECT 1 FROM history INDEXED BY history_by_origin
                        WHERE origin IN (SELECT value FROM json_each(\(origins))) AND kind = 'note' AND id > \(oldest))
                    """, cached: true
            ).fetchOne(db)
            guard hasLater == true else { return [:] }
            let numbers = try noted.map { try StoredEvent.text(.integer(Int128($0.id))) }
            let found = try rowReader.records(
                """
                INDEXED BY history_by_path
                WHERE path IN (SELECT value FROM json_each(\(FlagJSON.line(.array(paths.sorted().map(FlagValue.string))))))
                    AND origin IN (SELECT value FROM json_each(\(origins))) AND kind = 'note' AND id > \(oldest)
                    AND "after" IN (SELECT value FROM json_each(\(FlagJSON.line(.array(numbers.map(FlagValue.string))))))
                    AND \(hiddenKeys.isShown)
                ORDER BY id
                """, db)
            let wanted = Dictionary(noted.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
            let pairs = found.compactMap { note in
                note.event.notedRow.flatMap { wanted[$0] == nil ? nil : ($0, note) }
            }
            return Dictionary(grouping: pairs, by: \.0).mapValues { $0.map(\.1) }
        }
    }
}

package struct LastChange: Hashable, Sendable {
    package let id: Int64
    package let at: Date
    package let actor: String
    /// An edit outside Flagboard.
    package let isExternal: Bool
    package let isAltered: Bool

    package init(id: Int64, at: Date, actor: String, isExternal: Bool = false, isAltered: Bool = false) {
        self.id = id
        self.at = at
        self.actor = actor
        self.isExternal = isExternal
        self.isAltered = isAltered
    }
}

extension HistoryStore {
    /// Returns each flag's last applied change, at a cost independent of the history's length.
    package func lastChanges(
        of keys: Set<FlagKeyPath>, hiddenKeys: HiddenKeys
    ) throws(HistoryStoreError) -> [FlagKeyPath: LastChange] {
        let keys = Array(keys)
        let paths = FlagJSON.text(.array(keys.map { .string(StoredEvent.path(of: $0.text)) }))
        return try read { db in
            let request: SQL = """
                SELECT \(sql: try RowReader.columns(of: "h", db)), k.key AS place
                FROM json_each(\(paths)) AS k CROSS JOIN history AS h
                ON h.id = (SELECT id FROM history INDEXED BY history_by_path_alone
                    WHERE path = k.value AND kind NOT IN ('denied', 'aborted', 'prune', 'accept', 'note')
                        AND \(hiddenKeys.isShown)
                    ORDER BY id DESC LIMIT 1)
                """
            var changes: [FlagKeyPath: LastChange] = [:]
            try rowReader.forEach(of: request, db) { row, isAltered in
                changes[keys[try row.sound("place")]] = LastChange(
                    id: try row.sound(.id), at: HistoryTime.date(try row.sound(.at)), actor: try row.sound(.actor),
                    isExternal: try row.sound(.origin) == HistoryRecord.Origin.external.rawValue, isAltered: isAltered)
            }
            return changes
        }
    }
}
