import Foundation
import GRDB

extension StoredEvent {
    /// The columns of a row, in the order of the table: a row that was asked for by ``columns`` is read by their places, since
    /// a name would be looked for in each row again.
    enum Column: Int, CaseIterable {
        case id, batch, at, actor, role, origin, kind, provider, key, type, before, after, reason
        case requestID, idempotencyKey, fileHashBefore, fileHashAfter, previousHash, hash

        /// The name in the table.
        var name: String {
            switch self {
            case .requestID: "request_id"
            case .idempotencyKey: "idempotency_key"
            case .fileHashBefore: "file_hash_before"
            case .fileHashAfter: "file_hash_after"
            case .previousHash: "previous_hash"
            default: "\(self)"
            }
        }
    }

    /// The columns of a row as a statement names them.
    static let columns = Column.allCases.map { "\"\($0.name)\"" }.joined(separator: ", ")

    /// Reads a row without trusting its storage classes, since the file may come from anywhere.
    init(_ row: Row) throws {
        func optional<Value: DatabaseValueConvertible>(_ column: Column) -> Value? {
            Value.fromDatabaseValue(row[column.rawValue])
        }
        batch = try row.sound(.batch)
        at = try row.sound(.at)
        actor = try row.sound(.actor)
        role = try row.sound(.role)
        origin = try row.sound(.origin)
        kind = try row.sound(.kind)
        provider = optional(.provider)
        key = try row.sound(.key)
        type = optional(.type)
        before = optional(.before)
        after = optional(.after)
        reason = try row.sound(.reason)
        requestID = optional(.requestID)
        idempotencyKey = optional(.idempotencyKey)
        fileHashBefore = optional(.fileHashBefore)
        fileHashAfter = optional(.fileHashAfter)
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
    /// Reads a row of ``StoredEvent/columns``.
    init(_ row: Row, isAltered: Bool) throws {
        self.init(
            id: try row.sound(.id), event: try StoredEvent(row).event(), previousHash: try row.sound(.previousHash),
            hash: try row.sound(.hash), isAltered: isAltered)
    }
}

extension Row {
    /// What a column of ``StoredEvent/columns`` holds.
    func sound<Value: DatabaseValueConvertible>(_ column: StoredEvent.Column) throws -> Value {
        try sound(self[column.rawValue], column.name, of: "a row")
    }
}
