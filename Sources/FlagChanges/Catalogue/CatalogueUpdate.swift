import FeatureFlags
import FeatureFlagsXML

/// What becomes of a catalogue when the files hold other values under the same definitions: only the flags that the changed
/// key paths reach are worked out again.
struct CatalogueUpdate {
    let manifest: FlagManifestContent?
    /// The providers as they were when the catalogue was made.
    let old: [ValuesSnapshot]
    /// The providers as they are now.
    let new: [ValuesSnapshot]

    /// More changed key paths than one in so many flags are sooner met by making the catalogue anew.
    private static let flagsForKey = 4

    /// The catalogue of the new values.
    ///
    /// - Parameter catalogue: The catalogue of the old values.
    /// - Returns: `nil` where all of it is to be made anew: a file can't be read, much has changed, or a group has come or gone.
    func applied(to catalogue: FlagCatalogue) -> FlagCatalogue? {
        guard let keys = changedKeys, keys.count <= catalogue.entries.count / Self.flagsForKey + 1 else { return nil }
        var entries: [FlagKeyPath: FlagEntry?] = [:]
        // Why a provider can't be asked is told with the line, which any edit may move.
        for key in flags(reachedFrom: keys).union(catalogue.blocked) {
            let before = catalogue[key]
            let after = entry(of: key, after: before)
            if !isSame(before, after) { entries[key] = .some(after) }
        }
        return catalogue.replacing(entries, collections: manifest?.collections ?? [])
    }

    /// The key paths at which a provider holds something else; `nil` where that can't be told.
    private var changedKeys: Set<FlagKeyPath>? {
        guard old.map(\.name) == new.map(\.name) else { return nil }
        var keys: Set<FlagKeyPath> = []
        for (old, new) in zip(old, new) {
            guard case .success(.file(let before)) = old.content, case .success(.file(let after)) = new.content else {
                return nil
            }
            keys.formUnion(after.changedKeys(since: before))
        }
        return keys
    }

    /// The flags whose values, or whose being flags at all, may follow from what is at some key paths.
    private func flags(reachedFrom keys: Set<FlagKeyPath>) -> Set<FlagKeyPath> {
        var flags: Set<FlagKeyPath> = []
        for key in keys {
            flags.formUnion(([key] + key.ancestors).filter { manifest?.defines($0) == true })
            flags.formUnion(manifest?.keys(inside: key) ?? [])
            for snapshot in old + new {
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
            resolution: definition.resolve(in: new, after: known),
            writable: FlagCatalogue.writable(of: new), unknownFields: previous?.unknownFields ?? [])
    }

    /// The flag that a value without a definition is; `nil` where it is none.
    private func inferredDefinition(of key: FlagKeyPath) -> FlagDefinition? {
        guard manifest?.isGroup(key) != true else { return nil }
        var definition: FlagDefinition?
        for snapshot in new {
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
    /// - Parameters:
    ///   - replaced: The entries, `nil` for a flag that is none any more.
    ///   - definitions: The groups that have a definition.
    /// - Returns: `nil` where a group that has a definition holds its first flag now, or none any more.
    fileprivate func replacing(
        _ replaced: [FlagKeyPath: FlagEntry?], collections definitions: [FlagCollectionDefinition]
    ) -> FlagCatalogue? {
        var entries = entries
        var blocked = blocked
        var splice = ListSplice()
        var inserted: [FlagEntry] = []
        for (key, entry) in replaced {
            blocked.remove(key)
            if let entry, entry.isBlocked { blocked.insert(key) }
            switch (places[key], entry) {
            case (let place?, let entry?): entries[place] = entry
            case (let place?, nil): splice.removed.append(place)
            case (nil, let entry?): inserted.append(entry)
            case (nil, nil): break
            }
        }
        guard !splice.removed.isEmpty || !inserted.isEmpty else {
            return FlagCatalogue(self, entries: entries, blocked: blocked)
        }
        let order = FlagOrder(collections: collections)
        inserted.sort { order.precedes($0.definition, $1.definition) }
        splice.removed.sort()
        splice.inserted = inserted.map { entry in
            entries.partitioningIndex { order.precedes(entry.definition, $0.definition) }
        }
        let removed = splice.removed.map { entries[$0].key }
        entries = FlagEntries(splice.applied(to: Array(entries), inserting: inserted))
        let next = FlagCatalogue(self, entries: entries, blocked: blocked, splice: splice, inserted: inserted)
        let defined = Set(definitions.map(\.key))
        let groups = Set(inserted.flatMap(\.key.ancestors)).intersection(defined)
        guard groups.isSubset(of: collections.keys) else { return nil }
        let emptied = Set(removed.flatMap(\.ancestors)).intersection(collections.keys)
        return emptied.allSatisfy(next.holdsFlag(in:)) ? next : nil
    }
}
