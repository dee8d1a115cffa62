import FeatureFlags
import Foundation

extension PropertyListDocument {
    /// Returns this document without an entry: its key, its value and the whitespace of its lines.
    ///
    /// Comments stay, and so does a dictionary that becomes empty.
    ///
    /// - Parameter key: The entry's path.
    /// - Returns: The changed document, or this one if there is no such entry.
    /// - Throws: An error if the path passes through a value other than a dictionary, or the edit changes more than
    ///   requested.
    public func removing(_ key: FlagKeyPath) throws(PropertyListEditError) -> PropertyListDocument {
        try setting([(key, nil)])
    }

    /// Returns a copy of this document to hand out, without some entries.
    ///
    /// Each entry is cut with the comments directly above it, inside it, and behind it on its line, and so is a group
    /// that becomes empty.
    ///
    /// - Parameter keys: The paths of the entries; absent ones are ignored.
    /// - Returns: The changed document, or this one if it holds none of them.
    /// - Throws: An error if the edit changes more than requested.
    public func omitting(_ keys: Set<FlagKeyPath>) throws(PropertyListEditError) -> PropertyListDocument {
        let found = outermost(Set(keys.compactMap(readable)))
        guard !found.isEmpty else { return self }
        let layout = PropertyListLayout(self)
        let ranges = found.flatMap { key -> [Range<Int>] in
            guard let entry = entry(at: key), let group = key.parent.map({ self.entry(at: $0)?.node }) ?? tree,
                let content = group.content
            else { return [] }
            return ([entry] + (group.repetition(of: entry.key)?.others ?? [])).map { entry in
                let start = layout.startWithComments(before: entry.keyRange.lowerBound, notBefore: content.lowerBound)
                return start..<layout.endWithComments(from: entry.node.range.upperBound)
            }
        }
        let changes = found.map { PropertyListChange(path: $0.components.map(PathStep.key), kind: .remove) }
        return try applying(layout.cutting(ranges), for: nil, expecting: changes)
    }

    /// Returns the key of the entry, or of the broken value above it that may contain it.
    private func readable(_ key: FlagKeyPath) -> FlagKeyPath? {
        var node = tree
        for (depth, component) in key.components.enumerated() {
            guard let entry = node.entry(component) else { return nil }
            if case .broken? = entry.node.scalar {
                return FlagKeyPath(components: Array(key.components.prefix(depth + 1)))
            }
            node = entry.node
        }
        return key
    }

    private func entry(at key: FlagKeyPath) -> PropertyListEntry? {
        var entry: PropertyListEntry?
        for component in key.components {
            guard let next = (entry?.node ?? tree).entry(component) else { return nil }
            entry = next
        }
        return entry
    }

    private func outermost(_ keys: Set<FlagKeyPath>) -> Set<FlagKeyPath> {
        var cut = keys.filter { key in !key.ancestors.contains(where: keys.contains) }
        var groups = Set(cut.compactMap(\.parent))
        while let group = groups.popFirst() {
            guard let entries = entry(at: group)?.node.entries else { continue }
            let members = entries.lazy.map { group.appending($0.key) }
            guard members.allSatisfy(cut.contains) else { continue }
            cut.subtract(members)
            cut.insert(group)
            if let parent = group.parent { groups.insert(parent) }
        }
        return cut
    }
}

extension PropertyListDocument {
    /// Sets fields of dictionaries, possibly in arrays but none inside another, or removes those with `nil`.
    func setting(
        _ dictionaries: [(path: [PathStep], fields: [String: FlagValue?])], for key: FlagKeyPath?
    ) throws(PropertyListEditError) -> PropertyListDocument {
        let changes = dictionaries.flatMap { path, fields -> [PropertyListChange] in
            guard let dictionary = node(at: path), dictionary.entries != nil else { return [] }
            return fields.sorted { $0.key < $1.key }
                .filter { name, value in dictionary.entry(name)?.node.value != value }
                .map { name, value in
                    PropertyListChange(path: path + [.key(name)], kind: value.map { .set($0) } ?? .remove)
                }
        }
        return try changing(changes, for: key)
    }
}
