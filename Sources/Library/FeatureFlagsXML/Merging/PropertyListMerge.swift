import FeatureFlags

/// Three versions of a values file or a manifest, merged flag by flag.
///
/// Changes of different flags, or of different fields of a definition, don't conflict, wherever they stand in the file. The
/// outcome is one version with the changes of the other one in it: only the bytes of what these change are others. Comments,
/// order and layout that the other version changed are not taken over.
package struct PropertyListMerge: Sendable {
    /// Our version with their changes; where both changed the same, each in another way, ours stays.
    package let document: PropertyListDocument
    /// What both changed, each in another way, in the order of the places.
    package let conflicts: [MergeConflict]

    /// Merges.
    ///
    /// - Parameters:
    ///   - base: The version that both others come from.
    ///   - ours: The version that is merged into.
    ///   - theirs: The version that is merged.
    ///   - dictionaryKeys: The flags whose value is a dictionary, which is one value: changes of it on both sides conflict.
    /// - Throws: Where the changes can't be made, since the root of a version is no dictionary, for one.
    package init(
        base: PropertyListDocument, ours: PropertyListDocument, theirs: PropertyListDocument,
        dictionaryKeys: Set<FlagKeyPath> = []
    ) throws(PropertyListEditError) {
        guard case .dictionary(let old) = MergeBase(base, of: ours, theirs).root,
            case .dictionary(let mine) = ours.root,
            case .dictionary(let others) = theirs.root
        else { throw PropertyListEditError(.notStorable("the root of a version is no dictionary"), key: nil) }
        let plan = MergePlan(base: old, ours: mine, theirs: others, dictionaryKeys: dictionaryKeys)
        var document = try ours.changing(plan.changes, for: nil)
        var keys = Dictionary(
            uniqueKeysWithValues: FlagPlace.Kind.allCases.map { kind in
                (kind, kind.array.flatMap { ManifestEntries(mine[$0])?.keys } ?? [])
            })
        for entry in plan.removals {
            guard let array = entry.kind.array, let index = keys[entry.kind]?.firstIndex(of: entry.key) else {
                continue
            }
            let key = FlagPlace(entry: entry.key, of: entry.kind).key
            document = try document.removing(element: index, of: array, for: key)
            keys[entry.kind]?.remove(at: index)
        }
        for (entry, fields, behind) in plan.additions {
            guard let array = entry.kind.array, let known = keys[entry.kind] else { continue }
            let key = FlagPlace(entry: entry.key, of: entry.kind).key
            let index = behind.lazy.compactMap { known.firstIndex(of: $0) }.first
            document = try document.inserting(.dictionary(fields), behind: index, of: array, for: key)
            keys[entry.kind]?.insert(entry.key, at: index.map { $0 + 1 } ?? known.count)
        }
        self.document = document
        conflicts = plan.conflicts.sorted { $0.place < $1.place }
    }
}

/// A place that two versions of a file changed, each in another way.
package struct MergeConflict: Hashable, Sendable {
    /// Where.
    package let place: FlagPlace
    /// What stood there before both; `nil` where nothing did.
    package let base: FlagValue?
    /// What stands there in the version that is merged into; it stays.
    package let ours: FlagValue?
    /// What stands there in the version that is merged.
    package let theirs: FlagValue?
}
