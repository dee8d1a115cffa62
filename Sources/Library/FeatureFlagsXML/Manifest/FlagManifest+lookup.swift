import FeatureFlags

/// The definitions of a manifest by their key paths, so that none has to be looked for among all of them.
struct FlagManifestIndex: Sendable {
    /// The place of each definition.
    let places: [FlagKeyPath: Int]
    /// The places of the definitions inside a group, by the group.
    let members: [FlagKeyPath: [Int]]
    /// The flags whose value is a dictionary.
    private(set) var dictionaryKeys: Set<FlagKeyPath> = []
    /// Those of them whose type is `json`.
    private(set) var jsonKeys: Set<FlagKeyPath> = []
    /// The internal flags.
    private(set) var internalKeys: Set<FlagKeyPath> = []

    init(_ definitions: [FlagDefinition]) {
        var places: [FlagKeyPath: Int] = [:]
        var members: [FlagKeyPath: [Int]] = [:]
        for (place, definition) in definitions.enumerated() {
            places[definition.key] = place
            for group in definition.key.ancestors { members[group, default: []].append(place) }
        }
        (self.places, self.members) = (places, members)
        for definition in definitions { note(definition) }
    }

    /// The index of the same flags in the same places, where some are defined otherwise.
    func redefined(where changed: [FlagDefinition]) -> FlagManifestIndex {
        var index = self
        for definition in changed {
            index.dictionaryKeys.remove(definition.key)
            index.jsonKeys.remove(definition.key)
            index.internalKeys.remove(definition.key)
            index.note(definition)
        }
        return index
    }

    private mutating func note(_ definition: FlagDefinition) {
        if definition.type == .dictionary || definition.type == .json { dictionaryKeys.insert(definition.key) }
        if definition.type == .json { jsonKeys.insert(definition.key) }
        if definition.metadata.isInternal { internalKeys.insert(definition.key) }
    }

    /// The flags that stand inside other flags, in order, each with the outermost of those.
    var nestedKeys: [(key: FlagKeyPath, above: FlagKeyPath)] {
        let nested = Set(members.filter { places[$0.key] != nil }.values.joined())
        return places.filter { nested.contains($0.value) }.map(\.key).sorted().compactMap { key in
            key.ancestors.first { places[$0] != nil }.map { (key, $0) }
        }
    }
}

extension FlagManifest {
    var index: FlagManifestIndex { content.index }

    /// The keys of all definitions, internal ones included.
    package var definedKeys: Set<FlagKeyPath> { content.definedKeys }

    /// The definition of a flag; `nil` where there is none.
    package func definition(of key: FlagKeyPath) -> FlagDefinition? {
        index.places[key].map { content.definitions[$0] }
    }

    /// A flag's entry as the file holds it; `nil` where there is none.
    package func storedEntry(of key: FlagKeyPath) -> FlagValue? {
        guard let place = index.places[key] else { return nil }
        return document.node(at: [.key("flags"), .index(place)])?.value
    }

    /// The flags whose entries are others than in another manifest.
    ///
    /// - Parameter old: The other manifest.
    /// - Returns: `nil` where both don't define the same flags in the same places, or anything else differs too.
    package func redefinedKeys(since old: FlagManifest) -> [FlagKeyPath]? {
        guard let places = document.changedElements(of: "flags", since: old.document) else { return nil }
        let keys = places.map { content.definitions[$0].key }
        let isSame = zip(places, keys).allSatisfy { place, key in
            old.content.definitions[place].key.text.utf8.elementsEqual(key.text.utf8)
        }
        return isSame ? keys : nil
    }

    /// The definitions inside a key path, and the one that it is inside of; not its own.
    package func definitions(collidingWith key: FlagKeyPath) -> [FlagDefinition] {
        let around = key.ancestors.compactMap { index.places[$0] }
        return (around + (index.members[key] ?? [])).map { content.definitions[$0] }
    }

    /// The flags that are defined to hold a dictionary.
    package var dictionaryKeys: Set<FlagKeyPath> { content.dictionaryKeys }
}
