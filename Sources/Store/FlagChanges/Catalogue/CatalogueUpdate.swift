import FeatureFlags
import FeatureFlagsXML

/// What becomes of a catalogue when the files hold other values, or some flags have other definitions: only the flags
/// that the changes reach are worked out again.
struct CatalogueUpdate {
    /// What a catalogue is made of.
    struct State {
        /// The definitions; `nil` where there is no manifest.
        let manifest: FlagManifest?
        /// The providers, in order of precedence.
        let snapshots: [ValuesSnapshot]
    }

    private let before: State
    private let now: State
    private let showsInternal: Bool
    private var manifest: FlagManifestContent? { now.manifest?.content }

    /// - Parameters:
    ///   - before: What the catalogue was made of.
    ///   - now: What it is to be made of.
    ///   - showsInternal: Whether internal flags are let in.
    init(from before: State, to now: State, showsInternal: Bool) {
        (self.before, self.now) = (before, now)
        self.showsInternal = showsInternal
    }

    /// More changed flags than one in so many are sooner met by making the catalogue anew.
    private static let flagsForChange = 4

    /// The catalogue as it is now.
    ///
    /// - Parameter catalogue: The catalogue as it was before.
    /// - Returns: `nil` where all of it is to be made anew: a file can't be read, much has changed, or a definition or a group
    ///   has come or gone.
    func applied(to catalogue: FlagCatalogue) -> FlagCatalogue? {
        guard let redefined = redefinedKeys.map(Set.init), let changed = changedKeys,
            redefined.count + changed.count <= catalogue.entries.count / Self.flagsForChange + 1
        else { return nil }
        var entries: [FlagKeyPath: FlagEntry?] = [:]
        // Why a provider can't be asked is told with the line, which any edit may move.
        for key in flags(reachedFrom: changed).union(catalogue.blocked).union(redefined) {
            let before = catalogue[key]
            let isRedefined = redefined.contains(key)
            let after = isRedefined ? redefinedEntry(of: key) : entry(of: key, after: before)
            if isRedefined || !isSame(before, after) { entries[key] = .some(after) }
        }
        // A list of all of these is told beside the flags.
        let isMistaken = redefined.contains { key in
            [catalogue[key], entries[key] ?? nil].contains {
                $0?.unknownFields.contains { $0.intention != nil } == true
            }
        }
        return isMistaken ? nil : catalogue.replacing(entries, collections: manifest?.collections ?? [])
    }

    /// The flags whose definitions are others; `nil` where definitions have come or gone, or those of groups are others.
    private var redefinedKeys: [FlagKeyPath]? {
        switch (before.manifest, now.manifest) {
        case (nil, nil): []
        case (let before?, let now?): now.redefinedKeys(since: before)
        default: nil
        }
    }

    /// The key paths at which a provider holds something else; `nil` where that can't be told.
    private var changedKeys: Set<FlagKeyPath>? {
        guard before.snapshots.map(\.name) == now.snapshots.map(\.name) else { return nil }
        var keys: Set<FlagKeyPath> = []
        for (old, new) in zip(before.snapshots, now.snapshots) {
            if !old.isFile, !new.isFile, old.isSame(as: new) { continue }
            guard case .success(.file(let before)) = old.content, case .success(.file(let after)) = new.content else {
                return nil
            }
            keys.formUnion(after.changedKeys(since: before))
            if old.broken != new.broken {
                keys.formUnion(Set(old.broken.keys).union(new.broken.keys).filter { old.broken[$0] != new.broken[$0] })
            }
        }
        return keys
    }

    /// The flags whose values, or whose being flags at all, may follow from what is at some key paths.
    private func flags(reachedFrom keys: Set<FlagKeyPath>) -> Set<FlagKeyPath> {
        var flags: Set<FlagKeyPath> = []
        for key in keys {
            flags.formUnion(([key] + key.ancestors).filter { manifest?.defines($0) == true })
            flags.formUnion(manifest?.keys(inside: key) ?? [])
            for snapshot in before.snapshots + now.snapshots {
                tree(of: snapshot)?.forEach(at: key) { found, place in
                    if case .value(_, isDefined: true) = place { return }
                    flags.insert(found)
                }
            }
        }
        return flags
    }

    private func entry(of key: FlagKeyPath, after previous: FlagEntry?) -> FlagEntry? {
        let definition: FlagDefinition
        if manifest?.defines(key) == true {
            // Without an entry, it is internal.
            guard let previous else { return nil }
            definition = previous.definition
        } else {
            guard let inferred = inferredDefinition(of: key) else { return nil }
            definition = inferred
        }
        // What a value came to as another type says nothing.
        let known = previous?.definition.type == definition.type ? previous?.resolution : nil
        return FlagEntry(
            definition: definition, isDefined: previous?.isDefined ?? false,
            resolution: definition.resolve(in: now.snapshots, after: known),
            writable: WritableProviders(now.snapshots)[key], unknownFields: previous?.unknownFields ?? [])
    }

