import FeatureFlags

/// A value of a property list and the bytes of its element.
struct PropertyListNode: Sendable {
    enum Children: Sendable {
        case none
        case items([PropertyListNode])
        /// The entries in document order, and each key's position among them.
        case entries([PropertyListEntry], positions: [String: Int])
    }

    let value: FlagValue
    /// From the `<` of the start tag to past the `>` of the end tag.
    let range: Range<Int>
    /// Between the tags; `nil` where the element closes itself.
    let content: Range<Int>?
    let children: Children

    /// The entries of a dictionary in document order; `nil` for any other value.
    var entries: [PropertyListEntry]? {
        if case .entries(let entries, _) = children { entries } else { nil }
    }

    func entry(_ key: String) -> PropertyListEntry? {
        guard case .entries(let entries, let positions) = children, let position = positions[key] else { return nil }
        return entries[position]
    }

    func child(_ step: PathStep) -> PropertyListNode? {
        switch (step, children) {
        case (.key(let key), _): entry(key)?.node
        case (.index(let index), .items(let items)): items.indices.contains(index) ? items[index] : nil
        case (.index, _): nil
        }
    }
}

/// A key of a dictionary with its value.
struct PropertyListEntry: Sendable {
    let key: String
    /// The bytes of the `<key>` element.
    let keyRange: Range<Int>
    let node: PropertyListNode
}
