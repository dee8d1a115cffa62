import FlagHistory

/// What there is to show, at one moment.
public struct FlagOverview: Sendable {
    /// The flags that may be seen.
    public let catalogue: FlagCatalogue
    /// Why nothing can be changed now; empty where changes are welcome.
    public let obstacles: [Obstacle]
    /// What must not appear in the history.
    public let hiddenKeys: HiddenKeys
}
