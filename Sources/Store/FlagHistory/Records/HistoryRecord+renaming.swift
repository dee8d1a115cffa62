import FeatureFlags

extension HistoryRecord {
    /// Whether it tells where a flag went that another row tells was removed: both are of one batch, one behind the other, and
    /// what was removed and what was defined differ in nothing but their key path.
    ///
    /// - Parameter removed: The other row.
    /// - Returns: Whether they tell of a renaming.
    public func isRenaming(of removed: HistoryRecord) -> Bool {
        guard removed.event.kind == .remove, event.kind == .define, event.batch == removed.event.batch,
            id == removed.id + 1,
            case .dictionary(var before)? = removed.event.before, case .dictionary(var after)? = event.after
        else { return false }
        before["key"] = nil
        after["key"] = nil
        return before == after
    }
}
