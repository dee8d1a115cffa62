import FeatureFlags
import Foundation

/// Derives the tree of an edited source from the old one by reading only the parts around the edits.
///
/// A part reaches from the element before an edit to the one behind it, in one container. The other bytes are
/// unchanged, so a part that reads as whole elements leaves the reader in the same state as before.
struct PropertyListRenewal {
    private let old: PropertyListDocument
    private let source: Data
    private let edits: [SourceEdit]
    private let growths: [Int]
    private var elements: Int

    init(of old: PropertyListDocument, edits: [SourceEdit], giving source: Data) {
        self.old = old
        self.source = source
        self.edits = edits
        growths = edits.reduce(into: [0]) { $0.append($0[$0.count - 1] + $1.growth) }
        elements = old.elements
    }

    mutating func document(expecting changes: [PropertyListChange]) -> PropertyListDocument? {
        guard let element = renewed(old.tree, by: edits.indices, expecting: changes, depth: 0),
            elements <= old.maximumSize / PropertyListDocument.bytesForElement
        else { return nil }
        return PropertyListDocument(
            source: source, tree: PropertyListNode(element: element, start: old.tree.start), elements: elements,
            from: old, edits: edits)
    }

    private struct Part {
        var positions: Range<Int>
        var edits: Range<Int>
        /// `true` if the edits are within the content of the single child.
        let isInside: Bool
    }

    /// Returns a container after edits of its content, or `nil` if the result is not as requested.
    private mutating func renewed(
        _ node: PropertyListNode, by edits: Range<Int>, expecting changes: [PropertyListChange], depth: Int
    ) -> PropertyListElement? {
        guard let content = node.content, let children = node.element.children,
            let parts = parts(of: edits, in: content, children, apartFrom: targets(changes, in: children, depth: depth))
        else { return nil }
        var inner: [Int: [PropertyListChange]] = [:]
        for part in parts where part.isInside { inner[part.positions.lowerBound] = [] }
        var own: [PropertyListChange] = []
        for change in changes {
            if let position = children.position(of: change.path[depth]), inner[position] != nil {
                guard change.path.count > depth + 1 else { return nil }
                inner[position]?.append(change)
            } else {
                own.append(change)
            }
        }
        var replacements: [PropertyListReplacement] = []
        for part in parts {
            let growth = growths[part.edits.upperBound] - growths[part.edits.lowerBound]
            let new: [(child: PropertyListChild, start: Int)]
            if part.isInside {
                let position = part.positions.lowerBound
                let (child, start) = children[position]
                let childNode = PropertyListNode(element: child.element, start: content.lowerBound + start + child.lead)
                guard
                    let element = renewed(
                        childNode, by: part.edits, expecting: inner[position] ?? [], depth: depth + 1)
                else { return nil }
                new = [(child.holding(element), start)]
            } else {
                guard let read = read(part, in: node, content, children, depth: depth) else { return nil }
                new = read
            }
            replacements.append(PropertyListReplacement(positions: part.positions, children: new, growth: growth))
        }
        let read = zip(parts, replacements).filter { !$0.0.isInside }.map(\.1)
        guard
            node.element.isDictionary
                ? saysEntries(read, in: children, expecting: own, depth: depth)
                : saysItems(read, in: children, expecting: own, depth: depth)
        else { return nil }
        var renewed = children
        renewed.replace(replacements, areEntries: node.element.isDictionary)
        return PropertyListElement(
            node.element.isDictionary ? .dictionary(renewed) : .array(renewed), of: node.element,
            growth: growths[edits.upperBound] - growths[edits.lowerBound])
    }

    private func targets(
        _ changes: [PropertyListChange], in children: PropertyListChildren, depth: Int
    ) -> Set<Int> {
        Set(changes.filter { $0.path.count == depth + 1 }.compactMap { children.position(of: $0.path[depth]) })
    }

