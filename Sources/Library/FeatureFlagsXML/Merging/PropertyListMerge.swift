import FeatureFlags

/// Three versions of a values file or a manifest, merged flag by flag.
///
/// Changes of different flags, or of different fields of a definition, don't conflict. The result is one version with
/// the changes of the other; all other bytes stay, so the other's changes of comments, order and layout are lost.
package struct PropertyListMerge: Sendable {
    package let document: PropertyListDocument
    package let conflicts: [MergeConflict]

    /// Merges two versions; a dictionary in `dictionaryKeys` is a single value, so changes on both sides conflict.
    package init(
        base: PropertyListDocument, ours: PropertyListDocument, theirs: PropertyListDocument,
        dictionaryKeys: Set<FlagKeyPath> = []
    ) throws(PropertyListEditError) {
        guard case .dictionary(let old) = MergeBase(base, of: ours, theirs).root,
            case .dictionary(let mine) = ours.root,
            case .dictionary(let others) = theirs.root
        else { throw PropertyListEditError(.notStorable("the root of a version is not a dictionary"), key: nil) }
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

package struct MergeConflict: Hashable, Sendable {
    package let place: FlagPlace
    package let base: FlagValue?
    package let ours: FlagValue?
    package let theirs: FlagValue?
}
