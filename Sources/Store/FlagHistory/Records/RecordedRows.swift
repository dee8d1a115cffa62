import Foundation
import GRDB

/// Counts of rows stored at once, for metrics: there may be hundreds of thousands.
package struct RecordedRows: Hashable, Sendable {
    package struct Sort: Hashable, Sendable {
        package let kind: HistoryRecord.Kind
        package let origin: HistoryRecord.Origin

        package init(kind: HistoryRecord.Kind, origin: HistoryRecord.Origin) {
            (self.kind, self.origin) = (kind, origin)
        }
    }

    package private(set) var counts: [Sort: Int] = [:]
    package private(set) var lastOutsideEdit: Date?

    mutating func add(_ event: HistoryEvent) {
        counts[Sort(kind: event.kind, origin: event.origin), default: 0] += 1
        if event.kind == .external { lastOutsideEdit = max(lastOutsideEdit ?? event.at, event.at) }
    }
}

extension Row {
    /// Reads a column; throws ``HistoryStoreError`` where GRDB would trap on a damaged file's types.
    func sound<Value: DatabaseValueConvertible>(_ column: String, of what: String = "a row") throws -> Value {
        try sound(self[column], column, of: what)
    }

    func sound<Value: DatabaseValueConvertible>(
        _ found: DatabaseValue, _ column: @autoclosure () -> String, of what: String
    ) throws -> Value {
        guard let value = Value.fromDatabaseValue(found) else {
            throw HistoryStoreError(.corrupt("\(what) has an invalid \(column())"))
        }
        return value
    }
}