    /// Groups edits of the same children, or without a child between them; `targets` are read as a whole even for a
    /// small edit.
    private func parts(
        of edits: Range<Int>, in content: Range<Int>, _ children: PropertyListChildren, apartFrom targets: Set<Int>
    ) -> [Part]? {
        var parts: [Part] = []
        for index in edits {
            let range = self.edits[index].range
            guard range.lowerBound >= content.lowerBound, range.upperBound <= content.upperBound else { return nil }
            let positions = children.positions(
                touching: range.lowerBound - content.lowerBound..<range.upperBound - content.lowerBound)
            let isInside =
                positions.count == 1 && !targets.contains(positions.lowerBound)
                && self.isInside(range, children[positions.lowerBound], of: content)
            guard let last = parts.last else {
                parts.append(Part(positions: positions, edits: index..<index + 1, isInside: isInside))
                continue
            }
            switch (last.isInside, isInside) {
            case (true, true) where positions == last.positions:
                parts[parts.count - 1].edits = last.edits.lowerBound..<index + 1
            case (false, false) where positions.lowerBound <= last.positions.upperBound:
                let upper = max(last.positions.upperBound, positions.upperBound)
                parts[parts.count - 1].positions = last.positions.lowerBound..<upper
                parts[parts.count - 1].edits = last.edits.lowerBound..<index + 1
            default:
                guard positions.lowerBound >= last.positions.upperBound else { return nil }
                parts.append(Part(positions: positions, edits: index..<index + 1, isInside: isInside))
            }
        }
        return parts
    }

    private func isInside(
        _ range: Range<Int>, _ place: (child: PropertyListChild, start: Int), of content: Range<Int>
    ) -> Bool {
        let start = content.lowerBound + place.start + place.child.lead
        let node = PropertyListNode(element: place.child.element, start: start)
        guard node.element.children != nil, let inner = node.content else { return false }
        return range.lowerBound >= inner.lowerBound && range.upperBound <= inner.upperBound
    }

    /// Returns the new children with their offsets in the content, or `nil` if they are unreadable.
    private mutating func read(
        _ part: Part, in node: PropertyListNode, _ content: Range<Int>, _ children: PropertyListChildren, depth: Int
    ) -> [(child: PropertyListChild, start: Int)]? {
        let before = part.positions.lowerBound > 0 ? children[part.positions.lowerBound - 1] : nil
        let start = before.map { content.lowerBound + $0.start + $0.child.size } ?? content.lowerBound
        let end =
            part.positions.upperBound < children.count
            ? content.lowerBound + children[part.positions.upperBound].start : content.upperBound
        let range = start + growths[part.edits.lowerBound]..<end + growths[part.edits.upperBound]
        let fragment = PropertyListFragment(
            isDictionary: node.element.isDictionary, depth: depth, isASCII: old.isASCII)
        guard let (read, count) = fragment.children(of: source[range]) else { return nil }
        elements += count - PropertyListTags.excess(in: old.source[start..<end], maximumElements: .max).elements
        let offset = start - content.lowerBound
        return read.map { ($0.child, $0.start + offset) }
    }

    /// Checks that the new entries equal the old ones except for the requested changes.
    private func saysEntries(
        _ replacements: [PropertyListReplacement], in children: PropertyListChildren,
        expecting changes: [PropertyListChange], depth: Int
    ) -> Bool {
        var expected: [String: FlagValue] = [:]
        for position in replacements.lazy.flatMap(\.positions) {
            let child = children[position].child
            expected[child.key] = child.element.value
        }
        var found: [String: FlagValue] = [:]
        var count = 0
        for (child, _) in replacements.lazy.flatMap(\.children) {
            // A key that the dictionary also has elsewhere would be a duplicate.
            guard expected[child.key] != nil || children.position(of: child.key) == nil else { return false }
            found[child.key] = child.element.value
            count += 1
        }
        var value = FlagValue.dictionary(expected)
        for change in changes { value.make(change.kind, at: change.path[depth...]) }
        return count == found.count && value == .dictionary(found)
    }

    /// Checks that the new elements equal the old ones except for the requested changes.
    private func saysItems(
        _ replacements: [PropertyListReplacement], in children: PropertyListChildren,
        expecting changes: [PropertyListChange], depth: Int
    ) -> Bool {
        let isInner = changes.allSatisfy { $0.path.count > depth + 1 }
        // An insertion or removal shifts the indices of other changes.
        guard isInner || (changes.count == 1 && replacements.count == 1) else { return false }
        var rest = changes
        for replacement in replacements {
            var value = FlagValue.array(replacement.positions.map { children[$0].child.element.value })
            rest.removeAll { change in
                guard case .index(let index) = change.path[depth],
                    !isInner || replacement.positions.contains(index)
                else { return false }
                let place = PathStep.index(index - replacement.positions.lowerBound)
                value.make(change.kind, at: [place] + change.path[(depth + 1)...])
                return true
            }
            guard value == .array(replacement.children.map(\.child.element.value)) else { return false }
        }
        return rest.isEmpty
    }
}

extension PropertyListChildren {
    fileprivate func position(of step: PathStep) -> Int? {
        switch step {
        case .key(let key): position(of: key)
        case .index(let index): 0..<count ~= index ? index : nil
        }
    }
}
