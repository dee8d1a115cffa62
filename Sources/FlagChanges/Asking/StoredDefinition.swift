import FeatureFlags
import FeatureFlagsXML

/// A flag's definition as the manifest holds it, to edit it.
public struct StoredDefinition: Hashable, Sendable {
    /// What the manifest says of the flag.
    public let definition: FlagDefinition
    /// The version of its entry: what an edit states it was based on.
    public let revision: FlagRevision

    /// Makes a stored definition.
    public init(definition: FlagDefinition, revision: FlagRevision) {
        self.definition = definition
        self.revision = revision
    }
}

extension ChangeService {
    /// The definition of a flag as the manifest holds it now.
    ///
    /// - Parameter key: The flag.
    /// - Returns: `nil` where the manifest has none, or none that may be seen.
    /// - Throws: ``ChangeError`` where the history is damaged.
    public func storedDefinition(of key: FlagKeyPath) async throws(ChangeError) -> StoredDefinition? {
        try await refresh()
        guard case .success(let manifest?) = workspace.manifest.content,
            let definition = workspace.definition(of: key, showsInternal: options.showsInternal),
            let entry = manifest.storedEntry(of: key)
        else { return nil }
        return StoredDefinition(definition: definition, revision: FlagRevision(of: entry))
    }
}
