import FeatureFlags
import FlagHistory
import Synchronization

/// Which flags edits from outside have touched since some rows: looked up once for all viewers, and carried on by the rows that
/// came since.
final class OutsideEdits: Sendable {
    /// The newest row of each flag among some rows that tells of an edit from outside.
    private struct Known {
        /// The last row before them.
        let start: Int64
        /// The last of them.
        let end: Int64
        let rows: [FlagKeyPath: Int64]
    }

    /// How many of the newest rows are looked at: what was edited before them is not told of.
    private let reach: Int64
    private let known = Mutex<Known?>(nil)

    /// - Parameter reach: How many of the newest rows are looked at.
    init(reach: Int64 = 100_000) { self.reach = reach }

    /// The key paths that edits from outside have touched since a row.
    func keys(after start: Int64, through end: Int64, in history: HistoryStore) throws(HistoryStoreError) -> Set<
        FlagKeyPath
    > {
        let start = max(start, end - reach)
        guard start < end else { return [] }
        let rows = try rows(after: start, through: end, in: history)
        return Set(rows.lazy.filter { $0.value > start }.map(\.key))
    }

    /// The newest rows by flags, of all rows between two and perhaps of some before them.
    private func rows(
        after start: Int64, through end: Int64, in history: HistoryStore
    ) throws(HistoryStoreError) -> [FlagKeyPath: Int64] {
        // A history with fewer rows than before is another one.
        let last = known.withLock { $0 }.flatMap { $0.end <= end ? $0 : nil }
        guard let last else { return try keep(after: start, through: end, nil, in: history) }
        if last.start <= start, last.end == end { return last.rows }
        guard last.start > start else { return try keep(after: last.end, through: end, last, in: history) }
        let older = try history.keysEditedOutside(after: start, through: last.start)
        let longer = Known(start: start, end: last.end, rows: last.rows.merging(older, uniquingKeysWith: max))
        return try keep(after: last.end, through: end, longer, in: history)
    }

    /// Looks up the rows that came since, and keeps them with what was known; what is out of reach is left out.
    private func keep(
        after row: Int64, through end: Int64, _ last: Known?, in history: HistoryStore
    ) throws(HistoryStoreError) -> [FlagKeyPath: Int64] {
        let new = try history.keysEditedOutside(after: row, through: end)
        let rows = (last?.rows ?? [:]).merging(new, uniquingKeysWith: max)
        let start = max(last?.start ?? row, end - reach)
        let next = Known(start: start, end: end, rows: rows.filter { $0.value > start })
        known.withLock { $0 = next }
        return next.rows
    }
}

extension Dashboard {
    var outsideEdits: OutsideEdits { states.value { OutsideEdits() } }
}
