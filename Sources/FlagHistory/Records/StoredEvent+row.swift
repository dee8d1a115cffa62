import Foundation
import GRDB

extension StoredEvent {
    /// The columns of a row, in the order of the table.
    static let columns = """
        id, batch, at, actor, role, origin, kind, provider, "key", type, "before", "after", reason, request_id, \
        idempotency_key, file_hash_before, file_hash_after, previous_hash, hash
        """

    /// Reads a row without trusting its storage classes, since the file may come from anywhere.
    init(_ row: Row) throws {
        func optional<Value: DatabaseValueConvertible>(_ column: String) -> Value? {
            Value.fromDatabaseValue(row[column])
        }
        batch = try row.sound("batch")
        at = try row.sound("at")
        actor = try row.sound("actor")
        role = try row.sound("role")
        origin = try row.sound("origin")
        kind = try row.sound("kind")
        provider = optional("provider")
        key = try row.sound("key")
        type = optional("type")
        before = optional("before")
        after = optional("after")
        reason = try row.sound("reason")
        requestID = optional("request_id")
        idempotencyKey = optional("idempotency_key")
        fileHashBefore = optional("file_hash_before")
        fileHashAfter = optional("file_hash_after")
    }

    func insert(_ db: Database, id: Int64, previousHash: Data, hash: Data) throws {
        let statement = try db.cachedStatement(
            sql: "INSERT INTO history (\(Self.columns), path) VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)")
        try statement.execute(arguments: [
            id, batch, at, actor, role, origin, kind, provider, key, type, before, after, reason, requestID,
            idempotencyKey, fileHashBefore, fileHashAfter, previousHash, hash, Self.path(of: key),
        ])
    }
}

extension HistoryRecord {
    init(_ row: Row) throws {
        self.init(
            id: try row.sound("id"), event: try StoredEvent(row).event(), previousHash: try row.sound("previous_hash"),
            hash: try row.sound("hash"))
    }
}
