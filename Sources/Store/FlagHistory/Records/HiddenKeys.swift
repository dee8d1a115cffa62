import FeatureFlags

/// The internal flags, hidden from the history.
///
/// Since rows come from other manifests too, also hides entries once inside such a flag, rows with a dictionary above
/// it, and notes on either.
package struct HiddenKeys: Hashable, Sendable {
    /// The hidden flags, with everything inside.
    package var flags: Set<FlagKeyPath>
    /// Groups with nothing visible inside.
    package var groups: Set<FlagKeyPath>

    package init(flags: Set<FlagKeyPath>, groups: Set<FlagKeyPath> = []) {
        self.flags = flags
        self.groups = groups
    }
}

extension HiddenKeys: ExpressibleByArrayLiteral {
    package init(arrayLiteral flags: FlagKeyPath...) {
        self.init(flags: Set(flags))
    }
}

extension HiddenKeys {
    /// Returns `true` if a change's row is hidden, by the same rule as ``isShown``.
    ///
    /// Not for a `note`: its visibility depends on the row it names.
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
