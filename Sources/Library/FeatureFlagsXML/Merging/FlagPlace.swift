import FeatureFlags

/// Whose value an entry of a file is: a flag's, in a values file; in a manifest, that of a field of a flag's or a group's entry.
package struct FlagPlace: Hashable, Sendable {
    /// What the key is the key of.
    package enum Kind: Hashable, Sendable, CaseIterable {
        /// Of a value; in a manifest, of what stands beside its flags and groups.
        case value
        /// Of a flag's definition.
        case definition
        /// Of a group's description.
        case collection

        /// The manifest's array that holds it; `nil` for values.
        var array: String? {
            switch self {
            case .value: nil
            case .definition: "flags"
            case .collection: "collections"
            }
        }
    }

    /// What the key is the key of.
    package let kind: Kind
    /// The flag or the group.
    package let key: FlagKeyPath
    /// The field of its entry; `nil` for a value, and for an entry as a whole.
    package let field: String?

    /// The place of a value.
    package init(value key: FlagKeyPath) {
        (kind, self.key, field) = (.value, key, nil)
    }

    /// The place of an entry of a manifest's array, or of a field of it.
    ///
    /// - Parameters:
    ///   - text: What the entry's `key` says.
    ///   - kind: Which array.
    ///   - field: The field; `nil` for the entry as a whole.
    init(entry text: String, of kind: Kind, field: String? = nil) {
        key = FlagKeyPath(longText: text) ?? FlagKeyPath(components: [text])
        self.kind = kind
        self.field = field
    }

    /// The place in words: `checkout/limit`, `checkout/limit description`, `group checkout name`.
    package var text: String {
        [kind == .collection ? "group" : nil, key.text, field].compactMap(\.self).joined(separator: " ")
    }

    /// How it is said that nothing stands there.
    package var absence: String {
        switch kind {
        case .definition where field == nil: "no definition"
        case .collection where field == nil: "no group"
        default: "no value"
        }
    }
}

extension FlagPlace: Comparable {
    /// Orders by kind, then by key path, then by field.
    package static func < (left: FlagPlace, right: FlagPlace) -> Bool {
        if left.kind != right.kind { return left.rank < right.rank }
        if left.key != right.key { return left.key < right.key }
        return (left.field ?? "") < (right.field ?? "")
    }

    private var rank: Int { Kind.allCases.firstIndex(of: kind) ?? 0 }
}
