import FeatureFlags

package struct FlagManifestContent: Sendable {
    package let definitions: RunList<FlagDefinition>
    package let collections: [FlagCollectionDefinition]
    let index: FlagManifestIndex

    package init(
        root: FlagValue, locate: @escaping ([PathStep]) -> SourceLocation? = { _ in nil }
    ) throws(FlagManifestError) {
        let (definitions, collections) = try Self.read(root, locate)
        self.definitions = RunList(definitions)
        self.collections = collections
        index = FlagManifestIndex(definitions)
    }

    /// Reads the schema of a part of a value, as `items` holds it.
    package static func schema(_ value: FlagValue) throws(FlagManifestError) -> FlagSchema? {
        var reader = FlagManifestReader(root: value) { _ in nil }
        let schema = reader.readSchema(value)
        if let error = reader.error { throw error }
        return schema
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

    /// Throws if one flag is inside another.
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

    /// Returns the content after entries have changed except for their keys, or `nil` if one is not valid.
    func redefining(_ entries: [Int: FlagValue]) -> FlagManifestContent? {
        let changes = Array(entries)
        let root: FlagValue = .dictionary(["version": .integer(1), "flags": .array(changes.map(\.value))])
        guard case .success(let (read, _)) = Result(catching: { try Self.read(root) }), read.count == changes.count
        else { return nil }
        var definitions = definitions
        for (place, definition) in zip(changes.map(\.key), read) {
            guard definitions[place].key == definition.key, definitions[place].group == definition.group else {
                return nil
            }
            definitions[place] = definition
        }
        return FlagManifestContent(definitions, collections, index: index.redefined(where: read))
    }

    package var definedKeys: Set<FlagKeyPath> { Set(index.places.keys) }

    package func defines(_ key: FlagKeyPath) -> Bool { index.places[key] != nil }

    package func isGroup(_ key: FlagKeyPath) -> Bool { index.members[key] != nil }

    package func keys(inside group: FlagKeyPath) -> [FlagKeyPath] {
        (index.members[group] ?? []).map { definitions[$0].key }
    }

    package var dictionaryKeys: Set<FlagKeyPath> { index.dictionaryKeys }

    package var jsonKeys: Set<FlagKeyPath> { index.jsonKeys }

    package var internalKeys: Set<FlagKeyPath> { index.internalKeys }

    /// `false` if each flag is in the group of its own definition.
    package var hasNeighbours: Bool { index.hasNeighbours }

    /// Returns a definition with the group that tools show it in: its own, or that of its neighbours by key path.
    package func placed(_ definition: FlagDefinition) -> FlagDefinition {
        guard let group = index.group(of: definition) else { return definition }
        var definition = definition
        definition.group = group
        return definition
    }

    package func place(of key: FlagKeyPath) -> Int? { index.places[key] }

    /// Returns the place of the first flag that is shown in a group.
    package func place(ofGroup group: FlagKeyPath) -> Int? { index.groupPlaces[group] }

    package func unreadKeys(from provider: String) -> Set<FlagKeyPath> { index.unreadKeys[provider] ?? [] }
}

extension FlagManifest {
    /// Returns the content with other entries, where `nil` leaves a flag out, or `nil` if nothing differs.
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
        if present.count == content.definitions.count, replacing.isEmpty,
            zip(present, content.definitions).allSatisfy({ $0.group == $1.group })
        {
            return FlagManifestContent(RunList(present), collections, index: index.redefined(where: present))
        }
        return try FlagManifestContent(present + replacing.values, collections)
    }
}
