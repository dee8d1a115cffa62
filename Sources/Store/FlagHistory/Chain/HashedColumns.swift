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
