import GRDB

extension Row {
    /// What a column holds; GRDB's own access ends the process where a damaged file holds something else.
    ///
    /// - Throws: ``HistoryStoreError/AbortError`` where the column holds nothing, or nothing of this type.
    func sound<Value: DatabaseValueConvertible>(_ column: String, of what: String = "a row") throws -> Value {
        try sound(self[column], column, of: what)
    }

    /// What a column holds, in the type that is wanted.
    func sound<Value: DatabaseValueConvertible>(
        _ found: DatabaseValue, _ column: @autoclosure () -> String, of what: String
    ) throws -> Value {
        guard let value = Value.fromDatabaseValue(found) else {
            throw HistoryStoreError.AbortError(.corrupt("\(what) has no valid \(column())"))
        }
        return value
    }
}
