import FeatureFlags

/// The flags and groups that a manifest defines, whether a file holds it or it was worked out.
package struct FlagManifestContent: Sendable {
    /// The flags, in the manifest's order.
    package let definitions: RunList<FlagDefinition>
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
        let (definitions, collections) = try Self.read(root, locate)
        self.definitions = RunList(definitions)
        self.collections = collections
        index = FlagManifestIndex(definitions)
    }

    fileprivate static func read(
        _ root: FlagValue, _ locate: @escaping ([PathStep]) -> SourceLocation? = { _ in nil }
    ) throws(FlagManifestError) -> ([FlagDefinition], [FlagCollectionDefinition]) {
        var reader = FlagManifestReader(root: root, locate: locate)
        let content = reader.read()
        if let error = reader.error { throw error }
        return content
    }

    fileprivate init(
        _ definitions: RunList<FlagDefinition>, _ collections: [FlagCollectionDefinition], index: FlagManifestIndex
    ) {
        self.definitions = definitions
        self.collections = collections
        self.index = index
    }

    /// Joins definitions that were read one by one.
    ///
    /// - Throws: ``FlagManifestError`` where one stands inside another.
    fileprivate init(
        _ definitions: [FlagDefinition], _ collections: [FlagCollectionDefinition]
    ) throws(FlagManifestError) {
        self.definitions = RunList(definitions)
        self.collections = collections
        index = FlagManifestIndex(definitions)
        let problems = index.nestedKeys.map { key, above in
            FlagManifestError.Problem(
                subject: key.text, field: "key", location: nil, reason: FlagManifestReader.nested(in: above))
        }
        guard problems.isEmpty else { throw FlagManifestError(problems, untold: 0) }
    }

    /// What the manifest defines once the entries of some flags have changed, but for their keys; only those are read.
    ///
    /// - Parameter entries: The entries by their places.
    /// - Returns: `nil` where one of them is not valid, or is of another flag.
    func redefining(_ entries: [Int: FlagValue]) -> FlagManifestContent? {
        let changes = Array(entries)
        let root: FlagValue = .dictionary(["version": .integer(1), "flags": .array(changes.map(\.value))])
        guard case .success(let (read, _)) = Result(catching: { try Self.read(root) }), read.count == changes.count
        else { return nil }
        var definitions = definitions
        for (place, definition) in zip(changes.map(\.key), read) {
            guard definitions[place].key == definition.key else { return nil }
            definitions[place] = definition
        }
        return FlagManifestContent(definitions, collections, index: index.redefined(where: read))
    }

    /// The keys of all definitions, internal ones included.
    package var definedKeys: Set<FlagKeyPath> { Set(index.places.keys) }

    /// Whether a flag is defined, internal ones included.
    package func defines(_ key: FlagKeyPath) -> Bool { index.places[key] != nil }

    /// Whether a flag is defined inside a key path, internal ones included.
    package func isGroup(_ key: FlagKeyPath) -> Bool { index.members[key] != nil }

    /// The flags that are defined inside a key path, internal ones included.
    package func keys(inside group: FlagKeyPath) -> [FlagKeyPath] {
        (index.members[group] ?? []).map { definitions[$0].key }
    }

    /// The flags that are defined to hold a dictionary.
    package var dictionaryKeys: Set<FlagKeyPath> { index.dictionaryKeys }

    /// The flags whose type is `json`.
    package var jsonKeys: Set<FlagKeyPath> { index.jsonKeys }

    /// The flags that are defined to be internal.
    package var internalKeys: Set<FlagKeyPath> { index.internalKeys }
}

extension FlagManifest {
    /// What the manifest would define if it held other entries of some flags; only those are read.
    ///
    /// - Parameter entries: The entries by their flags; `nil` for a flag that it would not define.
    /// - Returns: The flags and groups, those that it defines now in their order and others behind them;
    ///   `nil` where all of that is what it holds already.
    /// - Throws: ``FlagManifestError`` where that would be no manifest.
    package func content(
        replacing entries: [FlagKeyPath: FlagValue?]
    ) throws(FlagManifestError) -> FlagManifestContent? {
        let stored = document.node(at: [.key("flags")])?.items
        let others = entries.filter { key, entry in entry != index.places[key].flatMap { stored?[$0].value } }
        guard !others.isEmpty else { return nil }
        let (read, _) = try FlagManifestContent.read(
            .dictionary(["version": .integer(1), "flags": .array(others.values.compactMap(\.self))]))
        var replacing = Dictionary(read.map { ($0.key, $0) }, uniquingKeysWith: { _, last in last })
        let present = content.definitions.compactMap { definition in
            others.index(forKey: definition.key) == nil ? definition : replacing.removeValue(forKey: definition.key)
        }
        if present.count == content.definitions.count, replacing.isEmpty {
            return FlagManifestContent(RunList(present), collections, index: index.redefined(where: present))
        }
        return try FlagManifestContent(present + replacing.values, collections)
    }
}
