import DurableFiles
import FeatureFlags
import FeatureFlagsXML
import FlagHistory
import Foundation

/// A history to be read without serving its files, by itself or beside a server that does.
public struct HistoryReading: Sendable {
    /// The history; nothing can be written to it.
    public let history: HistoryStore
    /// What must not appear: everything about the internal flags.
    public let hiddenKeys: HiddenKeys

    /// Opens the history.
    ///
    /// - Parameters:
    ///   - files: The files that it is about.
    ///   - showsInternal: Whether internal flags may be seen.
    /// - Throws: ``HistoryStoreError`` where it can't be used; ``ChangeServiceStartError`` where the manifest, which says
    ///   what is internal, can't be read or is gone.
    public init(_ files: FlagFiles, showsInternal: Bool) throws {
        guard try AtomicFile.signature(of: files.history) != nil else { throw HistoryStoreError.missing(files.history) }
        history = try HistoryStore(reading: files.history)
        guard !showsInternal else {
            hiddenKeys = []
            return
        }
        var workspace = Workspace(files)
        if case .failure(let fileProblem) = workspace.manifest.content {
            throw ChangeServiceStartError.manifest(
                files.manifest, fileProblem,
                remedy: "It says which flags are internal: correct it, or read everything with --show-internal")
        }
        try files.checkManifest(history)
        try workspace.rememberInternals(of: history)
        let catalogue = FlagCatalogue(
            manifest: workspace.definitions?.content, snapshots: workspace.snapshots(isReadOnly: true),
            showsInternal: false)
        hiddenKeys = HiddenKeys(workspace.hiddenFlags(showsInternal: false), besides: catalogue)
    }
}
