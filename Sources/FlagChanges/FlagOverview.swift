import FlagHistory

/// What there is to show, at one moment.
public struct FlagOverview: Sendable {
    /// The flags that may be seen.
    public let catalogue: FlagCatalogue
    /// Why nothing can be changed now; empty where changes are welcome.
    public let obstacles: [Obstacle]
    /// What must not appear in the history.
    public let hiddenKeys: HiddenKeys
    /// The last row of the history that the flags are told with, so that later ones can be asked for; `nil` where the
    /// history can't be read.
    public let lastRow: Int64?
}
