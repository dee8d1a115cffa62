import FeatureFlags
import Foundation

extension PropertyListDocument {
    /// This document with one more element of an array in the root dictionary.
    ///
    /// The element stands and looks like the one before it. An array that is not there is made.
    ///
    /// - Parameters:
    ///   - value: The element; a writer can store it.
    ///   - place: The element to stand behind, from 0; `nil` for the last one.
    ///   - name: The array's key.
    ///   - key: What the edit is for.
    /// - Returns: The changed document.
    /// - Throws: Where there is something else in the array's place, or the edit turns out to change more than was asked.
    func inserting(
        _ value: FlagValue, behind place: Int?, of name: String, for key: FlagKeyPath
    ) throws(PropertyListEditError) -> PropertyListDocument {
        guard let array = tree.entry(name)?.node else {
            return try setting([([], [name: .array([value])])], for: key)
        }
        guard let items = array.items else { throw PropertyListEditError(.unsafe("\(name) is no array"), key: key) }
        let layout = PropertyListLayout(self)
        let neighbour = place.flatMap { array.child(.index($0)) } ?? items.last
        let edit = neighbour.map { layout.element(value, behind: $0) } ?? layout.elements([value], in: array)
        let path: [PathStep] = [.key(name), .index(place.map { $0 + 1 } ?? items.count)]
        return try applying([edit], for: key, expecting: [PropertyListChange(path: path, kind: .insert(value))])
    }

    /// This document with more elements of an array in the root dictionary, which has some.
    ///
    /// They stand and look as if they were added one by one, each behind the one before it.
    ///
    /// - Parameters:
    ///   - runs: What stands behind which element, from 0, in their order; a writer can store all of it.
    ///   - name: The array's key.
    ///   - key: What the edit is for, where that is one thing.
    /// - Returns: The changed document.
    /// - Throws: Where there is no such array, or the edit turns out to change more than was asked.
    func inserting(
        _ runs: [(place: Int, values: [FlagValue])], of name: String, for key: FlagKeyPath?
    ) throws(PropertyListEditError) -> PropertyListDocument {
        guard let array = tree.entry(name)?.node, array.items != nil else {
            throw PropertyListEditError(.unsafe("\(name) is no array"), key: key)
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

    /// This document without one element of an array in the root dictionary, and without the whitespace of its lines.
    ///
    /// - Parameters:
    ///   - index: The element, from 0.
    ///   - name: The array's key.
    ///   - key: What the edit is for.
    /// - Returns: The changed document, or this one where there is no such element.
    /// - Throws: Where the edit turns out to change more than was asked.
    func removing(
        element index: Int, of name: String, for key: FlagKeyPath
    ) throws(PropertyListEditError) -> PropertyListDocument {
        guard let node = node(at: [.key(name), .index(index)]) else { return self }
        let change = PropertyListChange(path: [.key(name), .index(index)], kind: .remove)
        return try applying(PropertyListLayout(self).cutting([node.range]), for: key, expecting: [change])
    }
}

extension PropertyListLayout {
    /// The edit that adds an element behind another of its array.
    fileprivate func element(_ value: FlagValue, behind last: PropertyListNode) -> SourceEdit {
        let end = endWithComments(from: last.range.upperBound)
        return SourceEdit(range: end..<end, replacement: gap(before: last) + element(value, like: last))
    }

    /// The edit that adds elements to an array.
    ///
    /// - Parameters:
    ///   - added: The elements.
    ///   - place: How many elements stand before them.
    ///   - array: The array.
    /// - Returns: The edit.
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

    /// What stands before an element: a line end and its indentation, or the blanks on its line.
    private func gap(before element: PropertyListNode) -> Data {
        let start = element.range.lowerBound
        return Data(
            (indentation(of: start).map { writer.lineEnd + $0 } ?? text(skippingBlanks(before: start)..<start)).utf8)
    }

    /// An element that looks like another one of its array.
    func element(_ value: FlagValue, like other: PropertyListNode) -> Data {
        let first = other.entries?.first.map { style(of: $0) }
        let isInline = other.entries?.isEmpty == false && first?.indent == nil
        let text = writer.element(
            value, indent: isInline ? nil : indentation(of: other.range.lowerBound),
            separator: isInline ? first?.separator ?? "" : first?.separator ?? writer.lineEnd)
        return Data(text.utf8)
    }

    /// The edit that adds the first elements of an array.
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
