import FeatureFlags
import Foundation

extension PropertyListDocument {
    /// Sets or removes entries, none inside another; creates missing dictionaries and ignores places past an array's
    /// end.
    func changing(
        _ changes: [PropertyListChange], for key: FlagKeyPath?
    ) throws(PropertyListEditError) -> PropertyListDocument {
        let planned = changes.map { PlannedChange($0, in: self) }
        // Cuts come first: they take whitespace that a new entry would be placed next to.
        let cut = try applying(planned.compactMap(\.cut), for: key) { document, layout in
            layout.cutting(planned.flatMap { document.cuts($0, layout) })
        }
        let writing = planned.filter(\.isWriting)
        return try cut.applying(writing.map(\.change), for: key) { $0.insertions(writing, $1) }
    }

    private func applying(
        _ changes: [PropertyListChange], for key: FlagKeyPath?,
        _ edits: (PropertyListDocument, PropertyListLayout) -> [SourceEdit]
    ) throws(PropertyListEditError) -> PropertyListDocument {
        guard !changes.isEmpty else { return self }
        let edits = edits(self, PropertyListLayout(self))
        guard !edits.isEmpty else { return self }
        return try applying(edits, for: key, expecting: changes)
    }

    private func cuts(_ planned: PlannedChange, _ layout: PropertyListLayout) -> [Range<Int>] {
        let repetition = repetition(at: planned.change.path)
        let others = repetition?.others.flatMap(layout.ranges) ?? []
        if planned.change.isRemoval { return others + (entry(at: planned.change.path).map(layout.ranges) ?? []) }
        guard let plan = planned.plan, let node = repetition?.original ?? node(at: planned.change.path) else {
            return []
        }
        return others + plan.cuts(in: node, layout)
    }

    /// Returns the entries of a key that occurs more than once, of which a change leaves one.
    fileprivate func repetition(
        at path: [PathStep]
    ) -> (original: PropertyListNode, others: [PropertyListEntry])? {
        guard hasRepeatedKeys, case .key(let name)? = path.last else { return nil }
        return node(at: path.dropLast())?.repetition(of: name)
    }

    private func entry(at path: [PathStep]) -> PropertyListEntry? {
        guard case .key(let name)? = path.last else { return nil }
        return node(at: path.dropLast())?.entry(name)
    }

    private func insertions(_ changes: [PlannedChange], _ layout: PropertyListLayout) -> [SourceEdit] {
        // A file without two keys in any group counts as sorted.
        let isSorted = tree.element.unsortedDictionaries == 0
        var replacements: [SourceEdit] = []
        // By the start of the dictionary.
        var insertions: [Int: PropertyListInsertion] = [:]
        for planned in changes {
            guard case .set(let value) = planned.change.kind else { continue }
            var (node, entry): (PropertyListNode, PropertyListEntry?) = (tree, nil)
            var rest = planned.change.path[...]
            while let step = rest.first, let child = node.child(step) {
                if case .key(let name) = step { entry = node.entry(name) } else { entry = nil }
                node = child
                rest.removeFirst()
            }
            if rest.isEmpty, let entry {
                let plan = planned.plan ?? .write(value)
                replacements += plan.edits(in: node, of: entry, layout, isFileSorted: isSorted)
            } else if node.entries != nil {
                let none = PropertyListInsertion(layout: layout, group: node, entry: entry, isFileSorted: isSorted)
                insertions[node.range.lowerBound, default: none].add(value, at: rest)
            }
        }
        return (replacements + insertions.values.flatMap(\.edits)).sorted {
            ($0.range.lowerBound, $0.range.upperBound) < ($1.range.lowerBound, $1.range.upperBound)
        }
    }
}

private struct PlannedChange {
    let change: PropertyListChange
    let plan: PropertyListValuePlan?
    /// The change of the file by the cuts alone.
    let cut: PropertyListChange?

    init(_ change: PropertyListChange, in document: PropertyListDocument) {
        self.change = change
        let repetition = document.repetition(at: change.path)
        guard case .set(let value) = change.kind,
            let node = repetition?.original ?? document.node(at: change.path)
        else {
            plan = nil
            cut = change.isRemoval ? change : nil
            return
        }
        let plan = PropertyListValuePlan(from: node, to: value, in: document.source)
        self.plan = plan
        cut =
            plan.isCutting || repetition != nil
            ? PropertyListChange(path: change.path, kind: .set(plan.remainder(of: node.value))) : nil
    }

    var isWriting: Bool { !change.isRemoval && plan?.isWriting != false }
}

extension PropertyListLayout {
    /// Returns the ranges to cut, without anything but whitespace between the key and the value.
    func ranges(of entry: PropertyListEntry) -> [Range<Int>] {
        let between = entry.keyRange.upperBound..<entry.node.range.lowerBound
        return isWhitespace(between) ? [entry.range] : [entry.keyRange, entry.node.range]
    }

    func element(_ value: FlagValue, of entry: PropertyListEntry) -> Data {
        let style = style(of: entry)
        return Data(writer.element(value, indent: style.valueIndent, separator: style.separator).utf8)
    }
}
