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
        func required<Value: DatabaseValueConvertible>(_ column: String) throws -> Value {
            guard let value: Value = optional(column) else {
                throw HistoryStoreError.Abort(.corrupt("a row has no valid \(column)"))
            }
            return value
        }
        batch = try required("batch")
        at = try required("at")
        actor = try required("actor")
        role = try required("role")
        origin = try required("origin")
        kind = try required("kind")
        provider = optional("provider")
        key = try required("key")
        type = optional("type")
        before = optional("before")
        after = optional("after")
        reason = try required("reason")
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
        guard let id = Int64.fromDatabaseValue(row["id"]), let hash = Data.fromDatabaseValue(row["hash"]),
            let previousHash = Data.fromDatabaseValue(row["previous_hash"])
        else { throw HistoryStoreError.Abort(.corrupt("a row has no valid id or hash")) }
        self.init(id: id, event: try StoredEvent(row).event(), previousHash: previousHash, hash: hash)
    }
}
