import FeatureFlags
import Foundation

extension PropertyListDocument {
    /// This document with a value set: only the bytes of the value's element change, or those of a new entry are added.
    ///
    /// A new entry stands in key order where its dictionary is sorted, else last, indented as its neighbours are.
    /// Missing groups are created.
    ///
    /// - Parameters:
    ///   - value: The value. Dates lose their fractions of a second, which a property list can't store.
    ///   - key: Where to store it.
    /// - Returns: The changed document, or this one where it holds an equal value already.
    /// - Throws: Where the path passes through something that is no dictionary, where the value can't be stored, or
    ///   where the edit turns out to change more than was asked.
    public func setting(_ value: FlagValue, at key: FlagKeyPath) throws(PropertyListEditError) -> PropertyListDocument {
        let value = value.roundedToSeconds
        try checkStorable(value, at: key)
        guard try held(at: key) != value else { return self }
        let layout = PropertyListLayout(self)
        let edit = edit(value, at: key, layout: layout)
        return try applying([edit], to: layout, for: key, expecting: root.setting(value, at: key.components[...]))
    }

    /// The value at a key, where nothing on the way is an obstacle.
    func held(at key: FlagKeyPath) throws(PropertyListEditError) -> FlagValue? {
        do throws(PathBlock) {
            return try root.value(at: key)
        } catch {
            let location = location(of: error.components.map(PathStep.key))
            throw PropertyListEditError(.blocked(error, location), key: key)
        }
    }

    private func checkStorable(_ value: FlagValue, at key: FlagKeyPath) throws(PropertyListEditError) {
        let problem =
            key.components.lazy.compactMap(PropertyListWriter.problem(with:)).first
            ?? PropertyListWriter.problem(with: value)
        if let problem { throw PropertyListEditError(.notStorable(problem), key: key) }
        if value.isDeeper(than: Self.maximumDepth - key.components.count) {
            let reason = "values would be nested deeper than \(Self.maximumDepth) levels; make the nesting flatter"
            throw PropertyListEditError(.notStorable(reason), key: key)
        }
    }

    /// Applies edits and makes sure that they amount to what was asked.
    func applying(
        _ edits: [SourceEdit], to layout: PropertyListLayout, for key: FlagKeyPath?, expecting expected: FlagValue
    ) throws(PropertyListEditError) -> PropertyListDocument {
        let source = SourceEdit.apply(edits, to: layout.bytes)
        guard source.count <= Self.maximumSize else {
            let reason = "the file would have \(source.count) bytes, more than the \(Self.maximumSize) that are read"
            throw PropertyListEditError(.notStorable("\(reason); shorten the value"), key: key)
        }
        let result: PropertyListDocument
        do throws(PropertyListError) {
            result = try PropertyListDocument(source: source)
        } catch {
            throw PropertyListEditError(.unsafe("\(error)"), key: key)
        }
        guard result.root == expected else {
            throw PropertyListEditError(.unsafe("other values differ after it"), key: key)
        }
        return result
    }

    private func edit(_ value: FlagValue, at key: FlagKeyPath, layout: PropertyListLayout) -> SourceEdit {
        var group = PropertyListInsertion(layout: layout, group: tree, entry: nil, isFileSorted: isSorted)
        for (depth, component) in key.components.enumerated() {
            guard let entry = group.group.entry(component) else {
                let below = key.components.dropFirst(depth + 1).reversed()
                return group.edit(component, below.reduce(value) { .dictionary([$1: $0]) })
            }
            if depth == key.components.count - 1 { return replacement(of: entry, with: value, layout: layout) }
            group = PropertyListInsertion(layout: layout, group: entry.node, entry: entry, isFileSorted: isSorted)
        }
        return SourceEdit(range: 0..<0, replacement: "")
    }

    func replacement(of entry: PropertyListEntry, with value: FlagValue, layout: PropertyListLayout)
        -> SourceEdit
    {
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
