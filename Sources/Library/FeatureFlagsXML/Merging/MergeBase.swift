import FeatureFlags

/// The common ancestor of two versions.
///
/// Of several nearest ones, git merges those first. A value in conflict there has no common ancestor: the side that
/// happened to stay must not count as unchanged.
struct MergeBase {
    /// A placeholder for such a value; no file can hold it.
    private static let unknown = FlagValue.string("\0")

    let root: FlagValue

    init(_ base: PropertyListDocument, of ours: PropertyListDocument, _ theirs: PropertyListDocument) {
        // A comment in all three versions was left by a person, and does not concern this merge.
        let known = Set(ours.comments).intersection(theirs.comments)
        let comments = base.comments.filter { $0.hasPrefix(PropertyListMerge.opening) && !known.contains($0) }
        guard !comments.isEmpty else {
            root = base.root
            return
        }
        let writer = base.writer
        let places = [base, ours, theirs].reduce(into: Set<FlagPlace>()) { $0.formUnion($1.conflictPlaces) }
        root = places.sorted().reduce(base.root) { root, place in
            let title = PropertyListMerge.title(place, writer).utf8
            let isUnknown = comments.contains { comment in
                comment.utf8.starts(with: title)
                    && comment.utf8.dropFirst(title.count).first.map(Byte.isLineBreak) == true
            }
            return isUnknown ? Self.forgetting(place, in: root) : root
        }
    }

    /// Returns a value for display in a conflict, or `nil` if it is absent or partly unknown.
    static func told(_ value: FlagValue?) -> FlagValue? { value.flatMap { isKnown($0) ? $0 : nil } }

    private static func isKnown(_ value: FlagValue) -> Bool {
        guard case .dictionary(let entries) = value else { return value != unknown }
        return entries.values.allSatisfy(isKnown)
    }

    private static func forgetting(_ place: FlagPlace, in root: FlagValue) -> FlagValue {
        guard let name = place.kind.array else { return root.setting(unknown, at: place.key.components[...]) }
        guard case .dictionary(var entries) = root else { return root }
        var elements: [FlagValue] = if case .array(let elements)? = entries[name] { elements } else { [] }
        let field = place.field ?? "\0"
        let index = elements.firstIndex { element in
            guard case .dictionary(let fields) = element, case .string(let key)? = fields["key"] else { return false }
            return FlagPlace(entry: key, of: place.kind).key == place.key
        }
        if let index {
            elements[index] = elements[index].setting(unknown, at: [field])
        } else {
            elements.append(.dictionary(["key": .string(place.key.text), field: unknown]))
        }
        entries[name] = .array(elements)
        return .dictionary(entries)
    }
}

extension PropertyListDocument {
    fileprivate var conflictPlaces: Set<FlagPlace> {
        statements.reduce(into: []) { places, statement in
            let place = statement.place
            places.insert(place)
            if place.kind == .value {
                places.formUnion(place.key.ancestors.map(FlagPlace.init(value:)))
            } else {
                places.insert(FlagPlace(entry: place.key.text, of: place.kind))
            }
        }
    }
}
