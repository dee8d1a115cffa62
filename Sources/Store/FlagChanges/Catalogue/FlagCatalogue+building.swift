import FeatureFlags
import FeatureFlagsXML

extension FlagCatalogue {
    /// Joins definitions with what the providers hold.
    ///
    /// Values that no definition covers become flags of the type that they look like: in a group, each of its values.
    /// Where a definition stands below such a value, or another provider has a group, it becomes none: a flag there
    /// would stand for the whole group, whatever is in it. Those of a file that can't be read now stay.
    ///
    /// - Parameters:
    ///   - manifest: The definitions; `nil` where there is no manifest.
    ///   - previous: What came of the same manifest and of the same providers before their values changed.
    ///   - unknownFields: The fields of the manifest that have no effect, where that is to be told.
    init(
        manifest: FlagManifestContent?, snapshots: [ValuesSnapshot], showsInternal: Bool,
        previous: FlagCatalogue? = nil, unknownFields: @autoclosure () -> [UnknownField] = []
    ) {
        let inferred = Self.inferredDefinitions(in: snapshots.map(\.asLastRead), besides: manifest)
        if let previous, previous.infers(inferred) {
            self.init(previous, snapshots)
            return
        }
        var visible = manifest.map { Array($0.definitions) } ?? []
        if !showsInternal { visible.removeAll { $0.metadata.isInternal } }
        visible += inferred
        let collections = Self.collections(of: manifest, above: visible)
        let fields = Dictionary(grouping: unknownFields(), by: \.owner)
        let writable = WritableProviders(snapshots)
        self.init(
            entries: FlagOrder(collections: collections).sorted(visible).map { definition in
                FlagEntry(
                    definition: definition, isDefined: manifest?.defines(definition.key) == true,
                    resolution: definition.resolve(in: snapshots), writable: writable[definition.key],
                    unknownFields: fields[.flag(definition.key)] ?? [])
            },
            collections: collections,
            providers: Self.summaries(of: snapshots),
            mistakenFields: Self.mistakes(in: fields, visible, collections))
    }

    /// The same flags with the values of now.
    ///
    /// Most flags are as before: what takes long, order and search, is taken over.
    private init(_ previous: FlagCatalogue, _ snapshots: [ValuesSnapshot]) {
        let writable = WritableProviders(snapshots)
        let entries = previous.entries.map { entry in
            let resolution = entry.definition.resolve(in: snapshots, after: entry.resolution)
            guard resolution != entry.resolution else { return entry }
            return FlagEntry(
                definition: entry.definition, isDefined: entry.isDefined, resolution: resolution,
                writable: writable[entry.key], unknownFields: entry.unknownFields)
        }
        self.init(
            previous, entries: FlagEntries(entries), blocked: Set(entries.lazy.filter(\.isBlocked).map(\.key)),
            providers: Self.summaries(of: snapshots))
    }

    /// The fields that were likely written for others, of what may be seen.
    private static func mistakes(
        in fields: [UnknownField.Owner: [UnknownField]], _ definitions: [FlagDefinition],
        _ collections: [FlagKeyPath: FlagCollectionDefinition]
    ) -> [UnknownField] {
        guard !fields.isEmpty else { return [] }
        let groups = collections.keys.sorted().map(UnknownField.Owner.collection)
        let owners = [.manifest] + definitions.map { UnknownField.Owner.flag($0.key) } + groups
        return owners.flatMap { fields[$0] ?? [] }.filter { $0.intention != nil }
    }

    /// The groups that have a definition and hold one of these flags.
    private static func collections(
        of manifest: FlagManifestContent?, above definitions: [FlagDefinition]
    ) -> [FlagKeyPath: FlagCollectionDefinition] {
        guard let collections = manifest?.collections, !collections.isEmpty else { return [:] }
        let groups = Set(definitions.flatMap(\.key.ancestors))
        return Dictionary(
            collections.filter { groups.contains($0.key) }.map { ($0.key, $0) }, uniquingKeysWith: { first, _ in first }
        )
    }

    private static func summaries(of snapshots: [ValuesSnapshot]) -> [ProviderSummary] {
        snapshots.map {
            ProviderSummary(
                name: $0.name, description: $0.shortDescription, isWritable: $0.isWritable, problem: $0.problem,
                isFile: $0.isFile, isAsked: $0.isAsked, unreadFlags: $0.unreadFlags)
        }
    }

