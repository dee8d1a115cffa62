import FeatureFlags

extension PropertyListDocument {
    /// This document with one field set in, or removed from, a dictionary that may stand in arrays.
    ///
    /// - Parameters:
    ///   - value: What the field is to hold; `nil` removes it.
    ///   - field: The dictionary's key.
    ///   - path: The steps from the root down to the dictionary.
    ///   - key: What the edit is for.
    /// - Returns: The changed document, or this one where there is no such dictionary or it holds just that.
    /// - Throws: Where the value can't be stored, or the edit turns out to change more than was asked.
    func setting(
        _ value: FlagValue?, field: String, at path: [PathStep], for key: FlagKeyPath
    ) throws(PropertyListEditError) -> PropertyListDocument {
        var node = tree
        for step in path {
            guard let child = node.child(step) else { return self }
            node = child
        }
        let entry = node.entry(field)
        guard node.entries != nil, entry?.node.value != value else { return self }
        let layout = PropertyListLayout(self)
        let edits: [SourceEdit]
        switch (value, entry) {
        case (let value?, let entry?): edits = [replacement(of: entry, with: value, layout: layout)]
        case (let value?, nil):
            let insertion = PropertyListInsertion(layout: layout, group: node, entry: nil, isFileSorted: false)
            edits = [insertion.edit(field, value)]
        case (nil, let entry?): edits = layout.cutting(ranges(of: entry, layout))
        case (nil, nil): return self
        }
        return try applying(
            edits, to: layout, for: key, expecting: root.setting(value, field: field, at: path[...]))
    }

    /// What to cut of an entry: its key and its value, and nothing but whitespace between them.
    func ranges(of entry: PropertyListEntry, _ layout: PropertyListLayout) -> [Range<Int>] {
        let between = entry.keyRange.upperBound..<entry.node.range.lowerBound
        return layout.isWhitespace(between)
            ? [entry.keyRange.lowerBound..<entry.node.range.upperBound] : [entry.keyRange, entry.node.range]
    }
}

extension FlagValue {
    /// This value with one field of a dictionary in it set, or removed.
    fileprivate func setting(_ value: FlagValue?, field: String, at path: ArraySlice<PathStep>) -> FlagValue {
        switch (path.first, self) {
        case (nil, .dictionary(var entries)):
            entries[field] = value
            return .dictionary(entries)
        case (.key(let name), .dictionary(var entries)):
            entries[name] = entries[name]?.setting(value, field: field, at: path.dropFirst())
            return .dictionary(entries)
        case (.index(let index), .array(var elements)) where elements.indices.contains(index):
            elements[index] = elements[index].setting(value, field: field, at: path.dropFirst())
            return .array(elements)
        default: return self
        }
    }
}
