import GRDB

/// The first rows of a batch, and how many of each sort it has.
public struct HistoryBatchOutline: Hashable, Sendable {
    /// Rows that are alike in what decides whether they can be reverted.
    public struct Sort: Hashable, Sendable {
        /// What they are.
        public let kind: HistoryRecord.Kind
        /// Whether they tell the type of a flag.
        public let hasType: Bool
        /// How many there are.
        public let count: Int

        /// Names a sort.
        public init(kind: HistoryRecord.Kind, hasType: Bool, count: Int) {
            self.kind = kind
            self.hasType = hasType
            self.count = count
        }

        init(_ row: Row) throws {
            let name: String = try row.sound("kind")
            guard let kind = HistoryRecord.Kind(rawValue: name) else {
                throw HistoryStoreError.AbortError(.corrupt("a row has the kind \"\(name.prefix(60))\""))
            }
            self.init(kind: kind, hasType: try row.sound("hasType"), count: try row.sound("count"))
        }
    }

    /// The first rows, oldest first.
    public let records: [HistoryRecord]
    /// All rows, by their sort.
    public let sorts: [Sort]

    /// Of a batch without rows.
    public static let empty = HistoryBatchOutline(records: [], sorts: [])

    /// Makes an outline.
    public init(records: [HistoryRecord], sorts: [Sort]) {
        self.records = records
        self.sorts = sorts
    }
}
