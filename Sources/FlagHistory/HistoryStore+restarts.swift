import FeatureFlags
import Foundation
import GRDB

/// That the app was restarted, and so has every value that a flag had then.
public struct AppRestart: Hashable, Sendable {
    /// The last row of the history that the app has taken up; 0 where it is older than every row.
    public let lastRow: Int64
    /// When it was reported; `nil` where it never was, and the time is counted from when the history first could tell.
    public let at: Date?
    /// Who reported it; empty where nobody did.
    public let actor: String
}

extension HistoryStore {
    /// A history from before restarts were kept begins with one, since nobody knows what the app has taken up.
    static let restarts = """
        CREATE TABLE restart (
            id INTEGER PRIMARY KEY CHECK (id > 0),
            last_row INTEGER NOT NULL CHECK (last_row >= 0),
            at INTEGER,
            actor TEXT NOT NULL
        ) STRICT;
        INSERT INTO restart (last_row, at, actor) SELECT coalesce(max(id), 0), NULL, '' FROM history;
        """

    /// Keeps that the app was restarted.
    ///
    /// - Parameters:
    ///   - row: The last row that the app has taken up; `nil` for the newest. One that is not there yet counts as the newest.
    ///   - at: When it was reported.
    ///   - actor: Who reported it.
    /// - Throws: Why it could not be kept. It is on the disk otherwise.
    public func recordRestart(after row: Int64?, at: Date, actor: String) throws(HistoryStoreError) {
        try write { db in
            let newest = try Self.chainHead(db).id
            let lastRow = min(max(row ?? newest, 0), newest)
            try db.execute(
                literal: """
                    INSERT INTO restart (last_row, at, actor)
                    VALUES (\(lastRow), \(HistoryTime.microseconds(at)), \(StoredEvent.storable(actor)))
                    """)
        }
    }

    /// The restart that took up the most.
    ///
    /// - Throws: Why it can't be read.
    public func lastRestart() throws(HistoryStoreError) -> AppRestart {
        try read { db in
            let row = try Row.fetchOne(
                db, sql: "SELECT last_row, at, actor FROM restart ORDER BY last_row DESC, id DESC LIMIT 1")
            guard let row else { return AppRestart(lastRow: 0, at: nil, actor: "") }
            return AppRestart(
                lastRow: try row.sound("last_row"), at: Int64.fromDatabaseValue(row["at"]).map(HistoryTime.date),
                actor: try row.sound("actor"))
        }
    }

    /// The first change of each of some flags in each provider that the app may not have taken up: what they held before
    /// says what the app read.
    ///
    /// What came before a flag began to require a restart, or together with that, the app took up at once: so it does where
    /// a flag was renamed, as an app that knows the new key path was started since.
    ///
    /// - Parameters:
    ///   - keys: The flags, which all require a restart now.
    ///   - providers: The providers' names.
    ///   - row: The newest row that the app took up when it was restarted.
    /// - Returns: The rows, oldest first.
    /// - Throws: Why they can't be read.
    public func firstChanges(
        of keys: Set<FlagKeyPath>, in providers: [String], after row: Int64
    ) throws(HistoryStoreError) -> [HistoryRecord] {
        let paths = FlagJSON.line(.array(keys.map { .string(StoredEvent.path(of: $0.text)) }))
        let names = FlagJSON.line(.array(providers.map { .string(StoredEvent.storable($0)) }))
        return try read { db in
            try Self.records(
                """
                WHERE id IN (
                    WITH flag (path, start) AS MATERIALIZED (
                        SELECT k.value, max(\(row), coalesce((
                            SELECT max(b.id) FROM history AS b WHERE b.batch = (
                                SELECT d.batch FROM history AS d INDEXED BY history_by_subject
                                WHERE d.provider IS NULL AND d.path = k.value AND d.id > \(row)
                                    AND d.type IS NOT NULL AND d.\(sql: Self.isApplied)
                                    AND \(sql: Self.restartMark("d.after")) AND NOT \(sql: Self.restartMark("d.before"))
                                ORDER BY d.id DESC LIMIT 1)), 0))
                        FROM json_each(\(paths)) AS k)
                    SELECT (
                        SELECT h.id FROM history AS h INDEXED BY history_by_subject
                        WHERE h.provider = p.value AND h.path = flag.path AND h.id > flag.start
                            AND h.kind IN ('set', 'reset', 'external') AND h.\(sql: Self.isApplied)
                        ORDER BY h.id LIMIT 1)
                    FROM flag CROSS JOIN json_each(\(names)) AS p) ORDER BY id
                """, db)
        }
    }

    /// Whether the entry of a definition in a column says that a change takes effect after a restart of the app.
    private static func restartMark(_ column: String) -> String {
        "coalesce(json_extract(\(column), '$.dictionary.requiresRestart.bool'), 0)"
    }
}
