import FeatureFlags

/// What flags were when files that can't be read now could last be read.
public struct LastReadValues: Sendable {
    private let snapshots: [ValuesSnapshot]

    /// Looks for such files.
    ///
    /// - Parameter snapshots: The providers as they are; `nil` comes of those that can all be read, or were never.
    init?(_ snapshots: [ValuesSnapshot]) {
        guard snapshots.contains(where: { $0.problem != nil && $0.lastSound != nil }) else { return nil }
        self.snapshots = snapshots.map(\.asLastRead)
    }

    /// What a flag was then.
    ///
    /// - Parameter entry: The flag.
    /// - Returns: What a read returned, and why; `nil` where every provider can be asked for it now.
    public func resolution(of entry: FlagEntry) -> FlagResolution? {
        guard entry.isBlocked, entry.resolution.source != .computed else { return nil }
        return entry.definition.resolve(in: snapshots)
    }
}
