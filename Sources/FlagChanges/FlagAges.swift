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

    private var last: (state: State, unchanged: [FlagKeyPath: Date?])?

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
        let overridden = catalogue.entries.filter { $0.isDefined && $0.resolution.isOverridden }.map(\.key)
        let unchanged = try history.unchanged(Set(overridden), since: now.addingTimeInterval(-Self.patience))
        last = state.map { ($0, unchanged) }
        return unchanged
    }
}
