import FeatureFlags
import FeatureFlagsXML

extension FlagCatalogue {
    /// Joins definitions with what the providers hold.
    ///
    /// Values that no definition covers become flags of the type that they look like: in a group, each of its values.
    /// Where a definition stands below such a value, or another provider has a group, it becomes none: a flag there
    /// would stand for the whole group, whatever is in it.
    ///
    /// - Parameters:
    ///   - manifest: The definitions; `nil` where there is no manifest.
    ///   - snapshots: The providers, in order of precedence.
    ///   - showsInternal: Whether internal flags are let in.
    ///   - previous: What came of the same manifest and of the same providers before their values changed.
    init(
        manifest: FlagManifestContent?, snapshots: [ValuesSnapshot], showsInternal: Bool, previous: FlagCatalogue? = nil
    ) {
        let defined = manifest?.definitions ?? []
        let definedKeys = manifest?.definedKeys ?? []
        let inferred = Self.inferredDefinitions(in: snapshots, besides: definedKeys)
        if let previous, previous.infers(inferred) {
            self.init(previous, snapshots)
            return
        }
        let visible = defined.filter { showsInternal || !$0.metadata.isInternal } + inferred
        let groups = Set(visible.flatMap(\.key.ancestors))
        let collections = Dictionary(
            (manifest?.collections ?? []).filter { groups.contains($0.key) }.map { ($0.key, $0) },
            uniquingKeysWith: { first, _ in first })
        self.init(
            entries: FlagOrder(collections: collections).sorted(visible).map { definition in
                FlagEntry(
                    definition: definition, isDefined: definedKeys.contains(definition.key),
                    resolution: definition.resolve(in: snapshots),
                    revisions: Self.revisions(of: definition.key, in: snapshots))
            },
            collections: collections,
            providers: Self.summaries(of: snapshots))
    }

    /// The same flags with the values of now.
    ///
    /// Most flags are as before: what takes long, order, search and revisions, is taken over.
    private init(_ previous: FlagCatalogue, _ snapshots: [ValuesSnapshot]) {
        self.init(
            previous,
            entries: previous.entries.map { entry in
                let resolution = entry.definition.resolve(in: snapshots)
                guard resolution != entry.resolution else { return entry }
                return FlagEntry(
                    definition: entry.definition, isDefined: entry.isDefined, resolution: resolution,
                    revisions: Self.revisions(of: entry.key, in: snapshots))
            }, providers: Self.summaries(of: snapshots))
    }

    private static func summaries(of snapshots: [ValuesSnapshot]) -> [ProviderSummary] {
        snapshots.map {
            ProviderSummary(
                name: $0.name, description: $0.shortDescription, isWritable: $0.isWritable, problem: $0.problem)
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

    private static func revisions(
        of key: FlagKeyPath, in snapshots: [ValuesSnapshot]
    ) -> [String: FlagRevision] {
        var revisions: [String: FlagRevision] = [:]
        for snapshot in snapshots where snapshot.isWritable {
            if case .success(let stored) = Result(catching: { try snapshot.storedValue(at: key) }) {
                revisions[snapshot.name] = FlagRevision(of: stored)
            }
        }
        return revisions
    }

    private static func inferredDefinitions(
        in snapshots: [ValuesSnapshot], besides definedKeys: Set<FlagKeyPath>
    ) -> [FlagDefinition] {
        var found: [FlagKeyPath: FlagType] = [:]
        var groups = Set(definedKeys.flatMap(\.ancestors))
        for snapshot in snapshots {
            guard case .success(let held) = snapshot.content else { continue }
            let content = FlagValues(held.root, definedKeys: definedKeys)
            groups.formUnion(content.groups)
            found.merge(content.values.mapValues(FlagType.init(inferredFrom:))) { first, _ in first }
        }
        return found.filter { !definedKeys.contains($0.key) && !groups.contains($0.key) }
            .map { FlagDefinition(key: $0.key, type: $0.value) }
    }
}

/// The order in which flags are shown: each level of the tree by `order` where a definition has one, then by key.
struct FlagOrder {
    let collections: [FlagKeyPath: FlagCollectionDefinition]

    /// Sorts flags so that those of a group stand together.
    func sorted(_ definitions: [FlagDefinition]) -> [FlagDefinition] {
        definitions.map { (ranks(of: $0), $0) }
            .sorted { $0.0.lexicographicallyPrecedes($1.0) }
            .map(\.1)
    }

    private func ranks(of definition: FlagDefinition) -> [Rank] {
        let groups = definition.key.ancestors.map {
            Rank(isGroup: true, order: collections[$0]?.order ?? .max, name: $0.leaf)
        }
        let flag = Rank(
            isGroup: false, order: definition.metadata.order ?? .max, name: definition.key.leaf)
        return groups + [flag]
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
