import GRDB

extension Row {
    /// What a column holds; GRDB's own access ends the process where a damaged file holds something else.
    ///
    /// - Parameter column: The column's name.
    /// - Returns: The value.
    /// - Throws: ``HistoryStoreError/Abort`` where the column holds nothing, or nothing of this type.
    func sound<Value: DatabaseValueConvertible>(_ column: String) throws -> Value {
        guard let value = Value.fromDatabaseValue(self[column]) else {
            throw HistoryStoreError.Abort(.corrupt("a row has no valid \(column)"))
        }
        return value
    }
}
