import Foundation
import GRDB
import GRDBSQLite

/// The columns of a statement's current row, in SQLite's memory.
///
/// The statement selects ``HistoryColumn/selection(of:_:)``. GRDB's `Data` costs more than hashing, and nothing may
/// be repaired or normalized before hashing.
struct HashedColumns {
    private static let (path, namedBehind): (Int32, Int32) = {
        let count = Int32(HistoryColumn.allCases.count)
        return (count, count + 1)
    }()

    private let statement: SQLiteStatement

    init(_ statement: Statement) {
        self.statement = statement.sqliteStatement
    }

    /// Returns `nil` for `NULL`.
    func number(_ column: HistoryColumn) -> Int64? {
        isNull(column) ? nil : sqlite3_column_int64(statement, Int32(column.rawValue))
    }

    /// Returns bytes valid until the next row; `nil` for `NULL`.
    func bytes(_ column: HistoryColumn) -> UnsafeRawBufferPointer? { bytes(Int32(column.rawValue)) }

    var path: UnsafeRawBufferPointer? { bytes(Self.path) }

    /// The previous hash that the next row names, if selected.
    var hashNamedBehind: UnsafeRawBufferPointer? { bytes(Self.namedBehind) }

    func isNull(_ column: HistoryColumn) -> Bool {
        sqlite3_column_type(statement, Int32(column.rawValue)) == SQLITE_NULL
    }

    private func bytes(_ place: Int32) -> UnsafeRawBufferPointer? {
        guard sqlite3_column_type(statement, place) != SQLITE_NULL else { return nil }
        let start = sqlite3_column_blob(statement, place)
        return UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(statement, place)))
    }
}

/// Checks rows against their own hashes, reusing its buffer.
struct RowCheck {
    private var hasher = ChainHasher()

    /// Returns `true` if the hash matches the columns, and the path the key.
    mutating func isSound(_ row: HashedColumns) -> Bool {
        hash(of: row).map { Self.holds(row.bytes(.hash), $0) } == true && Self.isFiledUnderItsKey(row)
    }

    /// Returns the expected hash; `nil` without an id or a time.
    mutating func hash(of row: HashedColumns, later: [HistoryColumn] = HistoryColumn.later) -> Data? {
        if row.isNull(.id) || row.isNull(.at) { return nil }
        return hasher.hash(later: later, isNull: row.isNull) { column, hasher in
            if column.content == .number, let number = row.number(column) {
                hasher.add(number)
            } else {
                hasher.add(row.bytes(column))
            }
        }
    }

    static func holds(_ bytes: UnsafeRawBufferPointer?, _ hash: Data) -> Bool {
        bytes.map { bytes in hash.withUnsafeBytes { $0.elementsEqual(bytes) } } ?? false
    }

    static func isFiledUnderItsKey(_ row: HashedColumns) -> Bool {
        guard let key = row.bytes(.key), let path = row.path else { return false }
        // Most keys are ASCII, which needs no normalization.
        if path.count == key.count + 1, path.last == UInt8(ascii: "/"), path.dropLast().elementsEqual(key),
            key.allSatisfy({ $0 < 0x80 && $0 != 0 })
        {
            return true
        }
        return path.elementsEqual(StoredEvent.path(of: String(decoding: key, as: UTF8.self)).utf8)
    }
}
