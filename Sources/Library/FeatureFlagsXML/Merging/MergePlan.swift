import FeatureFlags

/// The edits that bring the changes of one version of a file into another.
struct MergePlan {
    struct Entry {
        let kind: FlagPlace.Kind
        let key: String
    }

    /// Entries of dictionaries to set or remove, none inside another.
    private(set) var changes: [PropertyListChange] = []
    /// Entries to add to a manifest's arrays, with the keys of those before them, nearest first.
    private(set) var additions: [(entry: Entry, fields: [String: FlagValue], behind: [String])] = []
    private(set) var removals: [Entry] = []
    private(set) var conflicts: [MergeConflict] = []
    private let dictionaryKeys: Set<FlagKeyPath>

    init(
        base: [String: FlagValue], ours: [String: FlagValue], theirs: [String: FlagValue],
        dictionaryKeys: Set<FlagKeyPath>
    ) {
        self.dictionaryKeys = dictionaryKeys
        let isManifest =
            FlagValue.dictionary(ours).isManifest && FlagValue.dictionary(theirs).isManifest
            && (base.isEmpty || FlagValue.dictionary(base).isManifest)
        for name in Self.names(base, ours, theirs) {
            if isManifest, let kind = FlagPlace.Kind.allCases.first(where: { $0.array == name }),
                let (base, ours, theirs) = Self.entries(base[name], ours[name], theirs[name])
            {
                merge(base, ours, theirs, kind)
            } else {
                merge(base[name], ours[name], theirs[name], at: [name])
            }
        }
    }

    private static func names(_ sides: [String: FlagValue]...) -> [String] {
        sides.reduce(into: Set<String>()) { $0.formUnion($1.keys) }.sorted(by: PropertyListWriter.precedes)
    }

    private mutating func merge(_ base: FlagValue?, _ ours: FlagValue?, _ theirs: FlagValue?, at path: [String]) {
        if ours == theirs || theirs == base { return }
        let steps = path.map(PathStep.key)
        if base == ours { return take(theirs, over: ours, at: steps) }
        let key = FlagKeyPath(components: path)
        guard !dictionaryKeys.contains(key), let groups = Self.groups(base, ours, theirs) else {
            let place = FlagPlace(value: key)
            conflicts.append(MergeConflict(place: place, base: MergeBase.told(base), ours: ours, theirs: theirs))
            return
        }
        // If they removed a group that is unchanged here, no empty one stays.
        if theirs == nil, let ours, let base, ours.isPart(of: base) { return take(nil, over: ours, at: steps) }
        for name in Self.names(groups.base, groups.ours, groups.theirs) {
            merge(groups.base[name], groups.ours[name], groups.theirs[name], at: path + [name])
        }
    }

    /// Returns the entries to merge one by one; a removed group has none.
    private static func groups(
        _ base: FlagValue?, _ ours: FlagValue?, _ theirs: FlagValue?
    ) -> (base: [String: FlagValue], ours: [String: FlagValue], theirs: [String: FlagValue])? {
        switch (base, ours, theirs) {
        case (.dictionary(let base)?, .dictionary(let ours)?, .dictionary(let theirs)?): (base, ours, theirs)
        case (_, .dictionary(let ours)?, .dictionary(let theirs)?): ([:], ours, theirs)
        case (.dictionary(let base)?, nil, .dictionary(let theirs)?): (base, [:], theirs)
        case (.dictionary(let base)?, .dictionary(let ours)?, nil): (base, ours, [:])
        default: nil
        }
    }

    /// Of two dictionaries, takes only the differences, so that the other bytes stay.
    private mutating func take(_ theirs: FlagValue?, over ours: FlagValue?, at path: [PathStep]) {
        switch (ours, theirs) {
        case _ where ours == theirs: break
        case (.dictionary(let old)?, .dictionary(let new)?):
            for name in Self.names(old, new) { take(new[name], over: old[name], at: path + [.key(name)]) }
        case (_, let theirs?): changes.append(PropertyListChange(path: path, kind: .set(theirs)))
        case (_, nil): changes.append(PropertyListChange(path: path, kind: .remove))
        }
    }

    private static func entries(
        _ base: FlagValue?, _ ours: FlagValue?, _ theirs: FlagValue?
    ) -> (base: ManifestEntries, ours: ManifestEntries, theirs: ManifestEntries)? {
        guard let base = ManifestEntries(base), let ours = ManifestEntries(ours), let theirs = ManifestEntries(theirs)
        else { return nil }
        return (base, ours, theirs)
    }

