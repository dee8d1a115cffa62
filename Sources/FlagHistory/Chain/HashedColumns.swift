import GRDB
import GRDBSQLite

/// The columns of the row that a statement stands at, as the bytes that SQLite holds.
///
/// GRDB hands each of them out as `Data`, and making those takes longer than hashing what is in them.
struct HashedColumns {
    private let statement: SQLiteStatement

    /// Reads the rows of a statement, always the one that it stands at.
    init(_ statement: Statement) {
        self.statement = statement.sqliteStatement
    }

    /// A number; `nil` for nothing.
    func number(_ column: Int32) -> Int64? {
        sqlite3_column_type(statement, column) == SQLITE_NULL ? nil : sqlite3_column_int64(statement, column)
    }

    /// The bytes of a column, which are gone with the next row; `nil` for nothing.
    func bytes(_ column: Int32) -> UnsafeRawBufferPointer? {
        guard sqlite3_column_type(statement, column) != SQLITE_NULL else { return nil }
        let start = sqlite3_column_blob(statement, column)
        return UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(statement, column)))
    }
}
