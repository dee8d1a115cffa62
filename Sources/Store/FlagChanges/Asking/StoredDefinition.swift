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
