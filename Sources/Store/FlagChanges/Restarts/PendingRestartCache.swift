import FeatureFlags
import FlagHistory

/// The waiting flags, looked up only if they changed or have new rows.
struct PendingRestartCache {
    private struct State: Hashable {
        let catalogue: CatalogueCache.State
        let restart: AppRestart
        let lastRow: Int64
    }

    private struct Known {
        let state: State
        let entries: FlagEntries
        let pending: PendingRestart
    }

    private var last: Known?

    /// Returns the waiting flags.
    ///
    /// `nil` for `files` keeps no list. `shownRow` is the newest visible row, if readable.
    mutating func pending(
        _ catalogue: FlagCatalogue, _ files: CatalogueCache.State?, _ history: HistoryStore, upTo shownRow: Int64?,
        snapshots: () -> [ValuesSnapshot]
    ) throws(HistoryStoreError) -> PendingRestart {
        let restart = try history.lastRestart()
        let lastRow = if let shownRow { shownRow } else { try history.chainHead().id }
        let state = files.map { State(catalogue: $0, restart: restart, lastRow: lastRow) }
        if let last, last.state == state { return last.pending }
        var pending: PendingRestart?
        if let last, let state {
            pending = try carriedOn(last, to: state, catalogue, history, snapshots)
        }
        let found =
            if let pending { pending } else {
                try PendingRestart(
                    catalogue.entries.filter(\.definition.metadata.requiresRestart), snapshots(), history,
                    since: restart, lastRow: lastRow)
            }
        last = state.map { Known(state: $0, entries: catalogue.entries, pending: found) }
        return found
    }

    /// Updates the list; `nil` if all flags must be looked up.
    private func carriedOn(
        _ last: Known, to state: State, _ catalogue: FlagCatalogue, _ history: HistoryStore,
        _ snapshots: () -> [ValuesSnapshot]
    ) throws(HistoryStoreError) -> PendingRestart? {
        guard last.state.restart == state.restart, last.state.lastRow > state.restart.lastRow,
            last.state.catalogue.hasSameDefinitions(as: state.catalogue),
            let touched = try catalogue.keys(
                touchedSince: last.entries, history, last.state.lastRow, state.lastRow)
        else { return nil }
        let entries = touched.compactMap { catalogue[$0] }.filter(\.definition.metadata.requiresRestart)
        let others = try PendingRestart(entries, snapshots(), history, since: state.restart, lastRow: state.lastRow)
        var waits = last.pending.waits
        let gone = touched.filter { catalogue.places[$0] == nil }
        if !gone.isEmpty { waits.removeAll { gone.contains($0.key) } }
        func place(_ key: FlagKeyPath) -> Int {
            waits.partitioningIndex { catalogue.places[$0.key, default: 0] >= catalogue.places[key, default: 0] }
        }
        for key in touched {
            let place = place(key)
            if place < waits.count, waits[place].key == key { waits.remove(at: place) }
        }
        for wait in others.waits { waits.insert(wait, at: place(wait.key)) }
        return PendingRestart(waits: waits, lastRow: state.lastRow, lacksPruned: last.pending.lacksPruned)
    }
}
