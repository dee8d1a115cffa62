import FeatureFlags
import FlagHistory
import Foundation

/// Which overrides have not been changed for long.
struct StaleOverrides {
    /// How long an override may stay the same before it looks forgotten: 180 days, in seconds.
    static let patience: TimeInterval = 180 * 86_400

    /// By the hour.
    private var lookups = HistoryLookupCache<Int, Date?>()

    /// The overridden flags that have not been changed for long, with the time of the last change where that is known.
    ///
    /// - Parameter files: What the catalogue follows from; `nil` where that can't be told.
    mutating func unchanged(
        _ catalogue: FlagCatalogue, _ files: CatalogueCache.State?, _ history: HistoryStore, now: Date
    ) throws(HistoryStoreError) -> [FlagKeyPath: Date?] {
        try lookups.found(files, Int(now.timeIntervalSince1970 / 3600), history, in: catalogue) {
            $0.isDefined && $0.resolution.isOverridden
        } lookUp: { (keys) throws(HistoryStoreError) in
            try history.unchanged(
                keys, since: now.addingTimeInterval(-Self.patience),
                leavingOut: catalogue.providers.filter { !$0.isAsked }.map(\.name))
        }
    }
}
