extension FlagsManager {
    /// Flags that take effect when the app restarts, and whose value is another than when they were loaded.
    ///
    /// A read has the new value at once; an app that can't follow it asks here whether to restart.
    public var flagsAwaitingRestart: [any AnyFlag] { featureFlags.filter(\.awaitsRestart) }
}
