import FeatureFlags
import FlagHistory
import Synchronization

/// Which flags have got their key path by a renaming, as far as that was looked up: only rows that came since are looked at again.
final class RenamedFlags: Sendable {
    private let known = Mutex<(end: Int64, keys: Set<FlagKeyPath>)>((0, []))

    /// The key paths that flags got by a renaming.
    func keys(through end: Int64, in history: HistoryStore) throws(HistoryStoreError) -> Set<FlagKeyPath> {
        let last = known.withLock(\.self)
        guard last.end < end else { return last.keys }
        let keys = last.keys.union(try history.renamedKeys(after: last.end, through: end))
        known.withLock { if $0.end < end { $0 = (end, keys) } }
        return keys
    }
}
