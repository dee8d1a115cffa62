import FeatureFlags
import FlagHistory
import Foundation

/// What there is to show, at one moment.
public struct FlagOverview: Sendable {
    /// The flags that may be seen.
    public let flags: ShownFlags
    /// Why nothing can be changed now; empty where changes are welcome.
    public let fileProblems: [FileProblem]
    /// Why the last change that was asked for could not be stored; `nil` once one can be.
    public let saveProblem: FileProblem?
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
    /// The conflicts that merges left in the files, of flags that may be seen.
    public let conflicts: [FileConflict]
    /// What the flags follow from; `nil` where that can't be told.
    let files: CatalogueCache.State?

    /// The flags that may be seen.
    public var catalogue: FlagCatalogue { flags.catalogue }
    /// What the files held.
    public var version: FilesVersion { flags.version }
    /// What must not appear in the history.
    public var hiddenKeys: HiddenKeys { flags.hiddenKeys }
}
