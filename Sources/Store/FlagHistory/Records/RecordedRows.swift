import Foundation
import GRDB

/// The counts of rows stored at once, for metrics: there may be hundreds of thousands.
package struct RecordedRows: Hashable, Sendable {
    /// Rows that are counted together.
    package struct Sort: Hashable, Sendable {
        /// The kind.
        package let kind: HistoryRecord.Kind
        /// The origin.
        package let origin: HistoryRecord.Origin

        /// Makes a sort.
        package init(kind: HistoryRecord.Kind, origin: HistoryRecord.Origin) {
            (self.kind, self.origin) = (kind, origin)
        }
    }

    /// The number of rows of each sort.
    package private(set) var counts: [Sort: Int] = [:]
    /// The time of the last edit by another program; `nil` if no row has one.
    package private(set) var lastOutsideEdit: Date?

    mutating func add(_ event: HistoryEvent) {
        counts[Sort(kind: event.kind, origin: event.origin), default: 0] += 1
        if event.kind == .external { lastOutsideEdit = max(lastOutsideEdit ?? event.at, event.at) }
    }
}

extension Row {
    /// Reads a column; GRDB's own access traps on a damaged file's types.
    ///
    /// - Throws: ``HistoryStoreError/AbortError`` for `NULL` or another type.
    func sound<Value: DatabaseValueConvertible>(_ column: String, of what: String = "a row") throws -> Value {
        try sound(self[column], column, of: what)
    }

    func sound<Value: DatabaseValueConvertible>(
        _ found: DatabaseValue, _ column: @autoclosure () -> String, of what: String
    ) throws -> Value {
        guard let value = Value.fromDatabaseValue(found) else {
            throw HistoryStoreError.AbortError(.corrupt("\(what) has no valid \(column())"))
        }
        return value
    }
}
