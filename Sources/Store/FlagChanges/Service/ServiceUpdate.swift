import FeatureFlags

/// That something is not as it was: for a page that shows flags, or the history, to show them anew.
public struct ServiceUpdate: Hashable, Sendable {
    /// The flags and groups that there are new rows about, less those that must not be seen, with the flags that could be seen
    /// before and are internal now.
    ///
    /// `nil` for more than ``maximumKeys``, or more rows than that: anything may have changed.
    public private(set) var keys: Set<FlagKeyPath>?
    /// The number of the history's last row.
    public private(set) var lastRow: Int64
    /// Whether something else than before keeps changes from being made, or other files have other names.
    public private(set) var changesObstacles: Bool
    /// Whether the app was restarted, so that less waits for that.
    public private(set) var tellsRestart: Bool

    /// The most keys that are told.
    public static let maximumKeys = 1000

    init(keys: Set<FlagKeyPath>?, lastRow: Int64, changesObstacles: Bool, tellsRestart: Bool = false) {
        self.keys = keys.flatMap { $0.count > Self.maximumKeys ? nil : $0 }
        self.lastRow = lastRow
        self.changesObstacles = changesObstacles
        self.tellsRestart = tellsRestart
    }

    /// Adds a later update, for a consumer that has not asked for this one yet.
    mutating func add(_ later: ServiceUpdate) {
        if let mine = keys, let others = later.keys, mine.union(others).count <= Self.maximumKeys {
            keys = mine.union(others)
        } else {
            keys = nil
        }
        lastRow = max(lastRow, later.lastRow)
        changesObstacles = changesObstacles || later.changesObstacles
        tellsRestart = tellsRestart || later.tellsRestart
    }
}
