import FeatureFlags
import Foundation

extension PropertyListDocument {
    /// This document with entries set or removed, none of them inside another.
    ///
    /// Missing dictionaries are made. A change in a place that does not exist, such as behind the end of an array, is left
    /// out.
    ///
    /// - Parameters:
    ///   - changes: The entries; each holds something else now.
    ///   - key: What the edit is for, where that is one thing.
    /// - Returns: The changed document, or this one where there is nothing to change.
    /// - Throws: Where the edit turns out to change more than was asked.
    func changing(
        _ changes: [PropertyListChange], for key: FlagKeyPath?
    ) throws(PropertyListEditError) -> PropertyListDocument {
        // What is cut takes whitespace with it that a new entry would be put next to, so one comes after the other.
        let cut = try applying(changes.filter(\.isRemoval), for: key) { $0.cuts($1, $2) }
        return try cut.applying(changes.filter { !$0.isRemoval }, for: key) { $0.insertions($1, $2) }
    }

    private func applying(
        _ changes: [PropertyListChange], for key: FlagKeyPath?,
        _ edits: (PropertyListDocument, [PropertyListChange], PropertyListLayout) -> [SourceEdit]
    ) throws(PropertyListEditError) -> PropertyListDocument {
        guard !changes.isEmpty else { return self }
        let edits = edits(self, changes, PropertyListLayout(self))
        guard !edits.isEmpty else { return self }
        return try applying(edits, for: key, expecting: changes)
    }

    private func cuts(_ changes: [PropertyListChange], _ layout: PropertyListLayout) -> [SourceEdit] {
        layout.cutting(changes.compactMap { entry(at: $0.path) }.flatMap { ranges(of: $0, layout) })
    }

    /// What to cut of an entry: its key and its value, and nothing but whitespace between them.
    private func ranges(of entry: PropertyListEntry, _ layout: PropertyListLayout) -> [Range<Int>] {
        let between = entry.keyRange.upperBound..<entry.node.range.lowerBound
        return layout.isWhitespace(between)
            ? [entry.keyRange.lowerBound..<entry.node.range.upperBound] : [entry.keyRange, entry.node.range]
    }

    private func entry(at path: [PathStep]) -> PropertyListEntry? {
        guard case .key(let name)? = path.last else { return nil }
        return node(at: path.dropLast())?.entry(name)
    }

    /// The edits that replace the values which are there, and add the others to the innermost dictionaries that are.
    private func insertions(_ changes: [PropertyListChange], _ layout: PropertyListLayout) -> [SourceEdit] {
        // A file without two keys in any group counts as sorted.
        let isSorted = tree.element.unsortedDictionaries == 0
        var replacements: [SourceEdit] = []
        // By where the dictionary starts.
        var insertions: [Int: PropertyListInsertion] = [:]
        for change in changes {
            guard case .set(let value) = change.kind else { continue }
            var (node, entry): (PropertyListNode, PropertyListEntry?) = (tree, nil)
            var rest = change.path[...]
            while let step = rest.first, let child = node.child(step) {
                if case .key(let name) = step { entry = node.entry(name) } else { entry = nil }
                node = child
                rest.removeFirst()
            }
            if rest.isEmpty, let entry {
                replacements.append(replacement(of: entry, with: value, layout))
            } else if node.entries != nil {
                let none = PropertyListInsertion(layout: layout, group: node, entry: entry, isFileSorted: isSorted)
                insertions[node.range.lowerBound, default: none].add(value, at: rest)
            }
        }
        return (replacements + insertions.values.flatMap(\.edits)).sorted {
            ($0.range.lowerBound, $0.range.upperBound) < ($1.range.lowerBound, $1.range.upperBound)
        }
    }

    private func replacement(
        of entry: PropertyListEntry, with value: FlagValue, _ layout: PropertyListLayout
    ) -> SourceEdit {
        let style = layout.style(of: entry)
        return SourceEdit(
            range: entry.node.range,
            replacement: layout.writer.element(value, indent: style.valueIndent, separator: style.separator))
    }
}
