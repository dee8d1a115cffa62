import Foundation
import GRDB
import GRDBSQLite

/// The columns of the row that a statement stands at, as the bytes that SQLite holds.
///
/// The statement asks for ``StoredEvent/columns`` first, then for the path. GRDB hands each column out as `Data`, and making
/// those takes longer than hashing what is in them; nor is anything repaired or composed on the way to the hash.
struct HashedColumns {
    /// The hashed columns that follow the time, in the order in which they are hashed.
    static let behindTime = StoredEvent.Column.allCases.filter {
        (StoredEvent.Column.actor.rawValue...StoredEvent.Column.previousHash.rawValue).contains($0.rawValue)
    }

    /// The place of the path, and that of the hash which the row behind names.
    private static let (path, namedBehind): (Int32, Int32) = {
        let count = Int32(StoredEvent.Column.allCases.count)
        return (count, count + 1)
    }()

    private let statement: SQLiteStatement

    /// Reads the rows of a statement, always the one that it stands at.
    init(_ statement: Statement) {
        self.statement = statement.sqliteStatement
    }

    /// A number; `nil` for nothing.
    func number(_ column: StoredEvent.Column) -> Int64? {
        let place = Int32(column.rawValue)
        return sqlite3_column_type(statement, place) == SQLITE_NULL ? nil : sqlite3_column_int64(statement, place)
    }

    /// The bytes of a column, which are gone with the next row; `nil` for nothing.
    func bytes(_ column: StoredEvent.Column) -> UnsafeRawBufferPointer? { bytes(Int32(column.rawValue)) }

    /// The path that the row is filed under.
    var path: UnsafeRawBufferPointer? { bytes(Self.path) }

    /// The hash that the row behind it names, where the statement asks for that too; `nil` where there is no such row.
    var hashNamedBehind: UnsafeRawBufferPointer? { bytes(Self.namedBehind) }

    private func bytes(_ place: Int32) -> UnsafeRawBufferPointer? {
        guard sqlite3_column_type(statement, place) != SQLITE_NULL else { return nil }
        let start = sqlite3_column_blob(statement, place)
        return UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(statement, place)))
    }
}

/// Checks rows against their own hashes.
///
/// One check serves for many rows, so that each fills the room of the one before.
struct RowCheck {
    private var hasher = ChainHasher()

    /// Whether a row says what its hash was made of, and is filed under its own key.
    mutating func isSound(_ row: HashedColumns) -> Bool {
        hash(of: row).map { Self.holds(row.bytes(.hash), $0) } == true && Self.isFiledUnderItsKey(row)
    }

    /// The hash that follows from what a row says; `nil` where it has no id or no time.
    mutating func hash(of row: HashedColumns) -> Data? {
        guard let id = row.number(.id), let at = row.number(.at) else { return nil }
        hasher.begin()
        hasher.add(id)
        hasher.add(row.bytes(.batch))
        hasher.add(at)
        for column in HashedColumns.behindTime { hasher.add(row.bytes(column)) }
        return hasher.finish()
    }

    /// Whether a column holds just these bytes.
    static func holds(_ bytes: UnsafeRawBufferPointer?, _ hash: Data) -> Bool {
        bytes.map { bytes in hash.withUnsafeBytes { $0.elementsEqual(bytes) } } ?? false
    }

    /// Whether the path by which a row is found is that of its key.
    static func isFiledUnderItsKey(_ row: HashedColumns) -> Bool {
        guard let key = row.bytes(.key), let path = row.path else { return false }
        // Most keys are in ASCII, in which nothing has to be composed.
        if path.count == key.count + 1, path.last == UInt8(ascii: "/"), path.dropLast().elementsEqual(key),
            key.allSatisfy({ $0 < 0x80 && $0 != 0 })
        {
            return true
        }
        return path.elementsEqual(StoredEvent.path(of: String(decoding: key, as: UTF8.self)).utf8)
    }
}
