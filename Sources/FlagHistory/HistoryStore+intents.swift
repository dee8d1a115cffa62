import Foundation
import GRDB

extension HistoryStore {
    /// The intents that were begun and neither finished nor abandoned, oldest first.
    ///
    /// At start-up: what a crash left.
    ///
    /// - Throws: Why they can't be read.
    public func openIntents() throws(HistoryStoreError) -> [ChangeIntent] {
        try read { db in
            try Row.fetchAll(db, sql: "SELECT * FROM intent ORDER BY id").map(ChangeIntent.init)
        }
    }

    static func insert(_ intent: ChangeIntent, _ db: Database) throws -> ChangeIntent.ID {
        let events = try JSONEncoder().encode(intent.events.map(StoredEvent.init))
        try db.execute(
            literal: """
                INSERT INTO intent (role, path, temporary_name, hash_before, hash_after, content_after, events, at)
                VALUES (\(intent.role.rawValue), \(intent.path), \(intent.temporaryName), \(intent.hashBefore),
                    \(intent.hashAfter), \(intent.contentAfter), \(String(decoding: events, as: UTF8.self)),
                    \(HistoryTime.microseconds(intent.at)))
                """)
        return db.lastInsertedRowID
    }

    /// Removes an open intent and returns it.
    static func remove(_ id: ChangeIntent.ID, _ db: Database) throws -> ChangeIntent {
        guard let row = try Row.fetchOne(db, sql: "SELECT * FROM intent WHERE id = ?", arguments: [id]) else {
            throw HistoryStoreError.Abort(.unknownIntent(id))
        }
        let intent = try ChangeIntent(row)
        try db.execute(sql: "DELETE FROM intent WHERE id = ?", arguments: [id])
        return intent
    }
}

extension ChangeIntent {
    fileprivate init(_ row: Row) throws {
        func required<Value: DatabaseValueConvertible>(_ column: String) throws -> Value {
            guard let value = Value.fromDatabaseValue(row[column]) else {
                throw HistoryStoreError.Abort(.corrupt("an intent has no valid \(column)"))
            }
            return value
        }
        let events: String = try required("events")
        let at: Int64 = try required("at")
        guard let role = FileRole(rawValue: try required("role")) else {
            throw HistoryStoreError.Abort(.corrupt("an intent has no valid role"))
        }
        let stored: [StoredEvent]
        do {
            stored = try JSONDecoder().decode([StoredEvent].self, from: Data(events.utf8))
        } catch {
            throw HistoryStoreError.Abort(.corrupt("the events of an intent can't be read"))
        }
        self.init(
            role: role, path: try required("path"), temporaryName: try required("temporary_name"),
            hashBefore: try required("hash_before"), hashAfter: try required("hash_after"),
            contentAfter: Data.fromDatabaseValue(row["content_after"]), events: try stored.map { try $0.event() },
            at: HistoryTime.date(at))
        id = try required("id")
    }
}
