import FeatureFlags
import Foundation
import GRDB

extension HistoryColumn {
    /// The name in the table, in archives and in downloads, in snake case.
    package var name: String { Self.names[rawValue] }
    var property: EventProperty? { Self.properties[rawValue] }
    var content: EventProperty.Content { Self.contents[rawValue] }
    var isOptional: Bool { property?.isOptional == true }

    private static let names = allCases.map { column in
        "\(column)".replacing("ID", with: "_id").replacing(/[A-Z]/) { "_\($0.output.lowercased())" }
    }
    private static let properties = allCases.map(\.declared)
    private static let contents = allCases.map { $0.property?.content ?? ($0 == .id ? .number : .bytes) }

    /// The columns that ``StoredEvent`` has.
    static let ofEvent = allCases.filter { $0.property != nil }
    /// The columns that came after the first release.
    static let later = allCases.filter { $0.property?.isLater == true }
    /// All names, to select or insert.
    static let list = names.map { "\"\($0)\"" }.joined(separator: ", ")

    /// Returns ``list`` to select, then the path.
    ///
    /// A history that is only read may be older than a column, which is then null.
    static func selection(of table: String = "history", _ db: Database) throws -> String {
        let present = try db.columns(in: "history").map(\.name)
        let columns = allCases.map { column in
            column.isOptional && !present.contains(column.name) ? "NULL" : "\(table).\"\(column.name)\""
        }
        return columns.joined(separator: ", ") + ", \(table).path"
    }
}

extension HistoryRecord {
    /// Returns a column's text in downloads: a time in ISO 8601, a hash in hexadecimal; `nil` for null.
    package func text(of column: HistoryColumn) throws -> String? {
        switch column {
        case .id: return "\(id)"
        case .at: return exactTime
        case .previousHash: return previousHash.hexadecimal
        case .hash: return hash.hexadecimal
        default: break
        }
        return switch try column.property?.stored(event).storage {
        case .int64(let number): "\(number)"
        case .string(let text): text
        case .blob(let bytes): bytes.hexadecimal
        default: nil
        }
    }
}

/// A property of a ``HistoryEvent`` that a column holds.
struct EventProperty: Sendable {
    enum Content: String { case number = "INTEGER", text = "TEXT", bytes = "BLOB" }

    let content: Content
    let isOptional: Bool
    let isLater: Bool
    let stored: @Sendable (HistoryEvent) throws -> DatabaseValue
    /// Sets the property; returns `false` if the column holds no value of its type.
    let read: @Sendable (DatabaseValue, inout HistoryEvent) -> Bool

    init<Value: ColumnValue>(_ place: any WritableKeyPath<HistoryEvent, Value> & Sendable) {
        (content, isOptional, isLater) = (Value.content, false, false)
        stored = { try $0[keyPath: place].stored.databaseValue }
        read = { stored, event in
            guard let value = Value.read(stored) else { return false }
            event[keyPath: place] = value
            return true
        }
    }

    init<Value: ColumnValue>(_ place: any WritableKeyPath<HistoryEvent, Value?> & Sendable, isLater: Bool = false) {
        (content, isOptional, self.isLater) = (Value.content, true, isLater)
        stored = { try $0[keyPath: place]?.stored.databaseValue ?? .null }
        read = { stored, event in
            event[keyPath: place] = Value.read(stored)
            return stored.isNull || event[keyPath: place] != nil
        }
    }
}

/// A type of a ``HistoryEvent``'s properties; `Stored` is `Int64`, `String` or `Data`.
protocol ColumnValue: SendableMetatype {
    associatedtype Stored: DatabaseValueConvertible
    var stored: Stored { get throws }
    init?(stored: Stored)
}

extension ColumnValue {
    fileprivate static var content: EventProperty.Content {
        Stored.self == Int64.self ? .number : Stored.self == Data.self ? .bytes : .text
    }

    fileprivate static func read(_ column: DatabaseValue) -> Self? {
        Stored.fromDatabaseValue(column).flatMap(Self.init(stored:))
    }
}

extension ColumnValue where Self: RawRepresentable<String> {
    var stored: String { rawValue }
    init?(stored: String) { self.init(rawValue: stored) }
}

extension HistoryRecord.Origin: ColumnValue {}
extension HistoryRecord.Kind: ColumnValue {}
extension FlagType: ColumnValue {}

extension String: ColumnValue {
    var stored: String { StoredEvent.storable(self) }
    init?(stored: String) { self = stored }
}

extension Data: ColumnValue {
    var stored: Data { self }
    init?(stored: Data) { self = stored }
}

extension Date: ColumnValue {
    var stored: Int64 { HistoryTime.microseconds(self) }
    init?(stored: Int64) { self = HistoryTime.date(stored) }
}

extension UUID: ColumnValue {
    var stored: String { uuidString }
    init?(stored: String) { self.init(uuidString: stored) }
}

extension FlagKeyPath: ColumnValue {
    var stored: String { text.stored }
    init?(stored: String) { self.init(longText: stored) }
}

extension FlagValue: ColumnValue {
    var stored: String { get throws { try StoredEvent.text(self) } }

    init?(stored: String) {
        guard case .success(let value) = Result(catching: { try FlagValue(encodedText: stored) }) else { return nil }
        self = value
    }
}
