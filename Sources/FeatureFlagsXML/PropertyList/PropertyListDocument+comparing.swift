import FeatureFlags

extension PropertyListDocument {
    /// The key paths at which this document holds something else than another one, or a key is spelt otherwise.
    ///
    /// Dictionaries that both have are looked into; what only one of them has is told as a whole.
    ///
    /// - Parameter old: The other document.
    /// - Returns: The key paths, in no order.
    package func changedKeys(since old: PropertyListDocument) -> [FlagKeyPath] {
        var keys: [FlagKeyPath] = []
        Self.compare(old.tree, tree, below: []) { keys.append(FlagKeyPath(components: $0)) }
        return keys
    }

    private static func compare(
        _ old: PropertyListNode, _ new: PropertyListNode, below path: [String], _ tell: ([String]) -> Void
    ) {
        guard let before = old.entries, let after = new.entries else {
            if !path.isEmpty, old.value != new.value { tell(path) }
            return
        }
        for entry in after {
            let inner = path + [entry.key]
            guard let known = old.entry(entry.key), known.key.utf8.elementsEqual(entry.key.utf8) else {
                tell(inner)
                continue
            }
            compare(known.node, entry.node, below: inner, tell)
        }
        for entry in before where new.entry(entry.key) == nil { tell(path + [entry.key]) }
    }
}
