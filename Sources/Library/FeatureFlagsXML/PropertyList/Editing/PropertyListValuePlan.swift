import FeatureFlags
import Foundation

/// An edit of an array or a dictionary that keeps the bytes of unchanged parts.
///
/// Cuts come first; changes and additions are written into the result.
indirect enum PropertyListValuePlan {
    typealias Kept<Step> = (step: Step, plan: PropertyListValuePlan)

    case keep
    case write(FlagValue)
    case dictionary(kept: [Kept<String>], removed: [String], added: [(name: String, value: FlagValue)])
    /// Kept and removed places are those before the edit; an added run follows `place` kept elements.
    case array(kept: [Kept<Int>], removed: [Int], added: [(place: Int, elements: [AddedElement])])

    struct AddedElement {
        let value: FlagValue
        let bytes: Data?
    }

    init(from node: PropertyListNode, to value: FlagValue, in source: Data) {
        // Of a key that occurs more than once in it, no single entry is left.
        guard node.element.repeatedKeys == 0 else {
            self = .write(value)
            return
        }
        switch value {
        case .dictionary(let entries) where node.entries != nil && node.holdsAnything(in: source):
            self = Self.dictionary(from: node, to: entries, in: source)
        case .array(let values) where node.items != nil && node.holdsAnything(in: source):
            self = Self.array(from: node, to: values, in: source)
        default: self = node.value == value ? .keep : .write(value)
        }
    }

    private static func dictionary(
        from node: PropertyListNode, to entries: [String: FlagValue], in source: Data
    ) -> PropertyListValuePlan {
        guard let old = node.entries, !entries.isEmpty || node.holdsMore(than: old.map(\.range), in: source) else {
            return .write(.dictionary(entries))
        }
        var (kept, removed): ([Kept<String>], [String]) = ([], [])
        for entry in old {
            if let place = entries.index(forKey: entry.key), entries[place].key.utf8.elementsEqual(entry.key.utf8) {
                kept.append((entry.key, PropertyListValuePlan(from: entry.node, to: entries[place].value, in: source)))
            } else {
                removed.append(entry.key)
            }
        }
        let names = Set(kept.map(\.step))
        let added = entries.filter { !names.contains($0.key) }.map { ($0.key, $0.value) }
            .sorted { PropertyListWriter.precedes($0.0, $1.0) }
        return .dictionary(kept: kept, removed: removed, added: added)
    }

    private static func array(
        from node: PropertyListNode, to values: [FlagValue], in source: Data
    ) -> PropertyListValuePlan {
        guard let items = node.items, !values.isEmpty || node.holdsMore(than: items.map(\.range), in: source) else {
            return .write(.array(values))
        }
        let old = items.map(\.value)
        let alignment = FlagValueAlignment(from: old, to: values)
        var (kept, added): ([Kept<Int>], [(place: Int, elements: [AddedElement])]) = ([], [])
        for (value, (partner, origin)) in zip(values, zip(alignment.partners, alignment.origins)) {
            if let partner, partner == origin {
                kept.append((partner, PropertyListValuePlan(from: items[partner], to: value, in: source)))
                continue
            }
            if added.last?.place != kept.count { added.append((kept.count, [])) }
            let bytes = origin.flatMap { old[$0] == value ? source[items[$0].range] : nil }
            added[added.count - 1].elements.append(AddedElement(value: value, bytes: bytes))
        }
        let stays = Set(kept.map(\.step))
        return .array(kept: kept, removed: old.indices.filter { !stays.contains($0) }, added: added)
    }

    var isCutting: Bool {
        switch self {
        case .keep, .write: false
        case .dictionary(let kept, let removed, _): !removed.isEmpty || kept.contains { $0.plan.isCutting }
        case .array(let kept, let removed, _): !removed.isEmpty || kept.contains { $0.plan.isCutting }
        }
    }

    /// `true` if anything is written after the cuts.
    var isWriting: Bool {
        switch self {
        case .keep: false
        case .write: true
        case .dictionary(let kept, _, let added): !added.isEmpty || kept.contains { $0.plan.isWriting }
        case .array(let kept, _, let added): !added.isEmpty || kept.contains { $0.plan.isWriting }
        }
    }

    func remainder(of value: FlagValue) -> FlagValue {
        switch (self, value) {
        case (.dictionary(let kept, _, _), .dictionary(let entries)):
            var rest: [String: FlagValue] = Dictionary(minimumCapacity: kept.count)
            for (name, plan) in kept { rest[name] = entries[name].map(plan.remainder) }
            return .dictionary(rest)
        case (.array(let kept, _, _), .array(let values)):
            return .array(kept.map { $0.plan.remainder(of: values[$0.step]) })
        default: return value
        }
    }

    /// Returns the ranges to cut, in order; `node` is the one that was planned for.
    func cuts(in node: PropertyListNode, _ layout: PropertyListLayout) -> [Range<Int>] {
        switch self {
        case .keep, .write: []
        case .dictionary(let kept, let removed, _):
            removed.compactMap(node.entry).flatMap(layout.ranges)
                + kept.flatMap { name, plan in node.entry(name).map { plan.cuts(in: $0.node, layout) } ?? [] }
        case .array(let kept, let removed, _):
            removed.compactMap { node.child(.index($0))?.range }
                + kept.flatMap { place, plan in node.child(.index(place)).map { plan.cuts(in: $0, layout) } ?? [] }
        }
    }
}

extension PropertyListValuePlan {
    /// Returns the edits that follow the cuts, in no order; `entry` is `nil` in an array.
    func edits(
        in node: PropertyListNode, of entry: PropertyListEntry?, _ layout: PropertyListLayout, isFileSorted: Bool
    ) -> [SourceEdit] {
        switch self {
        case .keep: return []
        case .write(let value):
            let text = entry.map { layout.element(value, of: $0) } ?? layout.element(value, like: node)
            return [SourceEdit(range: node.range, replacement: text)]
        case .dictionary(let kept, _, let added):
            var insertion = PropertyListInsertion(
                layout: layout, group: node, entry: entry, isFileSorted: isFileSorted)
            for (name, value) in added { insertion.add(value, at: [.key(name)]) }
            return (added.isEmpty ? [] : insertion.edits)
                + kept.flatMap { name, plan in
                    node.entry(name).map {
                        plan.edits(in: $0.node, of: $0, layout, isFileSorted: isFileSorted)
                    } ?? []
                }
        case .array(let kept, _, let added):
            return added.map { place, elements in layout.elements(elements, at: place, of: node) }
                + kept.enumerated().flatMap { index, kept in
                    node.child(.index(index)).map {
                        kept.plan.edits(in: $0, of: nil, layout, isFileSorted: isFileSorted)
                    } ?? []
                }
        }
    }
}

extension PropertyListEntry {
    var range: Range<Int> { keyRange.lowerBound..<node.range.upperBound }
}

extension PropertyListNode {
    fileprivate func holdsAnything(in source: Data) -> Bool { holdsMore(than: [], in: source) }

    fileprivate func holdsMore(than children: [Range<Int>], in source: Data) -> Bool {
        guard let content else { return false }
        var start = content.lowerBound
        for child in children {
            if !source[start..<child.lowerBound].allSatisfy(Byte.isWhitespace) { return true }
            start = child.upperBound
        }
        return !source[start..<content.upperBound].allSatisfy(Byte.isWhitespace)
    }
}
