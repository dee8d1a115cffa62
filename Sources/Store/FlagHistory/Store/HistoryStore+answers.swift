import Foundation
import GRDB

extension HistoryStore {
    /// What a request was answered that the same actor made under this idempotency key.
    ///
    /// - Parameters:
    ///   - actor: Who asks.
    ///   - idempotencyKey: What the asker calls the request.
    /// - Returns: `nil` where the request is a new one.
    /// - Throws: Why it can't be read.
    public func answer(to actor: String, idempotencyKey: String) throws(HistoryStoreError) -> KeptAnswer? {
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
            else { throw HistoryStoreError.AbortError(.corrupt("the answer to a request can't be read")) }
            let records = try ids.map { id in
                try id.map { id in
                    guard let record = try rowReader.records("WHERE id = \(id)", db).first else {
                        throw HistoryStoreError.AbortError(.corrupt("row \(id), which answers a request, is missing"))
                    }
                    return record
                }
            }
            return KeptAnswer(request: request, records: records)
        }
    }

    /// Keeps answers together with the rows that they name.
    ///
    /// The first answer to a request is the one that stands.
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
