import Foundation
import GRDB

/// How many rows of each sort were stored at once, for those who count changes: there may be hundreds of thousands.
public struct RecordedRows: Hashable, Sendable {
    /// What counts as one sort of rows.
    public struct Sort: Hashable, Sendable {
        /// What was done.
        public let kind: HistoryRecord.Kind
        /// Which way it came in.
        public let origin: HistoryRecord.Origin

        /// Names a sort.
        public init(kind: HistoryRecord.Kind, origin: HistoryRecord.Origin) {
            (self.kind, self.origin) = (kind, origin)
        }
    }

    /// The number of rows of each sort.
    public private(set) var counts: [Sort: Int] = [:]
    /// When a file was last edited by another program; `nil` where no row tells of that.
    public private(set) var lastOutsideEdit: Date?

    /// Counts a row.
    mutating func add(_ event: HistoryEvent) {
        counts[Sort(kind: event.kind, origin: event.origin), default: 0] += 1
        if event.kind == .external { lastOutsideEdit = max(lastOutsideEdit ?? event.at, event.at) }
    }
}

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
