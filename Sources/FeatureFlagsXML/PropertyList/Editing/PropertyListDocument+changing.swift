import FeatureFlags
import Foundation

/// What an entry of a dictionary, which may stand in arrays, is to hold.
struct PropertyListChange {
    /// The steps from the root down to the entry; the last is a key.
    let path: [PathStep]
    /// The value as a property list stores it; `nil` removes the entry.
    let value: FlagValue?
}

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
        let cut = try applying(changes.filter { $0.value == nil }, for: key) { $0.cuts($1, $2) }
        return try cut.applying(changes.filter { $0.value != nil }, for: key) { $0.insertions($1, $2) }
    }

    private func applying(
        _ changes: [PropertyListChange], for key: FlagKeyPath?,
        _ edits: (PropertyListDocument, [PropertyListChange], PropertyListLayout) -> [SourceEdit]
    ) throws(PropertyListEditError) -> PropertyListDocument {
        guard !changes.isEmpty else { return self }
        let layout = PropertyListLayout(self)
        let edits = edits(self, changes, layout)
        guard !edits.isEmpty else { return self }
        var expected = root
        for change in changes { expected.set(change.value, at: change.path[...]) }
        return try applying(edits, to: layout, for: key, expecting: expected)
    }

    /// Applies edits and makes sure that they amount to what was asked.
    func applying(
        _ edits: [SourceEdit], to layout: PropertyListLayout, for key: FlagKeyPath?, expecting expected: FlagValue
    ) throws(PropertyListEditError) -> PropertyListDocument {
        let source = SourceEdit.apply(edits, to: layout.bytes)
        guard source.count <= maximumSize else {
            let reason = "the file would have \(source.count) bytes, more than the \(maximumSize) that are read"
            throw PropertyListEditError(.notStorable("\(reason); shorten the value"), key: key)
        }
        let result: PropertyListDocument
        do throws(PropertyListError) {
            result = try PropertyListDocument(source: source, maximumSize: maximumSize)
        } catch {
            throw PropertyListEditError(.unsafe("\(error)"), key: key)
        }
        guard result.root == expected else {
            throw PropertyListEditError(.unsafe("other values differ after it"), key: key)
        }
        return result
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
        let isSorted = isSorted
        var replacements: [SourceEdit] = []
        // By where the dictionary starts.
        var insertions: [Int: PropertyListInsertion] = [:]
        for change in changes {
            guard let value = change.value else { continue }
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

    /// Whether the groups of the file have their keys in order; one without two keys counts as sorted.
    private var isSorted: Bool { Self.isSorted(tree) }

    private static func isSorted(_ node: PropertyListNode) -> Bool {
        guard let entries = node.entries else { return true }
        return PropertyListInsertion.isSorted(entries) && entries.allSatisfy { isSorted($0.node) }
    }
}

extension FlagValue {
    /// Sets the value at a path, or removes it; dictionaries that are missing on the way are made when setting.
    ///
    /// Each value on the way is changed in place, so that many changes don't copy a large dictionary as often.
    mutating func set(_ value: FlagValue?, at path: ArraySlice<PathStep>) {
        guard let step = path.first else {
            self = value ?? self
            return
        }
        let rest = path.dropFirst()
        switch step {
        case .key(let name):
            guard case .dictionary(var entries) = self else { return }
            self = .bool(false)
            if rest.isEmpty {
                entries[name] = value
            } else if var child = entries.removeValue(forKey: name) ?? (value == nil ? nil : .dictionary([:])) {
                child.set(value, at: rest)
                entries[name] = child
            }
            self = .dictionary(entries)
        case .index(let index):
            guard case .array(var elements) = self, elements.indices.contains(index) else { return }
            self = .bool(false)
            elements[index].set(value, at: rest)
            self = .array(elements)
        }
    }
}
