import FeatureFlags

/// The definitions of a manifest by their key paths, so that none has to be looked for among all of them.
struct FlagManifestIndex: Sendable {
    /// The place of each definition.
    let places: [FlagKeyPath: Int]
    /// The places of the definitions inside a group, by the group.
    let members: [FlagKeyPath: [Int]]
    /// The flags whose value is a dictionary.
    let dictionaryKeys: Set<FlagKeyPath>

    init(_ definitions: [FlagDefinition]) {
        var places: [FlagKeyPath: Int] = [:]
        var members: [FlagKeyPath: [Int]] = [:]
        for (place, definition) in definitions.enumerated() {
            places[definition.key] = place
            for group in definition.key.ancestors { members[group, default: []].append(place) }
        }
        self.init(places: places, members: members, dictionaryKeys: Self.dictionaryKeys(of: definitions))
    }

    /// The places of the same flags, some of which are defined otherwise.
    ///
    /// - Parameter definitions: A definition of each flag, in the places that they have.
    /// - Returns: The index of them.
    func redefined(by definitions: [FlagDefinition]) -> FlagManifestIndex {
        FlagManifestIndex(
            places: places, members: members, dictionaryKeys: Self.dictionaryKeys(of: definitions))
    }

    /// The places of the same flags, where some are defined otherwise.
    func redefined(where changed: [FlagDefinition]) -> FlagManifestIndex {
        let (holding, others) = (Self.dictionaryKeys(of: changed), Set(changed.map(\.key)))
        return FlagManifestIndex(
            places: places, members: members, dictionaryKeys: dictionaryKeys.subtracting(others).union(holding))
    }

    private static func dictionaryKeys(of definitions: [FlagDefinition]) -> Set<FlagKeyPath> {
        Set(definitions.lazy.filter { $0.type == .dictionary || $0.type == .json }.map(\.key))
    }

    private init(places: [FlagKeyPath: Int], members: [FlagKeyPath: [Int]], dictionaryKeys: Set<FlagKeyPath>) {
        self.places = places
        self.members = members
        self.dictionaryKeys = dictionaryKeys
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
        index.places[key].map { definitions[$0] }
    }

    /// A flag's entry as the file holds it; `nil` where there is none.
    package func storedEntry(of key: FlagKeyPath) -> FlagValue? {
        guard let place = index.places[key] else { return nil }
        return document.node(at: [.key("flags"), .index(place)])?.value
    }

    /// The definitions inside a key path, and the one that it is inside of; not its own.
    package func definitions(collidingWith key: FlagKeyPath) -> [FlagDefinition] {
        let around = key.ancestors.compactMap { index.places[$0] }
        return (around + (index.members[key] ?? [])).map { definitions[$0] }
    }

    /// The flags that are defined to hold a dictionary.
    package var dictionaryKeys: Set<FlagKeyPath> { content.dictionaryKeys }
}
