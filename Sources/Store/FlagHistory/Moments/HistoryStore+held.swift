import FeatureFlags
import Foundation
import GRDB

extension HistoryStore {
    /// Returns `true` if an applied change had this value before or after.
    package func hasRecorded(
        _ value: FlagValue, at key: FlagKeyPath, in provider: String
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
                    "provider": stored(provider), "path": StoredEvent.path(of: key.text), "value": text,
                ]) ?? false
        }
    }

    /// Returns a flag's last recorded value in a provider: the newest row's value after or, without one, before.
    package func lastValue(of key: FlagKeyPath, in provider: String) throws(HistoryStoreError) -> FlagValue? {
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
                    "provider": stored(provider), "path": StoredEvent.path(of: key.text),
                ])
            return try text.map { try FlagValue(encodedText: $0) }
        }
    }

    /// Returns the file's hash before a flag's newest change in a provider, or in the manifest.
    package func fileHash(
        beforeLastChangeOf key: FlagKeyPath, in provider: String?
    ) throws(HistoryStoreError) -> Data? {
        try read { db in
            try Data.fetchOne(
                db,
                sql: """
                    SELECT file_hash_before FROM history INDEXED BY history_by_subject
                    WHERE provider IS :provider AND path = :path AND \(Self.isApplied)
                    ORDER BY id DESC LIMIT 1
                    """,
                arguments: [
                    "provider": provider.map(stored), "path": StoredEvent.path(of: key.text),
                ])
        }
    }
}

extension HistoryStore {
    /// Returns the flags unchanged since a time, with their last change's time, `nil` for none.
    ///
    /// Empty if the history begins after `time`. Changes of `others` don't count. The index of paths keeps the cost
    /// independent of the history's length.
    package func unchanged(
        _ keys: Set<FlagKeyPath>, since time: Date, leavingOut others: [String] = []
    ) throws(HistoryStoreError) -> [FlagKeyPath: Date?] {
        let limit = HistoryTime.microseconds(time)
        return try read { db in
            let start = try Int64.fetchOne(db, sql: "SELECT at FROM history ORDER BY id LIMIT 1")
            guard let start, start <= limit, !keys.isEmpty else { return [:] }
            let places = Dictionary(
                keys.map { (StoredEvent.path(of: $0.text), $0) }, uniquingKeysWith: { first, _ in first })
            let paths = FlagJSON.text(.array(places.keys.map(FlagValue.string)))
            let left = FlagJSON.text(.array(others.map { .string(stored($0)) }))
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

extension HistoryStore {
    /// Returns a provider's name as the rows have it.
    func stored(_ provider: String) -> String { StoredEvent.storable(names.kept(provider)) }
}
