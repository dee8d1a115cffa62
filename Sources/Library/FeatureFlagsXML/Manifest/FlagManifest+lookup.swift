import FeatureFlags

struct FlagManifestIndex: Sendable {
    let places: [FlagKeyPath: Int]
    let members: [FlagKeyPath: [Int]]
    private(set) var dictionaryKeys: Set<FlagKeyPath> = []
    private(set) var jsonKeys: Set<FlagKeyPath> = []
    private(set) var internalKeys: Set<FlagKeyPath> = []
    /// By the name of the provider that the app doesn't read them from.
    private(set) var unreadKeys: [String: Set<FlagKeyPath>] = [:]
    /// The place of the first flag of each group that tools show.
    let groupPlaces: [FlagKeyPath: Int]
    /// The shown group of the flags of a key path group, where the two differ.
    private let neighbours: [FlagKeyPath: FlagKeyPath]

    init(_ definitions: [FlagDefinition]) {
        var places: [FlagKeyPath: Int] = [:]
        var members: [FlagKeyPath: [Int]] = [:]
        for (place, definition) in definitions.enumerated() {
            places[definition.key] = place
            for group in definition.key.ancestors { members[group, default: []].append(place) }
        }
        (self.places, self.members) = (places, members)
        neighbours = Self.neighbours(in: definitions)
        var groupPlaces = members.compactMapValues(\.first)
        if definitions.contains(where: { $0.group != nil }) {
            groupPlaces = [:]
            for (place, definition) in definitions.enumerated() {
                for group in Self.group(of: definition, neighbours).map({ $0.ancestors + [$0] }) ?? definition.groups
                where groupPlaces[group] == nil {
                    groupPlaces[group] = place
                }
            }
        }
        self.groupPlaces = groupPlaces
        for definition in definitions { note(definition) }
    }

    func redefined(where changed: [FlagDefinition]) -> FlagManifestIndex {
        var index = self
        for definition in changed {
            index.dictionaryKeys.remove(definition.key)
            index.jsonKeys.remove(definition.key)
            index.internalKeys.remove(definition.key)
            for name in index.unreadKeys.keys { index.unreadKeys[name]?.remove(definition.key) }
            index.note(definition)
        }
        return index
    }

    private mutating func note(_ definition: FlagDefinition) {
        let rules = definition.type.rules
        if rules.kinds.contains("dictionary") { dictionaryKeys.insert(definition.key) }
        if rules.form == .document { jsonKeys.insert(definition.key) }
        if definition.metadata.isInternal { internalKeys.insert(definition.key) }
        for name in definition.excludedProviders { unreadKeys[name, default: []].insert(definition.key) }
    }

    var hasNeighbours: Bool { !neighbours.isEmpty }

    /// Returns the definition's group, else that of the flags beside it by key path; `nil` for that of its key path.
    func group(of definition: FlagDefinition) -> FlagKeyPath? { Self.group(of: definition, neighbours) }

    private static func group(
        of definition: FlagDefinition, _ neighbours: [FlagKeyPath: FlagKeyPath]
    ) -> FlagKeyPath? {
        if definition.group != nil || neighbours.isEmpty { return definition.group }
        return definition.key.ancestors.reversed().lazy.compactMap { above in
            neighbours[above].map { group in
                let rest = definition.key.components.dropLast().dropFirst(above.components.count)
                return FlagKeyPath(components: group.components + rest)
            }
        }.first
    }

    /// Maps `delivery` to `shop/delivery`, as a flag such as `delivery/fee` in that group says.
    private static func neighbours(in definitions: [FlagDefinition]) -> [FlagKeyPath: FlagKeyPath] {
        var neighbours: [FlagKeyPath: FlagKeyPath] = [:]
        for definition in definitions {
            guard let group = definition.group, let parent = definition.key.parent,
                group.components.suffix(parent.components.count).elementsEqual(parent.components)
            else { continue }
            var (own, shown): (FlagKeyPath?, FlagKeyPath?) = (parent, group)
            while let key = own, let place = shown, neighbours[key] == nil {
                neighbours[key] = place
                (own, shown) = (key.parent, place.parent)
            }
        }
        return neighbours
    }

    var nestedKeys: [(key: FlagKeyPath, above: FlagKeyPath)] {
        let nested = Set(members.filter { places[$0.key] != nil }.values.joined())
        return places.filter { nested.contains($0.value) }.map(\.key).sorted().compactMap { key in
            key.ancestors.first { places[$0] != nil }.map { (key, $0) }
        }
    }
}

extension FlagManifest {
    var index: FlagManifestIndex { content.index }

    package var definedKeys: Set<FlagKeyPath> { content.definedKeys }

    package func definition(of key: FlagKeyPath) -> FlagDefinition? {
        index.places[key].map { content.definitions[$0] }
    }

    package func storedEntry(of key: FlagKeyPath) -> FlagValue? {
        guard let place = index.places[key] else { return nil }
        return document.node(at: [.key("flags"), .index(place)])?.value
    }

    /// Returns the flags with other entries, or `nil` if anything else differs too.
    package func redefinedKeys(since old: FlagManifest) -> [FlagKeyPath]? {
        guard let places = document.changedElements(of: "flags", since: old.document) else { return nil }
        let keys = places.map { content.definitions[$0].key }
        let isSame = zip(places, keys).allSatisfy { place, key in
            old.content.definitions[place].key.text.utf8.elementsEqual(key.text.utf8)
        }
        return isSame ? keys : nil
    }

    package func definitions(collidingWith key: FlagKeyPath) -> [FlagDefinition] {
        let around = key.ancestors.compactMap { index.places[$0] }
        return (around + (index.members[key] ?? [])).map { content.definitions[$0] }
    }

    package var dictionaryKeys: Set<FlagKeyPath> { content.dictionaryKeys }
}
