import FeatureFlags
import FeatureFlagsXML

struct CatalogueUpdate {
    struct State {
        let manifest: FlagManifest?
        let snapshots: [ValuesSnapshot]
    }

    private let before: State
    private let now: State
    private let showsInternal: Bool
    private var manifest: FlagManifestContent? { now.manifest?.content }

    init(from before: State, to now: State, showsInternal: Bool) {
        (self.before, self.now) = (before, now)
        self.showsInternal = showsInternal
    }

    /// With more than a quarter of the flags changed, a new catalogue is faster.
    private static let flagsForChange = 4

    /// Returns the updated catalogue.
    ///
    /// `nil` if much has changed, a file can't be read, or a definition or a group was added or removed.
    func applied(to catalogue: FlagCatalogue) -> FlagCatalogue? {
        guard let redefined = redefinedKeys.map(Set.init), let changed = changedKeys,
            redefined.count + changed.count <= catalogue.entries.count / Self.flagsForChange + 1
        else { return nil }
        var entries: [FlagKeyPath: FlagEntry?] = [:]
        // An edit may move the line that a broken value's problem names.
        for key in flags(reachedFrom: changed).union(catalogue.blocked).union(redefined) {
            let before = catalogue[key]
            let isRedefined = redefined.contains(key)
            let after = isRedefined ? redefinedEntry(of: key) : entry(of: key, after: before)
            if isRedefined || !isSame(before, after) { entries[key] = .some(after) }
        }
        // `replacing` doesn't update the catalogue's list of mistaken fields.
        let isMistaken = redefined.contains { key in
            [catalogue[key], entries[key] ?? nil].contains {
                $0?.unknownFields.contains { $0.intention != nil } == true
            }
        }
        return isMistaken ? nil : catalogue.replacing(entries, described: manifest?.collections ?? [])
    }

    /// The redefined flags; `nil` if definitions were added, removed or moved to another group, or those of groups
    /// changed.
    private var redefinedKeys: [FlagKeyPath]? {
        switch (before.manifest, now.manifest) {
        case (nil, nil): []
        case (let before?, let now?):
            now.redefinedKeys(since: before).flatMap { keys in
                keys.allSatisfy { before.definition(of: $0)?.group == now.definition(of: $0)?.group } ? keys : nil
            }
        default: nil
        }
    }

    /// `nil` if unknown.
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
            // A defined flag without an entry is internal.
            guard let previous else { return nil }
            definition = previous.definition
        } else {
            guard let inferred = inferredDefinition(of: key) else { return nil }
            definition = inferred
        }
        // A resolution for another type can't be reused.
        let known = previous?.definition.type == definition.type ? previous?.resolution : nil
        return FlagEntry(
            definition: definition, isDefined: previous?.isDefined ?? false,
            resolution: definition.resolve(in: now.snapshots, after: known),
            writable: WritableProviders(now.snapshots)[key], unknownFields: previous?.unknownFields ?? [])
    }

    /// Returns `nil` for a hidden flag.
    private func redefinedEntry(of key: FlagKeyPath) -> FlagEntry? {
        guard let manifest = now.manifest, let found = manifest.definition(of: key),
            showsInternal || !found.metadata.isInternal
        else { return nil }
        let definition = manifest.content.placed(found)
        return FlagEntry(
            definition: definition, isDefined: true, resolution: definition.resolve(in: now.snapshots),
            writable: WritableProviders(now.snapshots)[key], unknownFields: manifest.unknownFields(of: key))
    }

    private func inferredDefinition(of key: FlagKeyPath) -> FlagDefinition? {
        guard manifest?.isGroup(key) != true else { return nil }
        var definition: FlagDefinition?
        for snapshot in now.snapshots.filter(\.isAsked) + now.snapshots.filter({ !$0.isAsked }) {
            // Another environment adds flags, and hides none.
            if !snapshot.isAsked, definition != nil { break }
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
        return definition.map { manifest?.placed($0) ?? $0 }
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
    /// Replaces entries; `nil` removes one.
    ///
    /// Returns `nil` if a described group gains its first flag or loses its last.
    fileprivate func replacing(
        _ replaced: [FlagKeyPath: FlagEntry?], described: [FlagCollectionDefinition]
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
        inserted.sort { order.precedes($0.definition, $1.definition) }
        splice.removed.sort()
        splice.inserted = inserted.map { entry in
            entries.partitioningIndex { order.precedes(entry.definition, $0.definition) }
        }
        let removed = splice.removed.map { entries[$0].definition }
        entries = FlagEntries(splice.applied(to: Array(entries), inserting: inserted))
        let next = FlagCatalogue(
            self, entries: entries, blocked: blocked, splice: splice, inserted: inserted, searchIndex: told)
        let groups = Set(inserted.flatMap(\.definition.groups)).intersection(described.map(\.key))
        guard groups.isSubset(of: collections.keys) else { return nil }
        let emptied = Set(removed.flatMap(\.groups)).intersection(collections.keys)
        return emptied.allSatisfy(next.shows) ? next : nil
    }

    private func searching(_ retold: [(place: Int, entry: FlagEntry)]) -> FlagSearchIndex {
        guard !retold.isEmpty else { return searchIndex }
        let retold = retold.sorted { $0.place < $1.place }
        let splice = ListSplice(removed: retold.map(\.place), inserted: retold.map(\.place))
        return searchIndex.changed(by: splice, inserting: retold.map(\.entry), collections)
    }
}
