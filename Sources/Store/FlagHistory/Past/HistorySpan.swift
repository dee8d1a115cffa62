import FeatureFlags

/// A stretch of the history, and the key path at which a flag stood meanwhile.
public struct HistorySpan: Hashable, Sendable {
    /// The key path.
    public let key: FlagKeyPath
    /// The row after which it begins.
    public let start: Int64
    /// The row before which it ends.
    public let end: Int64

    /// Makes a span.
    public init(key: FlagKeyPath, start: Int64, end: Int64 = .max) {
        self.key = key
        self.start = start
        self.end = end
    }
}
