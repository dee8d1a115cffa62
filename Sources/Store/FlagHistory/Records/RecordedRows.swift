import Foundation

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
