import FeatureFlags
import Foundation

extension PropertyListDocument {
    /// Inserts an array's element with the layout of the one before it, or creates the array in the root dictionary.
    func inserting(
        _ value: FlagValue, behind place: Int?, of name: String, for key: FlagKeyPath
    ) throws(PropertyListEditError) -> PropertyListDocument {
        guard let array = tree.entry(name)?.node else {
            return try setting([([], [name: .array([value])])], for: key)
        }
        guard let items = array.items else { throw PropertyListEditError(.unsafe("\(name) is not an array"), key: key) }
        let layout = PropertyListLayout(self)
        let neighbour = place.flatMap { array.child(.index($0)) } ?? items.last
        let edit = neighbour.map { layout.element(value, behind: $0) } ?? layout.elements([value], in: array)
        let path: [PathStep] = [.key(name), .index(place.map { $0 + 1 } ?? items.count)]
        return try applying([edit], for: key, expecting: [PropertyListChange(path: path, kind: .insert(value))])
    }

    /// Inserts elements behind existing ones of a nonempty array, with the layout of single insertions in order.
    func inserting(
        _ runs: [(place: Int, values: [FlagValue])], of name: String, for key: FlagKeyPath?
    ) throws(PropertyListEditError) -> PropertyListDocument {
        guard let array = tree.entry(name)?.node, array.items != nil else {
            throw PropertyListEditError(.unsafe("\(name) is not an array"), key: key)
        }
        let layout = PropertyListLayout(self)
        var edits: [SourceEdit] = []
        var changes: [PropertyListChange] = []
        for (place, values) in runs {
            guard let neighbour = array.child(.index(place)) else { continue }
            var edit = SourceEdit(range: 0..<0, replacement: Data())
            for value in values {
                let next = layout.element(value, behind: neighbour)
                edit = SourceEdit(range: next.range, replacement: edit.replacement + next.replacement)
                let index = place + 1 + changes.count
                changes.append(PropertyListChange(path: [.key(name), .index(index)], kind: .insert(value)))
            }
            edits.append(edit)
        }
        return try applying(edits, for: key, expecting: changes)
    }

    func removing(
        element index: Int, of name: String, for key: FlagKeyPath
    ) throws(PropertyListEditError) -> PropertyListDocument {
        guard let node = node(at: [.key(name), .index(index)]) else { return self }
        let change = PropertyListChange(path: [.key(name), .index(index)], kind: .remove)
        return try applying(PropertyListLayout(self).cutting([node.range]), for: key, expecting: [change])
    }
}

extension PropertyListLayout {
    fileprivate func element(_ value: FlagValue, behind last: PropertyListNode) -> SourceEdit {
        let end = endWithComments(from: last.range.upperBound)
        return SourceEdit(range: end..<end, replacement: gap(before: last) + element(value, like: last))
    }

    /// Returns the edit that adds elements to an array behind its first `place` elements.
    func elements(
        _ added: [PropertyListValuePlan.AddedElement], at place: Int, of array: PropertyListNode
    ) -> SourceEdit {
        guard let items = array.items, let content = array.content, !items.isEmpty else {
            return elements(added.map(\.value), in: array)
        }
        let neighbour = items[max(place - 1, 0)]
        let end = endWithComments(from: place > 0 ? neighbour.range.upperBound : content.lowerBound)
        let gap = gap(before: neighbour)
        let text = added.reduce(into: Data()) { $0 += gap + ($1.bytes ?? element($1.value, like: neighbour)) }
        return SourceEdit(range: end..<end, replacement: text)
    }

    private func gap(before element: PropertyListNode) -> Data {
        let start = element.range.lowerBound
        return Data(
            (indentation(of: start).map { writer.lineEnd + $0 } ?? text(skippingBlanks(before: start)..<start)).utf8)
    }

    func element(_ value: FlagValue, like other: PropertyListNode) -> Data {
        let first = other.entries?.first.map { style(of: $0) }
        let isInline = other.entries?.isEmpty == false && first?.indent == nil
        let text = writer.element(
            value, indent: isInline ? nil : indentation(of: other.range.lowerBound),
            separator: isInline ? first?.separator ?? "" : first?.separator ?? writer.lineEnd)
        return Data(text.utf8)
    }

    fileprivate func elements(_ values: [FlagValue], in array: PropertyListNode) -> SourceEdit {
        let outer = indentation(of: array.range.lowerBound)
        let inner = outer.map { $0 + writer.step }
        let lead = inner.map { writer.lineEnd + $0 } ?? ""
        let elements = values.map { value in
            lead + writer.element(value, indent: inner, separator: inner == nil ? "" : writer.lineEnd)
        }.joined()
        let closing = outer.map { writer.lineEnd + $0 } ?? ""
        guard let content = array.content, !isWhitespace(content) else {
            return SourceEdit(range: array.range, replacement: "<array>\(elements)\(closing)</array>")
        }
        let lastMarkup = bytes[content].lastIndex { !Byte.isWhitespace($0) }.map { $0 + 1 } ?? content.lowerBound
        let closesOnOwnLine = hasLineBreak(lastMarkup..<content.upperBound)
        return SourceEdit(
            range: lastMarkup..<lastMarkup, replacement: elements + (closesOnOwnLine ? "" : closing))
    }
}
