import FeatureFlags

extension HiddenKeys {
    /// Whether the row of a change must not appear, as the condition for many rows says it of each.
    ///
    /// - Parameter change: The row; none of a later reason, which is seen where the row is that it names.
    /// - Returns: Whether it must not.
    func hides(_ change: HistoryEvent) -> Bool {
        let outermostFirst = change.key.ancestors + [change.key]
        if outermostFirst.contains(where: flags.contains) { return true }
        guard change.type != nil else { return outermostFirst.contains(where: groups.contains) }
        let isOfDictionary = [change.before, change.after].contains { $0?.isDictionary == true }
        return isOfDictionary && flags.contains { $0.ancestors.contains(change.key) }
    }
}

extension FlagValue {
    fileprivate var isDictionary: Bool { if case .dictionary = self { true } else { false } }
}
