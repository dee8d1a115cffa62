import FeatureFlags
import FlagHistory

/// What the history says of each of many flags, kept for as long as nothing happens: with thousands of flags, that takes
/// longer to look up than a page takes.
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
        /// The flags that were looked up.
        let asked: Set<FlagKeyPath>
        let found: [FlagKeyPath: Found]
    }

    private var last: Answer?

    /// What the history says now: of a flag that nothing has happened to since the last time, what it said then.
    ///
    /// - Parameters:
    ///   - files: What the flags follow from; `nil` where that can't be told.
    ///   - basis: What else the answer follows from.
    ///   - history: The history.
    ///   - keys: Which flags, of those that follow from the files.
    ///   - lookUp: Looks flags up in the history; not every flag has to be found.
    /// - Returns: The flags that were found.
    /// - Throws: Why the history can't be read.
    mutating func found(
        _ files: CatalogueCache.State?, _ basis: Basis, _ history: HistoryStore, keys: () -> Set<FlagKeyPath>,
        lookUp: (Set<FlagKeyPath>) throws(HistoryStoreError) -> [FlagKeyPath: Found]
    ) throws(HistoryStoreError) -> [FlagKeyPath: Found] {
        let lastRow = try history.chainHead().id
        let state = files.map { State(files: $0, basis: basis, lastRow: lastRow) }
        if let last, last.state == state { return last.found }
        let asked = keys()
        var (known, found): (Set<FlagKeyPath>, [FlagKeyPath: Found]) = ([], [:])
        if let last, last.state.basis == basis,
            let changed = try history.changedKeys(since: last.state.lastRow, lastRow)
        {
            known = asked.intersection(last.asked).subtracting(changed)
            found = last.found.filter { known.contains($0.key) }
        }
        let others = asked.subtracting(known)
        if !others.isEmpty { found.merge(try lookUp(others)) { _, new in new } }
        last = state.map { Answer(state: $0, asked: asked, found: found) }
        return found
    }
}

extension HistoryStore {
    /// How many rows are read one by one to see which flags they are about, before all flags are looked up anew.
    private static let fewRows = 64

    /// The flags that were changed after a row; `nil` where there are many rows, or the history itself was changed.
    fileprivate func changedKeys(
        since row: Int64, _ lastRow: Int64
    ) throws(HistoryStoreError) -> Set<FlagKeyPath>? {
        guard row <= lastRow, lastRow - row <= Int64(Self.fewRows) else { return nil }
        let events = try records(matching: HistoryQuery(), after: row, limit: Self.fewRows).map(\.event)
        guard !events.contains(where: { [.prune, .accept].contains($0.kind) }) else { return nil }
        return Set(events.filter(\.kind.changesFlags).map(\.key))
    }
}
