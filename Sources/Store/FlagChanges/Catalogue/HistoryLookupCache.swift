import FeatureFlags
import FlagHistory

/// What the history says of each of many flags, carried on from change to change: with thousands of flags, that takes longer
/// to look up than a page takes.
///
/// `Basis` is what else the answer follows from.
struct HistoryLookupCache<Basis: Hashable & Sendable, Found: Sendable>: Sendable {
    private struct State: Equatable {
        let files: CatalogueCache.State
        let basis: Basis
        let lastRow: Int64
    }

    private struct Answer {
        let state: State
        /// The flags, of which some were looked up.
        let entries: FlagEntries
        let found: [FlagKeyPath: Found]
    }

    private var last: Answer?

    /// What the history says now: only flags that are others than the last time, or that it has new rows of, are looked up.
    ///
    /// - Parameters:
    ///   - files: What the flags follow from; `nil` where that can't be told.
    ///   - lookUp: Looks flags up in the history; not every flag has to be found.
    mutating func found(
        _ files: CatalogueCache.State?, _ basis: Basis, _ history: HistoryStore, in catalogue: FlagCatalogue,
        where isMeant: (FlagEntry) -> Bool,
        lookUp: (Set<FlagKeyPath>) throws(HistoryStoreError) -> [FlagKeyPath: Found]
    ) throws(HistoryStoreError) -> [FlagKeyPath: Found] {
        let lastRow = try history.chainHead().id
        let state = files.map { State(files: $0, basis: basis, lastRow: lastRow) }
        if let last, last.state == state { return last.found }
        var (found, others): ([FlagKeyPath: Found], Set<FlagKeyPath>)
        if let last, last.state.basis == basis,
            let touched = try catalogue.keys(touchedSince: last.entries, history, last.state.lastRow, lastRow)
        {
            found = last.found
            for key in touched { found[key] = nil }
            others = touched.filter { catalogue[$0].map(isMeant) ?? false }
        } else {
            (found, others) = ([:], Set(catalogue.entries.lazy.filter(isMeant).map(\.key)))
        }
        if !others.isEmpty { found.merge(try lookUp(others)) { _, new in new } }
        last = state.map { Answer(state: $0, entries: catalogue.entries, found: found) }
        return found
    }
}

extension FlagCatalogue {
    /// How many rows are read one by one to see which flags they are about, before all flags are looked up anew.
    private static let fewRows = 64

    /// The flags that are others than in an earlier list, and those that the history tells of since.
    ///
    /// - Returns: The flags, those that are none any more among them; `nil` where all may be others: flags have come or gone,
    ///   there are many rows, or the history itself was changed.
    func keys(
        touchedSince entries: FlagEntries, _ history: HistoryStore, _ row: Int64, _ lastRow: Int64
    ) throws(HistoryStoreError) -> Set<FlagKeyPath>? {
        guard row <= lastRow, lastRow - row <= Int64(Self.fewRows),
            let places = self.entries.places(differingFrom: entries)
        else { return nil }
        let events = row == lastRow ? [] : try history.subjects(after: row, limit: Self.fewRows)
        guard !events.contains(where: { [.prune, .accept].contains($0.kind) }) else { return nil }
        var keys = Set(events.filter(\.kind.changesFlags).map(\.key))
        for place in places { keys.formUnion([entries[place].key, self.entries[place].key]) }
        return keys
    }
}
