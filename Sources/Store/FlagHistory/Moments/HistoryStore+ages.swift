import FeatureFlags
import Foundation
import GRDB

extension HistoryStore {
    /// Which of some flags have not been changed since a time, where the history reaches back to it.
    ///
    /// Each flag is looked up by the index of its path, so that a long history costs no more than a short one.
    ///
    /// - Parameters:
    ///   - keys: The flags.
    ///   - time: The time.
    ///   - others: The providers whose changes don't count, such as those of other environments.
    /// - Returns: Those flags with the time of their last change before it, `nil` where there is none in the history; none
    ///   at all where the history began later.
    /// - Throws: Why that can't be read.
    public func unchanged(
        _ keys: Set<FlagKeyPath>, since time: Date, leavingOut others: [String] = []
    ) throws(HistoryStoreError) -> [FlagKeyPath: Date?] {
        let limit = HistoryTime.microseconds(time)
        return try read { db in
            let start = try Int64.fetchOne(db, sql: "SELECT at FROM history ORDER BY id LIMIT 1")
            guard let start, start <= limit, !keys.isEmpty else { return [:] }
            let places = Dictionary(
                keys.map { (StoredEvent.path(of: $0.text), $0) }, uniquingKeysWith: { first, _ in first })
            let paths = FlagJSON.text(.array(places.keys.map(FlagValue.string)))
            let left = FlagJSON.text(.array(others.map(FlagValue.string)))
            let rows = try SQLRequest<Row>(
                literal: """
                    SELECT k.value AS path, (
                        SELECT h.at FROM history AS h INDEXED BY history_by_path_alone
                        WHERE h.path = k.value AND h.kind NOT IN ('denied', 'aborted', 'prune', 'accept', 'note')
                            AND (h.provider IS NULL OR h.provider NOT IN (SELECT value FROM json_each(\(left))))
                        ORDER BY h.id DESC LIMIT 1) AS at
                    FROM json_each(\(paths)) AS k
                    """, cached: true
            ).fetchAll(db)
            var unchanged: [FlagKeyPath: Date?] = [:]
            for row in rows {
                let path: String = try row.sound("path")
                let at = Int64.fromDatabaseValue(row["at"])
                guard at ?? start <= limit, let key = places[path] else { continue }
                unchanged[key] = .some(at.map(HistoryTime.date))
            }
            return unchanged
        }
    }
}