    /// The flag of a definition that is another than before; `nil` where it is not to be seen.
    private func redefinedEntry(of key: FlagKeyPath) -> FlagEntry? {
        guard let manifest = now.manifest, let definition = manifest.definition(of: key),
            showsInternal || !definition.metadata.isInternal
        else { return nil }
        return FlagEntry(
            definition: definition, isDefined: true, resolution: definition.resolve(in: now.snapshots),
            writable: WritableProviders(now.snapshots)[key], unknownFields: manifest.unknownFields(of: key))
    }

    /// The flag that a value without a definition is; `nil` where it is none.
    private func inferredDefinition(of key: FlagKeyPath) -> FlagDefinition? {
        guard manifest?.isGroup(key) != true else { return nil }
        var definition: FlagDefinition?
        for snapshot in now.snapshots.filter(\.isAsked) + now.snapshots.filter({ !$0.isAsked }) {
            // Another environment adds flags, and takes none away.
            if !snapshot.isAsked, let definition { return definition }
            var isGroup = false
            tree(of: snapshot)?.forEach(at: key) { found, place in
                guard found == key else { return }
                switch place {
                case .group: isGroup = true
                case .value(let value, _):
                    definition = definition ?? FlagDefinition(key: found, type: FlagType(inferredFrom: value))
                }
            }
            if isGroup { return nil }
        }
        return definition
    }

    private func tree(of snapshot: ValuesSnapshot) -> ValueTree? {
        guard case .success(let held) = snapshot.content else { return nil }
        return ValueTree(held, isDefined: { manifest?.defines($0) == true })
    }

    private func isSame(_ left: FlagEntry?, _ right: FlagEntry?) -> Bool {
        guard let left, let right else { return left == nil && right == nil }
        return left == right && left.key.text.utf8.elementsEqual(right.key.text.utf8)
    }
}

extension FlagCatalogue {
    /// The catalogue with other entries of some flags.
    ///
    /// - Parameter replaced: The entries, `nil` for a flag that is none any more.
    /// - Returns: `nil` where a group that has a definition holds its first flag now, or none any more.
    fileprivate func replacing(
        _ replaced: [FlagKeyPath: FlagEntry?], collections definitions: [FlagCollectionDefinition]
    ) -> FlagCatalogue? {
        var entries = entries
        var blocked = blocked
        var splice = ListSplice()
        var inserted: [FlagEntry] = []
        var retold: [(place: Int, entry: FlagEntry)] = []
        for (key, entry) in replaced {
            blocked.remove(key)
            if let entry, entry.isBlocked { blocked.insert(key) }
            switch (places[key], entry) {
            case (let place?, let entry?):
                let (old, new) = (entries[place].definition, entry.definition)
                if old.metadata.order != new.metadata.order {
                    splice.removed.append(place)
                    inserted.append(entry)
                } else {
                    entries[place] = entry
                    if FoldedTexts.fields(of: old) != FoldedTexts.fields(of: new) { retold.append((place, entry)) }
                }
            case (let place?, nil): splice.removed.append(place)
            case (nil, let entry?): inserted.append(entry)
            case (nil, nil): break
            }
        }
        let told = searching(retold)
        guard !splice.removed.isEmpty || !inserted.isEmpty else {
            return FlagCatalogue(self, entries: entries, blocked: blocked, searchIndex: told)
        }
        let order = FlagOrder(collections: collections)
        inserted.sort { order.precedes($0.definition, $1.definition) }
        splice.removed.sort()
        splice.inserted = inserted.map { entry in
            entries.partitioningIndex { order.precedes(entry.definition, $0.definition) }
        }
        let removed = splice.removed.map { entries[$0].key }
        entries = FlagEntries(splice.applied(to: Array(entries), inserting: inserted))
        let next = FlagCatalogue(
            self, entries: entries, blocked: blocked, splice: splice, inserted: inserted, searchIndex: told)
        let defined = Set(definitions.map(\.key))
        let groups = Set(inserted.flatMap(\.key.ancestors)).intersection(defined)
        guard groups.isSubset(of: collections.keys) else { return nil }
        let emptied = Set(removed.flatMap(\.ancestors)).intersection(collections.keys)
        return emptied.allSatisfy(next.holdsFlag(in:)) ? next : nil
    }

    /// What the flags are searched by, once some in the same places are told of otherwise.
    private func searching(_ retold: [(place: Int, entry: FlagEntry)]) -> FlagSearchIndex {
        guard !retold.isEmpty else { return searchIndex }
        let retold = retold.sorted { $0.place < $1.place }
        let splice = ListSplice(removed: retold.map(\.place), inserted: retold.map(\.place))
        return searchIndex.changed(by: splice, inserting: retold.map(\.entry), collections)
    }
}
