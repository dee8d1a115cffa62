import FlagHistory

/// The rows that tell of renamings, two each: that a flag was removed at its old key path, and defined at the new one.
struct RenamedPartners {
    private var partners: [Int64: HistoryRecord] = [:]

    /// Finds them.
    init(_ records: some Sequence<HistoryRecord>) {
        let records = Array(records)
        for (one, other) in zip(records, records.dropFirst()) {
            guard one.isRenaming(of: other) || other.isRenaming(of: one) else { continue }
            partners[one.id] = other
            partners[other.id] = one
        }
    }

    /// The other row of a renaming; `nil` for any other row.
    subscript(_ record: HistoryRecord) -> HistoryRecord? { partners[record.id] }
}
