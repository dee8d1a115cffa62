import FeatureFlags
import Foundation

extension FlagsManager {
    /// The definitions of all flags and groups, for the dashboard to know types, defaults, locks and descriptions.
    ///
    /// A group that is internal, or adds nothing to the key paths of its flags, has no entry of its own.
    ///
    /// - Parameter existing: A manifest to update: what the code doesn't say stays as it is there.
    /// - Returns: The manifest.
    /// - Throws: ``FlagManifestError`` that names each flag that can't be defined, such as two of one key path.
    public func manifest(updating existing: FlagManifest? = nil) throws(FlagManifestError) -> FlagManifest {
        try FlagManifest(
            definitions: featureFlags.map(\.definition), collections: tree.flatMap(\.collectionDefinitions),
            updating: existing)
    }

    /// Writes the definitions of all flags and groups to a file, where the dashboard finds them.
    ///
    /// What the file says beyond the code stays; where it says the same already, it isn't touched.
    ///
    /// - Parameter url: The file, such as `flags.manifest.xml`; it need not exist.
    /// - Throws: ``FlagManifestError`` where the file, or a definition, is not right, and ``FileAccessError`` where the file
    ///   can't be read or written; it is as before then.
    public func writeManifest(to url: URL) throws {
        let target = AtomicFile.target(of: url)
        let signature = try AtomicFile.signature(of: target)
        let existing = try signature.map { _ in try FlagManifest(source: try AtomicFile.read(target).data) }
        let manifest = try manifest(updating: existing)
        guard manifest.document.source != existing?.document.source else { return }
        let temporary = try AtomicFile.writeTemporary(manifest.document.source, beside: target, mode: signature?.mode)
        try AtomicFile.rename(temporary, to: target)
    }
}

extension FlagTree {
    /// The group and those within it, as far as they are part of key paths.
    fileprivate var collectionDefinitions: [FlagCollectionDefinition] {
        guard case .collection(let collection) = self else { return [] }
        let isShown = collection.isInKeyPath && !collection.metadata.isInternal
        let own = isShown ? collection.keyPath.map { collection.definition(key: $0) } : nil
        return [own].compactMap(\.self) + collection.children.flatMap(\.collectionDefinitions)
    }
}

extension AnyFlagCollection {
    fileprivate func definition(key: FlagKeyPath) -> FlagCollectionDefinition {
        FlagCollectionDefinition(key: key, name: name, description: metadata.description, order: metadata.order)
    }
}
