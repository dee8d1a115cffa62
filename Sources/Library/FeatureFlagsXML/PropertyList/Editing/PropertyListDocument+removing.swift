import FeatureFlags
import Foundation

extension PropertyListDocument {
    /// This document without an entry: its key, its value and the whitespace of its lines.
    ///
    /// Comments stay, and so does a dictionary that becomes empty.
    ///
    /// - Parameter key: The entry's path.
    /// - Returns: The changed document, or this one where there is no such entry.
    /// - Throws: Where the path passes through something that is no dictionary, or where the edit turns out to change
    ///   more than was asked.
    public func removing(_ key: FlagKeyPath) throws(PropertyListEditError) -> PropertyListDocument {
        try setting([(key, nil)])
    }

    /// This document without some entries, to hand out.
    ///
    /// Each goes with the comments that belong to it: those directly above it, inside it, and behind it on its line. A
    /// group that becomes empty only thereby goes as well.
    ///
    /// - Parameter keys: The paths of the entries. Those that are absent are no error.
    /// - Returns: The changed document, or this one where it holds none of them.
    /// - Throws: Where the edit turns out to change more than was asked.
    public func omitting(_ keys: Set<FlagKeyPath>) throws(PropertyListEditError) -> PropertyListDocument {
        let found = outermost(keys.filter { entry(at: $0) != nil })
        guard !found.isEmpty else { return self }
        let layout = PropertyListLayout(self)
        let ranges = found.compactMap { key -> Range<Int>? in
            guard let entry = entry(at: key), let group = key.parent.map({ self.entry(at: $0)?.node }) ?? tree,
                let content = group.content
            else { return nil }
            let start = layout.startWithComments(before: entry.keyRange.lowerBound, notBefore: content.lowerBound)
            let end = layout.endWithComments(from: entry.node.range.upperBound)
            return start..<end
        }
        let changes = found.map { PropertyListChange(path: $0.components.map(PathStep.key), kind: .remove) }
        return try applying(layout.cutting(ranges), for: nil, expecting: changes)
    }

    private func entry(at key: FlagKeyPath) -> PropertyListEntry? {
        var entry: PropertyListEntry?
        for component in key.components {
            guard let next = (entry?.node ?? tree).entry(component) else { return nil }
            entry = next
        }
        return entry
    }

    /// The entries to cut so that all of `keys` are gone: a group in place of its entries where none would remain.
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
    /// This document with fields of dictionaries, which may stand in arrays, set or removed.
    ///
    /// - Parameters:
    ///   - dictionaries: The steps from the root down to each, none inside another, and what its fields are to hold; `nil`
    ///     removes a field.
    ///   - key: What the edit is for, where that is one thing.
    /// - Returns: The changed document, or this one where there are no such dictionaries or they hold just that.
    /// - Throws: Where a value can't be stored, or the edit turns out to change more than was asked.
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
