import FeatureFlags
import Foundation
import GRDB

extension HistoryStore {
    /// Returns the stored answer to an actor's request; `nil` if the request is new.
    package func answer(to actor: String, idempotencyKey: String) throws(HistoryStoreError) -> KeptAnswer? {
        try read { db in
            let row = try Row.fetchOne(
                db.cachedStatement(sql: "SELECT request, rows FROM answer WHERE actor = ? AND idempotency_key = ?"),
                arguments: [StoredEvent.storable(actor), StoredEvent.storable(idempotencyKey)])
            guard let row else { return nil }
            guard let request = Data.fromDatabaseValue(row["request"]),
                let text = String.fromDatabaseValue(row["rows"]),
                case .success(let ids) = Result(catching: {
                    try JSONDecoder().decode([Int64?].self, from: Data(text.utf8))
                })
            else { throw HistoryStoreError(.corrupt("can't read the response to a request")) }
            let records = try ids.map { id in
                try id.map { id in
                    guard let record = try rowReader.records("WHERE id = \(id)", db).first else {
                        throw HistoryStoreError(
                            .corrupt(
                                "row \(id), which belongs to a request, is missing"))
                    }
                    return record
                }
            }
            return KeptAnswer(request: request, records: records)
        }
    }

    /// Stores answers with the rows they name; the first answer to a request stays.
    static func insert(_ answers: [RequestAnswer], naming records: [HistoryRecord], _ db: Database) throws {
        for answer in answers {
            let ids = answer.events.map { $0.map { records[$0].id } }
            let text = String(decoding: try JSONEncoder().encode(ids), as: UTF8.self)
            try db.cachedStatement(
                sql: """
                    INSERT INTO answer (actor, idempotency_key, request, rows) VALUES (?, ?, ?, ?)
                    ON CONFLICT DO NOTHING
                    """
            ).execute(arguments: [
                StoredEvent.storable(answer.actor), StoredEvent.storable(answer.idempotencyKey), answer.request, text,
            ])
        }
    }
}

extension HistoryStore {
    static let searchTable = """
        CREATE VIRTUAL TABLE history_search USING fts5(
            "key", actor, reason, "before", "after", tokenize = 'trigram case_sensitive 1');
        """

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

    /// Rebuilds the search index and the hours in one transaction, and returns the number of rows.
    ///
    /// No other process may write meanwhile.
    package func reindex() throws(HistoryStoreError) -> Int {
        try write { [decodedValues] db in
            try db.execute(sql: "DROP TABLE IF EXISTS history_search")
            try db.execute(sql: Self.searchTable)
            let rows = try Row.fetchCursor(db, sql: "SELECT \(HistoryColumn.list) FROM history ORDER BY id")
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