    /// Whether exactly these flags are here without a definition, spelt as they are.
    private func infers(_ definitions: [FlagDefinition]) -> Bool {
        let known = entries.lazy.filter { !$0.isDefined }.map(\.definition)
        guard known.count == definitions.count else { return false }
        return definitions.allSatisfy { definition in
            guard let same = self[definition.key], !same.isDefined else { return false }
            return same.definition.type == definition.type
                && same.key.text.utf8.elementsEqual(definition.key.text.utf8)
        }
    }

    /// They come in the order of the files, which is often the one of the flags already: sorting takes little then.
    ///
    /// What another environment holds adds flags, and takes none away: one in whose place, or in which, something stands there is
    /// told as it is here.
    private static func inferredDefinitions(
        in snapshots: [ValuesSnapshot], besides manifest: FlagManifestContent?
    ) -> [FlagDefinition] {
        let here = InferredFlags(in: snapshots.filter(\.isAsked), besides: manifest)
        let elsewhere = snapshots.filter { !$0.isAsked }
        guard !elsewhere.isEmpty else { return here.definitions }
        return here.definitions + InferredFlags(in: elsewhere, besides: manifest).definitions.filter(here.hasRoom)
    }
}

/// The flags that values without a definition are.
private struct InferredFlags {
    let definitions: [FlagDefinition]
    private let keys: Set<FlagKeyPath>
    private let groups: Set<FlagKeyPath>

    init(in snapshots: [ValuesSnapshot], besides manifest: FlagManifestContent?) {
        var found: [(key: FlagKeyPath, type: FlagType)] = []
        var keys: Set<FlagKeyPath> = []
        var groups: Set<FlagKeyPath> = []
        for snapshot in snapshots {
            guard case .success(let held) = snapshot.content else { continue }
            ValueTree(held, isDefined: { manifest?.defines($0) == true }).forEach { key, place in
                switch place {
                case .value(_, isDefined: true): break
                case .value(let value, isDefined: false):
                    if keys.insert(key).inserted { found.append((key, FlagType(inferredFrom: value))) }
                case .group: groups.insert(key)
                }
            }
        }
        definitions = found.filter { !groups.contains($0.key) && manifest?.isGroup($0.key) != true }
            .map { FlagDefinition(key: $0.key, type: $0.type) }
        self.keys = keys
        self.groups = groups
    }

    /// Whether a flag of elsewhere is none of these, no group of theirs, and in none of them.
    func hasRoom(for definition: FlagDefinition) -> Bool {
        !keys.contains(definition.key) && !groups.contains(definition.key)
            && !definition.key.ancestors.contains(where: keys.contains)
    }
}

/// The order in which flags are shown: each level of the tree by `order` where a definition has one, then by key.
struct FlagOrder {
    let collections: [FlagKeyPath: FlagCollectionDefinition]

    /// Sorts flags so that those of a group stand together.
    func sorted(_ definitions: [FlagDefinition]) -> [FlagDefinition] {
        // A definition is large: only its place is moved.
        let ranks = definitions.map(ranks)
        return definitions.indices.sorted { Self.precedes(ranks[$0], ranks[$1]) }.map { definitions[$0] }
    }

    /// Whether a flag comes before another one.
    func precedes(_ left: FlagDefinition, _ right: FlagDefinition) -> Bool {
        Self.precedes(ranks(of: left), ranks(of: right))
    }

    private func ranks(of definition: FlagDefinition) -> [Rank] {
        let components = definition.key.components
        let groups = components.indices.dropLast().map { place in
            let order =
                collections.isEmpty ? nil : collections[FlagKeyPath(components: Array(components[...place]))]?.order
            return Rank(isGroup: true, order: order ?? .max, name: components[place])
        }
        let flag = Rank(
            isGroup: false, order: definition.metadata.order ?? .max, name: definition.key.leaf)
        return groups + [flag]
    }

    /// Most neighbours are in the same groups, which is sooner known than which of two groups comes first.
    private static func precedes(_ left: [Rank], _ right: [Rank]) -> Bool {
        for (left, right) in zip(left, right) where left != right { return left < right }
        return left.count < right.count
    }

    /// A place among neighbours; the flags of a group come before the groups in it.
    private struct Rank: Comparable {
        let isGroup: Bool
        let order: Int
        let name: String

        static func < (left: Rank, right: Rank) -> Bool {
            if left.isGroup != right.isGroup { return !left.isGroup }
            if left.order != right.order { return left.order < right.order }
            // UTF-8 has the order of the scalars.
            return left.name.utf8.lexicographicallyPrecedes(right.name.utf8)
        }
    }
}
