import FeatureFlags

/// What must not appear in the history: everything about internal flags.
///
/// Rows come from times when a manifest said otherwise, so more than the flags' own rows are hidden: those of what once
/// stood inside such a flag, and those in which a dictionary above it was one value, with the reasons that were given for
/// them later.
public struct HiddenKeys: Hashable, Sendable {
    /// The flags that are hidden, with whatever is inside them.
    public var flags: Set<FlagKeyPath>
    /// The groups whose own definition is hidden, because they hold nothing that may be seen.
    public var groups: Set<FlagKeyPath>

    /// Names what is hidden.
    public init(flags: Set<FlagKeyPath>, groups: Set<FlagKeyPath> = []) {
        self.flags = flags
        self.groups = groups
    }
}

extension HiddenKeys: ExpressibleByArrayLiteral {
    /// Hides flags; an empty list hides nothing.
    public init(arrayLiteral flags: FlagKeyPath...) {
        self.init(flags: Set(flags))
    }
}

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
