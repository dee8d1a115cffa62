import FeatureFlags
import FlagHistory

/// The key paths that a flag had before, or was given since.
///
/// The history tells of a renaming in two rows of one batch, one behind the other: that the flag was removed at its old key
/// path, and that it was defined at the new one.
struct RenameHistory {
    let history: HistoryStore
    let hiddenKeys: HiddenKeys

    /// The key path that a flag had before the one that it has.
    ///
    /// - Returns: `nil` where it was defined there at first.
    func formerKey(of key: FlagKeyPath) throws(HistoryStoreError) -> FlagKeyPath? {
        guard let defined = try newest(.define, of: key), let removed = try row(defined.id - 1),
            defined.isRenaming(of: removed)
        else { return nil }
        return removed.event.key
    }

    /// The key path that a flag was given in the place of another one.
    ///
    /// - Returns: `nil` where the flag was removed, or was never there.
    func laterKey(of key: FlagKeyPath) throws(HistoryStoreError) -> FlagKeyPath? {
        guard let removed = try newest(.remove, of: key), let defined = try row(removed.id + 1),
            defined.isRenaming(of: removed)
        else { return nil }
        return defined.event.key
    }

    private func newest(
        _ kind: HistoryRecord.Kind, of key: FlagKeyPath
    ) throws(HistoryStoreError) -> HistoryRecord? {
        try history.newest(HistoryQuery(key: key, kind: kind, hiddenKeys: hiddenKeys, limit: 1)).first
    }

    private func row(_ id: Int64) throws(HistoryStoreError) -> HistoryRecord? {
        try history.record(id, hiddenKeys: hiddenKeys)
    }
}
