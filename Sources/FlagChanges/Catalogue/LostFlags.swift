import FeatureFlags
import FeatureFlagsXML

/// The flags without a definition of files that can't be read now, among all others.
struct LostFlags: Sendable {
    private let workspace: Workspace
    private let snapshots: [ValuesSnapshot]
    private let showsInternal: Bool

    /// Looks for them when that is asked for.
    ///
    /// - Parameters:
    ///   - workspace: The files.
    ///   - snapshots: The providers as they are.
    ///   - showsInternal: Whether internal flags are let in.
    init(workspace: Workspace, snapshots: [ValuesSnapshot], _ showsInternal: Bool) {
        self.workspace = workspace
        self.snapshots = snapshots
        self.showsInternal = showsInternal
    }

    /// All flags, with those that the files held when they could last be read.
    var catalogue: FlagCatalogue {
        let definitions = workspace.definitions
        return FlagCatalogue(
            manifest: definitions?.content, snapshots: snapshots, showsInternal: showsInternal, keepsLastRead: true,
            unknownFields: definitions?.unknownFields ?? []
        ).omitting(workspace.hiddenFlags(showsInternal: showsInternal))
    }
}
