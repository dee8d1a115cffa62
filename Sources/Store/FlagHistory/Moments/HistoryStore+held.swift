import FeatureFlags
import Foundation
import GRDB

extension HistoryStore {
    /// Whether the rows tell that a provider held just that value of a flag, before a change or after one.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - key: The flag.
    ///   - provider: The provider.
    /// - Returns: Whether there is such a row.
    /// - Throws: Why they can't be read.
    public func tells(
        of value: FlagValue, at key: FlagKeyPath, in provider: String
    ) throws(HistoryStoreError) -> Bool {
        try read { db in
            let text = try StoredEvent.text(value)
            return try Bool.fetchOne(
                db,
                sql: """
                    SELECT EXISTS (
                        SELECT 1 FROM history INDEXED BY history_by_subject
                        WHERE provider IS :provider AND path = :path AND \(Self.isApplied)
                            AND ("before" IS :value OR "after" IS :value))
                    """,
                arguments: [
                    "provider": StoredEvent.storable(provider), "path": StoredEvent.path(of: key.text), "value": text,
                ]) ?? false
        }
    }

    /// What a provider held last of a flag, as far as the rows tell: what the newest one left or, where it left nothing,
    /// found.
    ///
    /// - Parameters:
    ///   - key: The flag.
    ///   - provider: The provider.
    /// - Returns: The value; `nil` where no row tells of one.
    /// - Throws: Why the rows can't be read.
    public func lastValue(of key: FlagKeyPath, in provider: String) throws(HistoryStoreError) -> FlagValue? {
        try read { db in
            let text = try String.fetchOne(
                db,
                sql: """
                    SELECT coalesce("after", "before") FROM history INDEXED BY history_by_subject
                    WHERE provider IS :provider AND path = :path AND \(Self.isApplied)
                        AND coalesce("after", "before") IS NOT NULL
                    ORDER BY id DESC LIMIT 1
                    """,
                arguments: [
                    "provider": StoredEvent.storable(provider), "path": StoredEvent.path(of: key.text),
                ])
            return try text.map { try FlagValue(encodedText: $0) }
        }
    }

    /// The hash of the file that the newest change of a flag in a provider was made in.
    ///
    /// - Parameters:
    ///   - key: The flag.
    ///   - provider: The provider.
    /// - Returns: 32 bytes; `nil` where no row tells of a change.
    /// - Throws: Why the rows can't be read.
    public func fileHash(beforeLastChangeOf key: FlagKeyPath, in provider: String) throws(HistoryStoreError) -> Data? {
        try read { db in
            try Data.fetchOne(
                db,
                sql: """
                    SELECT file_hash_before FROM history INDEXED BY history_by_subject
                    WHERE provider IS :provider AND path = :path AND \(Self.isApplied)
                    ORDER BY id DESC LIMIT 1
                    """,
                arguments: [
                    "provider": StoredEvent.storable(provider), "path": StoredEvent.path(of: key.text),
                ])
        }
    }
}

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
