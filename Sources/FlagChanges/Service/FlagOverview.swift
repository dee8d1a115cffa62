import FeatureFlags
import FlagHistory
import Foundation

/// What there is to show, at one moment.
public struct FlagOverview: Sendable {
    /// The flags that may be seen.
    public let catalogue: FlagCatalogue
    /// Why nothing can be changed now; empty where changes are welcome.
    public let fileProblems: [FileProblem]
    /// What the files held.
    public let version: FilesVersion
    /// What must not appear in the history.
    public let hiddenKeys: HiddenKeys
    /// The last row of the history that the flags are told with, so that later ones can be asked for; `nil` where the
    /// history can't be read.
    public let lastRow: Int64?
    /// What waits for a restart of the app.
    public let pendingRestart: PendingRestart
    /// The overridden flags that have not been changed for 180 days or more, with the time of the last change.
    ///
    /// The time is `nil` where it was before the history began. There are none where the history does not reach back that
    /// far.
    public let unchanged: [FlagKeyPath: Date?]
    /// The files that have other names (hard links), which the next change will part from them: what is read by another
    /// name stays as it was.
    public let linkedFiles: [URL]
    /// Why files can't be read, one for each.
    let unreadable: [FileProblem]
    /// What the flags follow from; `nil` where that can't be told.
    let files: CatalogueCache.State?

    /// What the files held; `nil` where one of them can't be read, so that what was read of it before counts too.
    public var wholeVersion: FilesVersion? { unreadable.isEmpty ? version : nil }

    /// Why there is no flag to show: there is none, or a file in which it may stand can't be read.
    ///
    /// - Parameter key: A key path that ``catalogue`` has no flag of.
    /// - Returns: The refusal of whatever was asked for.
    public func absence(of key: FlagKeyPath) -> ChangeError { .absence(of: key, unreadable: unreadable) }
}
