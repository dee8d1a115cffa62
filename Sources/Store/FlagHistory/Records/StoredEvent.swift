import FeatureFlags
import Foundation
import GRDB

/// A ``HistoryEvent`` as stored, hashed and archived.
struct StoredEvent {
    /// In the order of ``HistoryColumn/ofEvent``.
    private var values = [DatabaseValue](repeating: .null, count: HistoryColumn.ofEvent.count)

    private(set) subscript(_ column: HistoryColumn) -> DatabaseValue {
        get { values[column.rawValue - HistoryColumn.batch.rawValue] }
        set { values[column.rawValue - HistoryColumn.batch.rawValue] = newValue }
    }

    var key: String { text(.key) }
    var actor: String { text(.actor) }
    var reason: String { text(.reason) }
    var before: String? { value(.before) }
    var after: String? { value(.after) }

    private func value<Value: DatabaseValueConvertible>(_ column: HistoryColumn) -> Value? {
        Value.fromDatabaseValue(self[column])
    }

    private func text(_ column: HistoryColumn) -> String { value(column) ?? "" }
}

extension StoredEvent {
    /// Within the limit of Foundation's JSON reader, with two levels for each value.
    private static let greatestDepth = 250

    init(_ event: HistoryEvent) throws {
        for column in HistoryColumn.ofEvent { self[column] = try column.property?.stored(event) ?? .null }
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
            throw HistoryStoreError(.unstorable("a value is nested more than \(greatestDepth) levels deep"))
        }
        return try value.encodedText()
    }

    func event() throws -> HistoryEvent {
        var event = HistoryEvent.unread
        for column in HistoryColumn.ofEvent where column.property?.read(self[column], &event) == false {
            throw HistoryStoreError(
                .corrupt("a row of \(key) has the \(column.name) \"\(text(column).prefix(60))\""))
        }
        return event
    }
}

extension HistoryEvent {
    fileprivate static let unread = HistoryEvent(
        batch: UUID(), at: .distantPast, actor: "", role: "", origin: .external, kind: .set, provider: nil,
        key: [""], type: nil, before: nil, after: nil)
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
    /// Reads a row of ``HistoryColumn/list`` without trusting its storage classes, since the file may come from anywhere.
    init(_ row: Row) throws {
        for column in HistoryColumn.ofEvent { self[column] = try row.sound(column) }
    }

    func insert(_ db: Database, id: Int64, previousHash: Data, hash: Data) throws {
        let places = String(repeating: "?,", count: HistoryColumn.allCases.count)
        let statement = try db.cachedStatement(
            sql: "INSERT INTO history (\(HistoryColumn.list), path) VALUES (\(places)?)")
        try statement.execute(
            arguments: [id] + StatementArguments(values) + [previousHash, hash, Self.path(of: key)])
    }

    func hash(id: Int64, previousHash: Data, later: [HistoryColumn] = HistoryColumn.later) -> Data {
        var hasher = ChainHasher()
        return hasher.hash(later: later, isNull: { self[$0].isNull }) { column, hasher in
            switch column {
            case .id: hasher.add(id)
            case .previousHash: hasher.add(previousHash)
            default: hasher.add(self[column])
            }
        }
    }
}

extension StoredEvent: Codable {
    private struct Name: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    init(from decoder: any Decoder) throws {
        let columns = try decoder.container(keyedBy: Name.self)
        for column in HistoryColumn.ofEvent {
            let name = Name(stringValue: column.name)
            if column.isOptional, try !columns.contains(name) || columns.decodeNil(forKey: name) { continue }
            self[column] =
                switch column.content {
                case .number: try columns.decode(Int64.self, forKey: name).databaseValue
                case .text: try columns.decode(String.self, forKey: name).databaseValue
                case .bytes: try columns.decode(Data.self, forKey: name).databaseValue
                }
        }
    }

    func encode(to encoder: any Encoder) throws {
        var columns = encoder.container(keyedBy: Name.self)
        for column in HistoryColumn.ofEvent {
            let name = Name(stringValue: column.name)
            switch self[column].storage {
            case .int64(let number): try columns.encode(number, forKey: name)
            case .string(let text): try columns.encode(text, forKey: name)
            case .blob(let bytes): try columns.encode(bytes, forKey: name)
            case .null, .double: break
            }
        }
    }
}

extension HistoryRecord {
    /// Reads a row of ``HistoryColumn/list``.
    init(_ row: Row, isAltered: Bool) throws {
        self.init(
            id: try row.sound(.id), event: try StoredEvent(row).event(), previousHash: try row.sound(.previousHash),
            hash: try row.sound(.hash), isAltered: isAltered)
    }
}

extension Row {
    func sound<Value: DatabaseValueConvertible>(_ column: HistoryColumn) throws -> Value {
        try sound(self[column.rawValue], column.name, of: "a row")
    }

    /// Returns what a column may hold; null for anything else, if the column is optional.
    fileprivate func sound(_ column: HistoryColumn) throws -> DatabaseValue {
        let found: DatabaseValue = self[column.rawValue]
        let value =
            switch column.content {
            case .number: Int64.fromDatabaseValue(found).databaseValue
            case .text: String.fromDatabaseValue(found).databaseValue
            case .bytes: Data.fromDatabaseValue(found).databaseValue
            }
        guard !value.isNull || column.isOptional else {
            throw HistoryStoreError(.corrupt("a row has an invalid \(column.name)"))
        }
        return value
    }
}
