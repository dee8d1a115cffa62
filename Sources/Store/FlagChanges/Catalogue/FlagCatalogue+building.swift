import FeatureFlags
import FeatureFlagsXML

extension FlagCatalogue {
    /// Joins definitions with the providers' values.
    ///
    /// Each undefined value becomes a flag of an inferred type, but not one above a definition or in place of another
    /// provider's group, since it would represent the whole group. An unreadable file keeps its last values. `previous`
    /// is the catalogue before values of the same providers changed.
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
        if let manifest, manifest.hasNeighbours { visible = visible.map(manifest.placed) }
        let collections = Self.collections(of: manifest, above: visible)
        let fields = Dictionary(grouping: unknownFields(), by: \.owner)
        let writable = WritableProviders(snapshots)
        let order = FlagOrder(collections, manifest)
        self.init(
            entries: order.sorted(visible).map { definition in
                FlagEntry(
                    definition: definition, isDefined: manifest?.defines(definition.key) == true,
                    resolution: definition.resolve(in: snapshots), writable: writable[definition.key],
                    unknownFields: fields[.flag(definition.key)] ?? [])
            },
            collections: collections,
            providers: Self.summaries(of: snapshots), order: order,
            mistakenFields: Self.mistakes(in: fields, visible, collections))
    }

    /// Keeps order and search of the same flags, and resolves their values again.
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

    private static func mistakes(
        in fields: [UnknownField.Owner: [UnknownField]], _ definitions: [FlagDefinition],
        _ collections: [FlagKeyPath: FlagCollectionDefinition]
    ) -> [UnknownField] {
        guard !fields.isEmpty else { return [] }
        let groups = collections.keys.sorted().map(UnknownField.Owner.collection)
        let owners = [.manifest] + definitions.map { UnknownField.Owner.flag($0.key) } + groups
        return owners.flatMap { fields[$0] ?? [] }.filter { $0.intention != nil }
    }

    private static func collections(
        of manifest: FlagManifestContent?, above definitions: [FlagDefinition]
    ) -> [FlagKeyPath: FlagCollectionDefinition] {
        guard let collections = manifest?.collections, !collections.isEmpty else { return [:] }
        let groups = Set(definitions.flatMap(\.groups))
        return Dictionary(
            collections.filter { groups.contains($0.key) }.map { ($0.key, $0) }, uniquingKeysWith: { first, _ in first }
        )
    }

    private static func summaries(of snapshots: [ValuesSnapshot]) -> [ProviderSummary] {
        snapshots.map {
            ProviderSummary(
                name: $0.name, description: $0.shortDescription, isWritable: $0.isWritable, problem: $0.problem,
                isFile: $0.isFile, isAsked: $0.isAsked, connectedApp: $0.connectedApp, unreadFlags: $0.unreadFlags)
        }
    }

    private func infers(_ definitions: [FlagDefinition]) -> Bool {
        let known = entries.lazy.filter { !$0.isDefined }.map(\.definition)
        guard known.count == definitions.count else { return false }
        return definitions.allSatisfy { definition in
            guard let same = self[definition.key], !same.isDefined else { return false }
            return same.definition.type == definition.type
                && same.key.text.utf8.elementsEqual(definition.key.text.utf8)
        }
    }

    /// Infers flags in the order of the files, which is often sorted already.
    ///
    /// Flags of other environments don't hide those of this one.
    private static func inferredDefinitions(
        in snapshots: [ValuesSnapshot], besides manifest: FlagManifestContent?
    ) -> [FlagDefinition] {
        let here = InferredFlags(in: snapshots.filter(\.isAsked), besides: manifest)
        let elsewhere = snapshots.filter { !$0.isAsked }
        guard !elsewhere.isEmpty else { return here.definitions }
        return here.definitions + InferredFlags(in: elsewhere, besides: manifest).definitions.filter(here.hasRoom)
    }
}

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

    func hasRoom(for definition: FlagDefinition) -> Bool {
        !keys.contains(definition.key) && !groups.contains(definition.key)
            && !definition.key.ancestors.contains(where: keys.contains)
    }
}

/// The display order: each level of the tree by `order`, then by place in the manifest, then by key.
package struct FlagOrder: Sendable {
    private let collections: [FlagKeyPath: FlagCollectionDefinition]
    private let manifest: FlagManifestContent?

    package init(
        _ collections: [FlagKeyPath: FlagCollectionDefinition] = [:], _ manifest: FlagManifestContent? = nil
    ) {
        (self.collections, self.manifest) = (collections, manifest)
    }

    func sorted(_ definitions: [FlagDefinition]) -> [FlagDefinition] {
        // Sorts indices, since a definition is large to move.
        var known: [FlagKeyPath: [Rank]] = [:]
        let ranks = definitions.map { self.ranks(of: $0, &known) }
        return definitions.indices.sorted { Self.precedes(ranks[$0], ranks[$1]) }.map { definitions[$0] }
    }

    func precedes(_ left: FlagDefinition, _ right: FlagDefinition) -> Bool {
        var known: [FlagKeyPath: [Rank]] = [:]
        return Self.precedes(ranks(of: left, &known), ranks(of: right, &known))
    }

    private func ranks(of definition: FlagDefinition, _ known: inout [FlagKeyPath: [Rank]]) -> [Rank] {
        let flag = Rank(
            isGroup: false, order: definition.metadata.order ?? .max,
            place: manifest?.place(of: definition.key) ?? .max, name: definition.key.leaf)
        guard let group = definition.group ?? definition.key.parent else { return [flag] }
        return ranks(ofGroup: group, &known) + [flag]
    }

    private func ranks(ofGroup group: FlagKeyPath, _ known: inout [FlagKeyPath: [Rank]]) -> [Rank] {
        if let ranks = known[group] { return ranks }
        let rank = Rank(
            isGroup: true, order: collections[group]?.order ?? .max, place: manifest?.place(ofGroup: group) ?? .max,
            name: group.leaf)
        let ranks = (group.parent.map { self.ranks(ofGroup: $0, &known) } ?? []) + [rank]
        known[group] = ranks
        return ranks
    }

    private static func precedes(_ left: [Rank], _ right: [Rank]) -> Bool {
        for (left, right) in zip(left, right) where left != right { return left < right }
        return left.count < right.count
    }

    /// A position among siblings; flags precede groups.
    private struct Rank: Comparable {
        let isGroup: Bool
        let order: Int
        let place: Int
        let name: String

        static func < (left: Rank, right: Rank) -> Bool {
            if left.isGroup != right.isGroup { return !left.isGroup }
            if left.order != right.order { return left.order < right.order }
            if left.place != right.place { return left.place < right.place }
            // UTF-8 sorts like Unicode scalars.
            return left.name.utf8.lexicographicallyPrecedes(right.name.utf8)
        }
    }
}
