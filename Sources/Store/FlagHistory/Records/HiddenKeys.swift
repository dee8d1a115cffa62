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
