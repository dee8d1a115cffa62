import GRDB

/// The first rows of a batch, and counts of all.
package struct HistoryBatchOutline: Hashable, Sendable {
    /// Rows alike in what decides if they can be reverted.
    package struct Sort: Hashable, Sendable {
        package let kind: HistoryRecord.Kind
        package let hasType: Bool
        package let count: Int

        package init(kind: HistoryRecord.Kind, hasType: Bool, count: Int) {
            self.kind = kind
            self.hasType = hasType
            self.count = count
        }

        init(_ row: Row) throws {
            let name: String = try row.sound("kind")
            guard let kind = HistoryRecord.Kind(rawValue: name) else {
                throw HistoryStoreError(.corrupt("a row has the kind \"\(name.prefix(60))\""))
            }
            self.init(kind: kind, hasType: try row.sound("hasType"), count: try row.sound("count"))
        }
    }

    /// Oldest first.
    package let records: [HistoryRecord]
    package let sorts: [Sort]

    package static let empty = HistoryBatchOutline(records: [], sorts: [])

    package init(records: [HistoryRecord], sorts: [Sort]) {
        self.records = records
        self.sorts = sorts
    }
}
