import DurableFiles
import FeatureFlags
import FeatureFlagsXML
import FlagHistory
import Foundation

/// The flags of files as these are, without serving them: files are read and nothing else.
public struct FlagsOfFiles: Sendable {
    /// The flags that may be seen, defined ones and those that a value was found of.
    public let catalogue: FlagCatalogue
    /// The key paths of all flags, of internal ones too.
    public let keys: Set<FlagKeyPath>
    /// The key paths of the flags that the manifest defines, internal ones too, in its order.
    public let definedKeys: [FlagKeyPath]
    /// When each flag's value or definition was last changed, as far as the history knows.
    public let lastChanges: [FlagKeyPath: Date]
    /// Whether there is a manifest.
    public let hasManifest: Bool

    /// Reads the files.
    ///
    /// - Parameters:
    ///   - files: The files.
    ///   - showsInternal: Whether internal flags may be seen.
    /// - Throws: Which file can't be read, and why.
    public init(_ files: FlagFiles, showsInternal: Bool) throws {
        let workspace = Workspace(files)
        if let problem = workspace.fileProblems.first { throw problem }
        let manifest = workspace.definitions
        catalogue = FlagCatalogue(
            manifest: manifest?.content, snapshots: workspace.snapshots(isReadOnly: true), showsInternal: showsInternal)
        definedKeys = manifest?.definitions.map(\.key) ?? []
        keys = Set(catalogue.entries.map(\.key)).union(definedKeys)
        hasManifest = manifest != nil
        lastChanges = try Self.lastChanges(of: catalogue, files.history)
    }

    private static func lastChanges(of catalogue: FlagCatalogue, _ url: URL) throws -> [FlagKeyPath: Date] {
        guard try AtomicFile.signature(of: url) != nil else { return [:] }
        let history = try HistoryStore(reading: url)
        defer { history.close() }
        return try history.lastChanges(of: Set(catalogue.entries.map(\.key)), hiddenKeys: []).mapValues(\.at)
    }
}
