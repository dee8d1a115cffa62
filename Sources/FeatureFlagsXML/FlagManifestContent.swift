import FeatureFlags

/// The flags and groups that a manifest defines, whether a file holds it or it was worked out.
package struct FlagManifestContent: Sendable {
    /// The flags, in the manifest's order.
    package let definitions: [FlagDefinition]
    /// The groups, in the manifest's order.
    package let collections: [FlagCollectionDefinition]
    let index: FlagManifestIndex

    /// Reads the root of a manifest.
    ///
    /// - Parameters:
    ///   - root: The root value.
    ///   - locate: Where in the file the element of a value starts, to say where something is wrong.
    /// - Throws: ``FlagManifestError`` that names each flag and field that is wrong.
    package init(
        root: FlagValue, locate: @escaping ([PathStep]) -> SourceLocation? = { _ in nil }
    ) throws(FlagManifestError) {
        var reader = FlagManifestReader(root: root, locate: locate)
        (definitions, collections) = reader.read()
        if let error = reader.error { throw error }
        index = FlagManifestIndex(definitions)
    }

    /// The keys of all definitions, internal ones included.
    package var definedKeys: Set<FlagKeyPath> { Set(index.places.keys) }

    /// The flags that are defined to hold a dictionary.
    package var dictionaryKeys: Set<FlagKeyPath> { index.dictionaryKeys }
}
