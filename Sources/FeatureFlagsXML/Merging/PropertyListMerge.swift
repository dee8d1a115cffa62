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
        for place in plan.removals {
            guard let array = place.kind.array, case .index(let index)? = document.path(of: place)?.last else {
                continue
            }
            document = try document.removing(element: index, of: array, for: place.key)
        }
        for addition in plan.additions {
            guard let array = addition.place.kind.array else { continue }
            document = try document.inserting(
                .dictionary(addition.fields), behind: document.place(behind: addition.behind, addition.place.kind),
                of: array, for: addition.place.key)
        }
        self.document = document
        conflicts = plan.conflicts.sorted { $0.place < $1.place }
    }
}

extension PropertyListDocument {
    /// The place of the first of some entries that there is in an array of a manifest.
    fileprivate func place(behind keys: [String], _ kind: FlagPlace.Kind) -> Int? {
        for key in keys {
            if case .index(let index)? = path(of: FlagPlace(entry: key, of: kind))?.last { return index }
        }
        return nil
    }
}
