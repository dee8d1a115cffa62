import FlagHistory

/// What waits for a restart of the app, kept for as long as nothing happens.
struct PendingRestartCache {
    private struct State: Hashable {
        let catalogue: CatalogueCache.State
        let restart: AppRestart
        let lastRow: Int64
    }

    private var last: (state: State, pending: PendingRestart)?

    /// What waits now.
    ///
    /// - Parameters:
    ///   - files: What the flags follow from; `nil` where that can't be told.
    ///   - history: The history.
    ///   - shownRow: The newest row that the flags are shown with; `nil` where that could not be read.
    ///   - find: Finds it, where something has happened: gets the last restart and the newest row.
    /// - Returns: What waits.
    /// - Throws: Why the history can't be read.
    mutating func pending(
        _ files: CatalogueCache.State?, _ history: HistoryStore, upTo shownRow: Int64?,
        find: (AppRestart, Int64) throws(HistoryStoreError) -> PendingRestart
    ) throws(HistoryStoreError) -> PendingRestart {
        let restart = try history.lastRestart()
        let lastRow = if let shownRow { shownRow } else { try history.chainHead().id }
        let state = files.map { State(catalogue: $0, restart: restart, lastRow: lastRow) }
        if let last, last.state == state { return last.pending }
        let pending = try find(restart, lastRow)
        last = state.map { ($0, pending) }
        return pending
    }
}
