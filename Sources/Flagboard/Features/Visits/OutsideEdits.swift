import FeatureFlags
import FlagHistory
import Synchronization

/// Which flags edits from outside have touched since some rows, as far as that was looked up: a page that asks again has the rows
/// looked at that came since.
final class OutsideEdits: Sendable {
    private struct Known {
        let start: Int64
        let end: Int64
        let keys: Set<FlagKeyPath>
    }

    /// For how many rows it is kept: as many viewers as look at a dashboard at the same time.
    private static let most = 8
    private let known = Mutex<[Known]>([])

    /// The key paths that edits from outside have touched since a row.
    ///
    /// - Parameters:
    ///   - start: The row.
    ///   - end: The newest row.
    ///   - history: The history.
    /// - Returns: The key paths, also of what is gone.
    /// - Throws: Why the history can't be read.
    func keys(after start: Int64, through end: Int64, in history: HistoryStore) throws(HistoryStoreError) -> Set<
        FlagKeyPath
    > {
        let last = known.withLock { known in known.first { $0.start == start && $0.end <= end } }
        if let last, last.end == end { return last.keys }
        let new = try history.keysEditedOutside(after: last?.end ?? start, through: end)
        let keys = last?.keys.union(new) ?? new
        known.withLock { known in
            known =
                known.filter { $0.start != start }.suffix(Self.most - 1) + [Known(start: start, end: end, keys: keys)]
        }
        return keys
    }
}
