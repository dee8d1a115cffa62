import FeatureFlags
import FlagHistory
import Foundation

/// Which overrides nobody has changed for long, kept for as long as nothing happens: with thousands of flags, that takes
/// longer to look up than a page takes.
struct FlagAges {
    /// How long an override may stay the same before it looks forgotten: 180 days, in seconds.
    static let patience: TimeInterval = 180 * 86_400

    /// What the answer follows from; the time by the hour.
    struct State: Hashable {
        let catalogue: CatalogueCache.State
        let lastRow: Int64
        let hour: Int
    }

    /// How many rows are read one by one to see which flags they are about, before all flags are looked up anew.
    private static let fewRows = 64

    private struct Answer {
        let state: State
        /// The flags that were looked up.
        let asked: Set<FlagKeyPath>
        let unchanged: [FlagKeyPath: Date?]
    }

    private var last: Answer?

    /// The overridden flags that nobody has changed for long, with the time of the last change where that is known.
    ///
    /// - Parameters:
    ///   - catalogue: The flags.
    ///   - files: What the catalogue follows from; `nil` where that can't be told.
    ///   - history: The history.
    ///   - now: The time.
    /// - Returns: The flags.
    /// - Throws: Why the history can't be read.
    mutating func unchanged(
        _ catalogue: FlagCatalogue, _ files: CatalogueCache.State?, _ history: HistoryStore, now: Date
    ) throws(HistoryStoreError) -> [FlagKeyPath: Date?] {
        let lastRow = try history.chainHead().id
        let hour = Int(now.timeIntervalSince1970 / 3600)
        let state = files.map { State(catalogue: $0, lastRow: lastRow, hour: hour) }
        if let last, last.state == state { return last.unchanged }
        let time = now.addingTimeInterval(-Self.patience)
        let overridden = Set(
            catalogue.entries.lazy.filter { $0.isDefined && $0.resolution.isOverridden }.map(\.key))
        var (known, unchanged): (Set<FlagKeyPath>, [FlagKeyPath: Date?]) = ([], [:])
        if let last, last.state.hour == hour,
            let changed = try Self.changed(since: last.state.lastRow, lastRow, history)
        {
            known = last.asked
            unchanged = last.unchanged.filter { overridden.contains($0.key) && !changed.contains($0.key) }
        }
        let others = overridden.subtracting(known)
        if !others.isEmpty {
            unchanged.merge(try history.unchanged(others, since: time)) { _, new in new }
        }
        last = state.map { Answer(state: $0, asked: overridden, unchanged: unchanged) }
        return unchanged
    }

    /// The flags that were changed after a row; `nil` where there are many rows, or the history itself was changed.
    private static func changed(
        since row: Int64, _ lastRow: Int64, _ history: HistoryStore
    ) throws(HistoryStoreError) -> Set<FlagKeyPath>? {
        guard row <= lastRow, lastRow - row <= Int64(fewRows) else { return nil }
        let events = try history.records(matching: HistoryQuery(), after: row, limit: fewRows).map(\.event)
        guard !events.contains(where: { [.prune, .accept].contains($0.kind) }) else { return nil }
        return Set(events.filter { ![.denied, .aborted].contains($0.kind) }.map(\.key))
    }
}