    private mutating func merge(
        _ base: ManifestEntries, _ ours: ManifestEntries, _ theirs: ManifestEntries, _ kind: FlagPlace.Kind
    ) {
        for (index, key) in ours.keys.enumerated() {
            merge(base[key], ours[key], theirs[key], FlagPlace(entry: key, of: kind), key, index)
        }
        for (index, key) in theirs.keys.enumerated() where ours[key] == nil && theirs[key] != base[key] {
            let place = FlagPlace(entry: key, of: kind)
            if base[key] == nil, let fields = theirs[key] {
                additions.append((Entry(kind: kind, key: key), fields, theirs.keys[..<index].reversed()))
            } else {
                note(base[key], nil, theirs[key], at: place)
            }
        }
    }

    private mutating func merge(
        _ base: [String: FlagValue]?, _ ours: [String: FlagValue]?, _ theirs: [String: FlagValue]?,
        _ place: FlagPlace, _ key: String, _ index: Int
    ) {
        if ours == theirs || theirs == base { return }
        guard let ours, let theirs, let array = place.kind.array else {
            if ours == base {
                removals.append(Entry(kind: place.kind, key: key))
            } else {
                note(base, ours, theirs, at: place)
            }
            return
        }
        let fields = MergedFields(base: base ?? [:], ours: ours, theirs: theirs)
        // Both definitions were valid, but the merged one is not, as with a default of the other type.
        if place.kind == .definition, fields.isUnlikeBoth { return note(base, ours, theirs, at: place) }
        for name in fields.taken {
            take(theirs[name], over: ours[name], at: [.key(array), .index(index), .key(name)])
        }
        for name in fields.disputed {
            let place = FlagPlace(entry: key, of: place.kind, field: name)
            conflicts.append(
                MergeConflict(
                    place: place, base: MergeBase.told(base?[name]), ours: ours[name], theirs: theirs[name]))
        }
    }

    private mutating func note(
        _ base: [String: FlagValue]?, _ ours: [String: FlagValue]?, _ theirs: [String: FlagValue]?, at place: FlagPlace
    ) {
        conflicts.append(
            MergeConflict(
                place: place, base: MergeBase.told(base.map { .dictionary($0) }), ours: ours.map { .dictionary($0) },
                theirs: theirs.map { .dictionary($0) }))
    }
}

private struct MergedFields {
    private(set) var taken: [String] = []
    private(set) var disputed: [String] = []
    /// Set if the merged entry is invalid, while both sides' are valid.
    private(set) var isUnlikeBoth = false

    init(base: [String: FlagValue], ours: [String: FlagValue], theirs: [String: FlagValue]) {
        var merged = ours
        for name in Set(ours.keys).union(theirs.keys).sorted(by: PropertyListWriter.precedes) {
            let (old, our, their) = (base[name], ours[name], theirs[name])
            if our == their || their == old { continue }
            guard our == old else {
                disputed.append(name)
                continue
            }
            taken.append(name)
            merged[name] = their
        }
        isUnlikeBoth =
            FlagDefinition(manifestEntry: merged) == nil && FlagDefinition(manifestEntry: ours) != nil
            && FlagDefinition(manifestEntry: theirs) != nil
    }
}

extension FlagValue {
    fileprivate func isPart(of other: FlagValue) -> Bool {
        guard case .dictionary(let mine) = self, case .dictionary(let others) = other else { return self == other }
        return mine.allSatisfy { name, value in others[name].map(value.isPart(of:)) ?? false }
    }
}

/// The place of a value: a flag of a values file, or a field of a flag's or a group's entry in a manifest.
package struct FlagPlace: Hashable, Sendable {
    package enum Kind: Hashable, Sendable, CaseIterable {
        case value
        case definition
        case collection

        var array: String? {
            switch self {
            case .value: nil
            case .definition: "flags"
            case .collection: "collections"
            }
        }
    }

    package let kind: Kind
    package let key: FlagKeyPath
    package let field: String?

    package init(value key: FlagKeyPath) {
        (kind, self.key, field) = (.value, key, nil)
    }

    /// Creates the place of an entry with a `key`, or of a field of it.
    init(entry text: String, of kind: Kind, field: String? = nil) {
        key = FlagKeyPath(longText: text) ?? FlagKeyPath(components: [text])
        self.kind = kind
        self.field = field
    }

    /// The place in words: `checkout/limit`, `checkout/limit description`, `group checkout name`.
    package var text: String {
        [kind == .collection ? "group" : nil, key.text, field].compactMap(\.self).joined(separator: " ")
    }

    package var absence: String {
        switch kind {
        case .definition where field == nil: "no definition"
        case .collection where field == nil: "no group"
        default: "no value"
        }
    }
}

extension FlagPlace: Comparable {
    package static func < (left: FlagPlace, right: FlagPlace) -> Bool {
        if left.kind != right.kind { return left.rank < right.rank }
        if left.key != right.key { return left.key < right.key }
        return (left.field ?? "") < (right.field ?? "")
    }

    private var rank: Int { Kind.allCases.firstIndex(of: kind) ?? 0 }
}
