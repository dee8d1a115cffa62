import FeatureFlags
import Foundation
import GRDB

extension HistoryStore {
    /// Returns the moment after the last row written at a time or before.
    ///
    /// Earlier rows count even if a clock set back gave them later times. A begun batch counts whole, since its files
    /// never were in between.
    package func moment(at date: Date) throws(HistoryStoreError) -> HistoryMoment {
        try read { db in
            let last = try Self.lastRow(until: HistoryTime.microseconds(date), db)
            let end = try last.flatMap { id in
                try SQLRequest<Int64>(
                    literal: """
                        SELECT max(id) FROM history WHERE batch = (SELECT batch FROM history WHERE id = \(id))
                        """, cached: true
                ).fetchOne(db)
            }
            return try Self.moment(after: end, db)
        }
    }

    /// Returns the time of the oldest row left.
    package func begin() throws(HistoryStoreError) -> Date? {
        try readAtOnce { db in try Self.begin(db) }
    }

    private static func begin(_ db: Database) throws -> Date? {
        try Int64.fetchOne(db.cachedStatement(sql: "SELECT at FROM history ORDER BY id LIMIT 1")).map(HistoryTime.date)
    }

    /// Returns the moment just before a row's batch, and the batch's time; `nil` if the row is missing or hidden.
    package func moment(
        before id: Int64, hiddenKeys: HiddenKeys
    ) throws(HistoryStoreError) -> (moment: HistoryMoment, end: Date)? {
        try read { db in
            let query: SQL = """
                SELECT id, at FROM history WHERE id = (
                    SELECT min(id) FROM history WHERE batch = (
                        SELECT batch FROM history WHERE id = \(id) AND \(hiddenKeys.isShown)))
                """
            guard let row = try SQLRequest<Row>(literal: query, cached: true).fetchOne(db) else { return nil }
            let first: Int64 = try row.sound("id")
            return (try Self.moment(after: first &- 1, db), HistoryTime.date(try row.sound("at")))
        }
    }

    private static func moment(after last: Int64?, _ db: Database) throws -> HistoryMoment {
        let anchor = try lastAnchor(db)
        let known = last ?? 0
        return HistoryMoment(
            lastRow: known, head: try chainHead(db).id, begin: try begin(db),
            anchor: anchor, isKnown: anchor.map { known >= $0.last } ?? true)
    }

    /// Reads only one hour's rows, thanks to the table of hours.
    private static func lastRow(until at: Int64, _ db: Database) throws -> Int64? {
        try SQLRequest<Int64>(
            literal: """
                SELECT max(id) FROM (
                    SELECT max(last) AS id FROM history_hour WHERE hour < \(at) / 3600000000
                    UNION ALL
                    SELECT max(id) FROM history INDEXED BY history_by_at
                        WHERE at BETWEEN \(at) / 3600000000 * 3600000000 AND \(at))
                """, cached: true
        ).fetchOne(db)
    }

    /// Returns the values that changes after a row replaced first, newest change first.
    ///
    /// Undone in this order, they restore the values at the row. Refused and interrupted attempts, and entries that are
    /// no flags, are left out. A `nil` provider means definitions.
    package func replacedValues(
        after row: Int64, in provider: String?
    ) throws(HistoryStoreError) -> [ReplacedValue] {
        try read { db in
            let stored = provider.map(stored)
            let arguments: StatementArguments = [
                "provider": stored, "row": row, "paths": try changedPaths.list(of: stored, db),
            ]
            let decoded = provider == nil ? decodedDefinitions : decodedValues
            var values: [ReplacedValue] = []
            try rowReader.forEach(of: db.cachedStatement(sql: Self.firstChanges(db)), arguments, db) { row, isAltered in
                let places = (key: HistoryColumn.key.rawValue, value: HistoryColumn.before.rawValue)
                values.append(try ReplacedValue(row, places, isAltered: isAltered, decodedKeys, decoded))
            }
            return values.sorted { $0.row > $1.row }
        }
    }

    /// Returns the last known definition of each flag, also of removed ones.
    package func lastDefinitions() throws(HistoryStoreError) -> [FlagKeyPath: FlagValue] {
        try read { try Self.lastDefinitions($0, decodedKeys, decodedDefinitions) }
    }

    static func lastDefinitions(
        _ db: Database, _ keys: DecodedTexts<FlagKeyPath>, _ values: DecodedTexts<FlagValue>
    ) throws -> [FlagKeyPath: FlagValue] {
        let definitions: [String: String?] = ["provider": nil]
        let rows = try Row.fetchAll(db, sql: newestDefinitions, arguments: StatementArguments(definitions))
        let entries = try rows.compactMap { row in
            let known = try ReplacedValue(row, (key: 1, value: 2), keys, values)
            return known.value.map { (known.key, $0) }
        }
        return Dictionary(entries, uniquingKeysWith: { first, _ in first })
    }

    /// Returns sorted names.
    package func providersWithChanges() throws(HistoryStoreError) -> [String] {
        let kept = try read { db in
            try String.fetchAll(
                db,
                sql: """
                    WITH RECURSIVE known (provider) AS (
                        SELECT min(provider) FROM history WHERE \(Self.isApplied)
                        UNION ALL
                        SELECT (SELECT min(provider) FROM history WHERE provider > known.provider AND \(Self.isApplied))
                        FROM known WHERE known.provider IS NOT NULL)
                    SELECT provider FROM known WHERE provider IS NOT NULL
                    """)
        }
        return kept.map(names.shown).sorted()
    }

    /// Matches applied changes, in the words of the partial index, so that SQLite uses it.
    ///
    /// The index includes notes; excluding them there would rebuild it row by row.
    static let isApplied = "kind NOT IN ('aborted', 'denied', 'prune', 'accept') AND kind <> 'note'"

    private static func firstChanges(_ db: Database) throws -> String {
        """
        SELECT \(try RowReader.columns(of: "h", db)) FROM json_each(:paths) AS changed CROSS JOIN history AS h ON h.id = (
            SELECT id FROM history INDEXED BY history_by_subject
            WHERE provider IS :provider AND path = changed.value AND id > :row AND type IS NOT NULL AND \(isApplied)
            ORDER BY id LIMIT 1)
        """
    }

    private static let newestDefinitions = """
        \(ChangedPaths.query)
        SELECT h.id, h."key", coalesce(h."after", h."before") AS "before" FROM changed CROSS JOIN history AS h
        ON h.id = (
            SELECT id FROM history INDEXED BY history_by_subject
            WHERE provider IS :provider AND path = changed.path AND type IS NOT NULL AND \(isApplied)
            ORDER BY id DESC LIMIT 1)
        """
}
