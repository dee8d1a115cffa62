import FeatureFlags
import Foundation
import GRDB

/// A ``HistoryEvent`` as stored, hashed and archived.
struct StoredEvent: Codable {
    var batch: String
    var at: Int64
    var actor: String
    var role: String
    var origin: String
    var kind: String
    var provider: String?
    var key: String
    var type: String?
    var before: String?
    var after: String?
    var reason: String
    var requestID: String?
    var idempotencyKey: String?
    var fileHashBefore: Data?
    var fileHashAfter: Data?

    private enum CodingKeys: String, CodingKey {
        case batch, at, actor, role, origin, kind, provider, key, type, before, after, reason
        case requestID = "request_id"
        case idempotencyKey = "idempotency_key"
        case fileHashBefore = "file_hash_before"
        case fileHashAfter = "file_hash_after"
    }
}

extension StoredEvent {
    /// Within the limit of Foundation's JSON reader, with two levels for each value.
    private static let greatestDepth = 250

    init(_ event: HistoryEvent) throws {
        batch = event.batch.uuidString
        at = HistoryTime.microseconds(event.at)
        actor = Self.storable(event.actor)
        role = Self.storable(event.role)
        origin = event.origin.rawValue
        kind = event.kind.rawValue
        provider = event.provider.map(Self.storable)
        key = Self.storable(event.key.text)
        type = event.type?.rawValue
        before = try event.before.map(Self.text)
        after = try event.after.map(Self.text)
        reason = Self.storable(event.reason)
        requestID = event.requestID.map(Self.storable)
        idempotencyKey = event.idempotencyKey.map(Self.storable)
        fileHashBefore = event.fileHashBefore
        fileHashAfter = event.fileHashAfter
    }

    /// Replaces NUL, where SQLite's text would end, with U+FFFD.
    static func storable(_ text: String) -> String {
        guard text.utf8.contains(0) else { return text }
        return String(String.UnicodeScalarView(text.unicodeScalars.map { $0 == "\0" ? "\u{FFFD}" : $0 }))
    }

    /// Returns the lookup form of a key: canonically composed, with a `/` after each component, so that it is a prefix
    /// of the paths inside.
    static func path(of key: String) -> String {
        let key = storable(key)
        return (key.utf8.allSatisfy { $0 < 0x80 } ? key : key.precomposedStringWithCanonicalMapping) + "/"
    }

    /// Encodes a value; throws if it is nested too deeply.
    static func text(_ value: FlagValue) throws -> String {
        guard value.depth <= greatestDepth else {
            throw HistoryStoreError.AbortError(.unstorable("a value is nested deeper than \(greatestDepth) levels"))
        }
        return try value.encodedText()
    }

    func event() throws -> HistoryEvent {
        guard let batch = UUID(uuidString: batch) else { throw unreadable("batch", batch) }
        guard let origin = HistoryRecord.Origin(rawValue: origin) else { throw unreadable("origin", origin) }
        guard let kind = HistoryRecord.Kind(rawValue: kind) else { throw unreadable("kind", kind) }
        guard let key = FlagKeyPath(longText: key) else { throw unreadable("key", key) }
        return HistoryEvent(
            batch: batch, at: HistoryTime.date(at), actor: actor, role: role, origin: origin, kind: kind,
            provider: provider, key: key, type: try flagType(), before: try value("before", before),
            after: try value("after", after), reason: reason, requestID: requestID, idempotencyKey: idempotencyKey,
            fileHashBefore: fileHashBefore, fileHashAfter: fileHashAfter)
    }

    private func flagType() throws -> FlagType? {
        guard let type else { return nil }
        guard let known = FlagType(rawValue: type) else { throw unreadable("type", type) }
        return known
    }

    private func value(_ column: String, _ text: String?) throws -> FlagValue? {
        do {
            return try text.map(FlagValue.init(encodedText:))
        } catch {
            throw unreadable(column, text ?? "")
        }
    }

    private func unreadable(_ column: String, _ text: String) -> HistoryStoreError.AbortError {
        HistoryStoreError.AbortError(.corrupt("a row of \(key) has the \(column) \"\(text.prefix(60))\""))
    }
}

extension FlagValue {
    /// 1 for a value without others inside.
    fileprivate var depth: Int {
        switch self {
        case .array(let values): 1 + (values.lazy.map(\.depth).max() ?? 0)
        case .dictionary(let values): 1 + (values.values.lazy.map(\.depth).max() ?? 0)
        default: 1
        }
    }
}

extension StoredEvent {
    /// The columns in the table's order.
    ///
    /// Rows are read by index: GRDB would search for names in each row.
    enum Column: Int, CaseIterable {
        case id, batch, at, actor, role, origin, kind, provider, key, type, before, after, reason
        case requestID, idempotencyKey, fileHashBefore, fileHashAfter, previousHash, hash

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
    func sound<Value: DatabaseValueConvertible>(_ column: StoredEvent.Column) throws -> Value {
        try sound(self[column.rawValue], column.name, of: "a row")
    }
}
