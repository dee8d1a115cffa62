import FeatureFlags
import FlagHistory

/// Answers from the history, updated from change to change, since looking up all flags is slow.
struct HistoryLookupCache<Basis: Hashable & Sendable, Found: Sendable>: Sendable {
    private struct State: Equatable {
        let files: CatalogueCache.State
        let basis: Basis
        let lastRow: Int64
    }

    private struct Answer {
        let state: State
        let entries: FlagEntries
        let found: [FlagKeyPath: Found]
    }

    private var last: Answer?

    /// Returns the answers, looking up only flags that changed or have new rows.
    ///
    /// `nil` for `files` keeps no answer. `lookUp` may leave flags out.
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
    /// With more new rows, all flags are looked up again.
    private static let fewRows = 64

    /// Returns the flags that changed or have new rows.
    ///
    /// `nil` if any may have changed: flags were added or removed, rows are many, or the history itself was edited.
    func keys(
        touchedSince entries: FlagEntries, _ history: HistoryStore, _ row: Int64, _ lastRow: Int64
    ) throws(HistoryStoreError) -> Set<FlagKeyPath>? {
        guard row <= lastRow, (0...Int64(Self.fewRows)).contains(lastRow &- row),
            let places = self.entries.places(differingFrom: entries)
        else { return nil }
        let events = row == lastRow ? [] : try history.subjects(after: row, limit: Self.fewRows)
        guard !events.contains(where: { [.prune, .accept].contains($0.kind) }) else { return nil }
        var keys = Set(events.filter(\.kind.changesFlags).map(\.key))
        for place in places { keys.formUnion([entries[place].key, self.entries[place].key]) }
        return keys
    }
}
