import FeatureFlags

/// What flags were when files that can't be read now could last be read.
public struct LastReadValues: Sendable {
    /// The providers, each as it is, or as it was when its file could last be read.
    private let snapshots: [ValuesSnapshot]
    /// The names of those that are as they were.
    private let lost: Set<String>

    /// Looks for such files.
    ///
    /// - Parameter snapshots: The providers as they are; `nil` comes of those that can all be read, or were never.
    init?(_ snapshots: [ValuesSnapshot]) {
        lost = Set(snapshots.filter { $0.problem != nil && $0.lastSound != nil }.map(\.name))
        guard !lost.isEmpty else { return nil }
        self.snapshots = snapshots.map(\.asLastRead)
    }

    /// What a flag was then, where it is something else now since a file can't be read.
    ///
    /// - Parameter entry: The flag.
    /// - Returns: What a read returned, and why; `nil` where the value was not from such a file.
    public func resolution(of entry: FlagEntry) -> FlagResolution? {
        guard entry.resolution.source != .computed else { return nil }
        let last = entry.definition.resolve(in: snapshots)
        guard case .provider(let name) = last.source, lost.contains(name) else { return nil }
        return last
    }

    /// What a provider's file held for a flag then.
    ///
    /// - Parameters:
    ///   - provider: The provider's name.
    ///   - entry: The flag.
    /// - Returns: The stored value; `nil` where there was none, or the file can be read.
    public func value(in provider: String, of entry: FlagEntry) -> FlagValue? {
        guard lost.contains(provider) else { return nil }
        return entry.definition.resolve(in: snapshots)[provider]?.stored
    }
}
