import FeatureFlags
import GRDB

extension HistoryStore {
    /// The table that rows are searched by.
    static let searchTable = """
        CREATE VIRTUAL TABLE history_search USING fts5(
            "key", actor, reason, "before", "after", tokenize = 'trigram case_sensitive 1');
        """

    /// Has a row be found by its texts.
    ///
    /// - Parameters:
    ///   - before: The value before.
    ///   - after: The value after.
    static func makeSearchable(
        _ event: StoredEvent, _ before: FlagValue?, _ after: FlagValue?, id: Int64, _ db: Database
    ) throws {
        let statement = try db.cachedStatement(
            sql: """
                INSERT OR REPLACE INTO history_search (rowid, "key", actor, reason, "before", "after") VALUES (?, ?, ?, ?, ?, ?)
                """)
        try statement.execute(arguments: [
            id, SearchText.folded(event.key), SearchText.folded(event.actor), SearchText.folded(event.reason),
            before.map { SearchText.folded($0) }, after.map { SearchText.folded($0) },
        ])
    }

    /// Makes anew what rows are found by, from the rows, in one transaction: the texts, the index of their words, and the hours.
    ///
    /// No other process may write the history meanwhile.
    ///
    /// - Returns: How many rows there are.
    /// - Throws: Why it is as it was.
    public func reindex() throws(HistoryStoreError) -> Int {
        try write { [decodedValues] db in
            try db.execute(sql: "DROP TABLE IF EXISTS history_search")
            try db.execute(sql: Self.searchTable)
            let rows = try Row.fetchCursor(db, sql: "SELECT \(StoredEvent.columns) FROM history ORDER BY id")
            var count = 0
            while let row = try rows.next() {
                let (event, id): (StoredEvent, Int64) = (try StoredEvent(row), try row.sound(.id))
                func value(_ text: String?) throws -> FlagValue? { try text.map(decodedValues.value) }
                try Self.makeSearchable(event, value(event.before), value(event.after), id: id, db)
                count += 1
            }
            try db.execute(
                sql: """
                    DELETE FROM history_hour;
                    INSERT INTO history_hour (hour, first, last)
                        SELECT at / 3600000000, min(id), max(id) FROM history GROUP BY 1;
                    """)
            return count
        }
    }
}
