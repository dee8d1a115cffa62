import FeatureFlags
import Foundation

/// A conflict that ``PropertyListMerge/marked(size:)`` left in a file as a comment, and that is not settled yet.
package struct MarkedConflict: Hashable, Sendable {
    /// The two versions, as the merge found them; `nil` for nothing.
    package struct Sides: Hashable, Sendable {
        /// The version that the file kept.
        package let ours: FlagValue?
        /// The version that the comment alone holds.
        package let theirs: FlagValue?
    }

    /// The flag, or the field of the manifest.
    package let place: FlagPlace
    /// The versions; `nil` where the comment was edited since, and does not say them any more.
    package let sides: Sides?
    /// The bytes of the comment.
    let range: Range<Int>

    /// Reads a comment; `nil` for one that no merge left.
    fileprivate init?(at range: Range<Int>, in document: PropertyListDocument) {
        let comment = document.source[range]
        let opening = PropertyListMerge.opening.utf8
        guard comment.starts(with: opening) else { return nil }
        var lines = Self.lines(of: comment.dropFirst(opening.count).dropLast("-->".utf8.count))
        guard lines.count > 1, let size = Self.marker("<", PropertyListMerge.ourLabel, lines[1]),
            let title = Self.value(of: "<string>\(lines[0])</string>"), case .string(let text) = title
        else { return nil }
        let place = document.conflictPlace(text)
        if lines.last == "" { lines.removeLast() }
        self.place = place
        self.range = range
        guard Self.marker(">", PropertyListMerge.theirLabel, lines.removeLast()) == size else {
            sides = nil
            return
        }
        sides = Self.sides(lines.dropFirst(2), size, place)
    }

    /// The most ways of splitting a comment at its marker lines that are tried; each is parsed.
    private static let mostSplits = 64

    /// The versions between the markers: a text may have lines that look like one.
    private static func sides(_ lines: ArraySlice<String>, _ size: Int, _ place: FlagPlace) -> Sides? {
        let bases = lines.indices.filter { marker("|", PropertyListMerge.baseLabel, lines[$0]) == size }
        let middles = lines.indices.filter { marker("=", "", lines[$0]) == size }
        guard bases.count * middles.count <= mostSplits else { return nil }
        for base in bases {
            guard let ours = version(lines[..<base], place) else { continue }
            for middle in middles where middle > base {
                guard version(lines[(base + 1)..<middle], place) != nil,
                    let theirs = version(lines[(middle + 1)...], place)
                else { continue }
                return Sides(ours: ours, theirs: theirs)
            }
        }
        return nil
    }

    /// The length of a marker line; `nil` for any other line.
    private static func marker(_ character: Character, _ label: String, _ line: String) -> Int? {
        let size = line.prefix { $0 == character }.count
        return size > 0 && line.dropFirst(size) == label ? size : nil
    }

    /// One version: an element, or the words for nothing; `nil` where it is neither.
    private static func version(_ lines: ArraySlice<String>, _ place: FlagPlace) -> FlagValue?? {
        let text = lines.joined(separator: "\n")
        return text == place.absence ? .some(nil) : value(of: text).map { .some($0) }
    }

    private static func value(of element: String) -> FlagValue? {
        let list = PropertyListWriter.header + element + PropertyListWriter.footer
        guard case .success(let document) = Result(catching: { try PropertyListDocument(source: Data(list.utf8)) })
        else { return nil }
        return document.root
    }

    /// The lines of a text, whatever ends them.
    private static func lines(of text: Data) -> [String] {
        var lines: [[UInt8]] = [[]]
        var isAfterReturn = false
        for byte in text {
            if Byte.isLineBreak(byte) {
                if byte == Byte.carriageReturn || !isAfterReturn { lines.append([]) }
            } else {
                lines[lines.count - 1].append(byte)
            }
            isAfterReturn = byte == Byte.carriageReturn
        }
        return lines.map { String(decoding: $0, as: UTF8.self) }
    }
}

extension PropertyListDocument {
    /// The conflicts of merges that are not settled yet, in the order of the file.
    package var conflicts: [MarkedConflict] {
        guard hasConflictMarks else { return [] }
        return commentRanges.compactMap { MarkedConflict(at: $0, in: self) }
    }

    /// The start of a conflict's comment, as an editor shows it.
    package func location(of conflict: MarkedConflict) -> SourceLocation {
        map.location(of: conflict.range.lowerBound)
    }

    /// The value at a place; `nil` for nothing.
    package func value(at place: FlagPlace) -> FlagValue? { path(of: place).flatMap { value(of: $0) } }

    /// This document without the comments of conflicts, each with its line: the bytes of before the merge marked them.
    ///
    /// - Parameter places: The places; of two conflicts of one place, the first goes.
    /// - Returns: The changed document, or this one where no such conflict is left.
    /// - Throws: Where the edit turns out to change a value.
    package func settling(_ places: Set<FlagPlace>) throws(PropertyListEditError) -> PropertyListDocument {
        var left = places
        let edits = conflicts.filter { left.remove($0.place) != nil }.map {
            SourceEdit(range: lineRange(of: $0.range), replacement: "")
        }
        return edits.isEmpty ? self : try applying(edits, for: nil, expecting: [])
    }

    /// Whether bytes have the start of a comment that a merge leaves.
    static func holdsConflictMark(_ source: Data) -> Bool {
        source.withUnsafeBytes { bytes in
            let opening = Array(PropertyListMerge.opening.utf8)
            var rest = bytes[...]
            while let start = rest.firstIndex(of: Byte.less) {
                if bytes[start...].starts(with: opening) { return true }
                rest = bytes[(start + 1)...]
            }
            return false
        }
    }

    /// A comment with what is before it on its line, and the end of the line before.
    private func lineRange(of comment: Range<Int>) -> Range<Int> {
        let before = source[..<comment.lowerBound]
        let blank = before.lastIndex { !Byte.isBlank($0) }.map { $0 + 1 } ?? 0
        guard blank > 0, Byte.isLineBreak(source[blank - 1]) else { return comment }
        let isPair = blank > 1 && source[blank - 1] == Byte.lineFeed && source[blank - 2] == Byte.carriageReturn
        return (blank - (isPair ? 2 : 1))..<comment.upperBound
    }

    /// The place that the title of a conflict names; see ``FlagPlace/text``.
    fileprivate func conflictPlace(_ text: String) -> FlagPlace {
        guard case .integer? = tree.entry("version")?.node.value, tree.entry("flags")?.node.items != nil else {
            return FlagPlace(value: FlagKeyPath(longText: text) ?? FlagKeyPath(components: [text]))
        }
        let group = "group "
        let kind: FlagPlace.Kind = text.hasPrefix(group) ? .collection : .definition
        let name = kind == .collection ? String(text.dropFirst(group.count)) : text
        var key: String?
        if let array = kind.array, let items = tree.entry(array)?.node.items {
            for item in items {
                // A key may have spaces, and so be the beginning of another one.
                guard case .string(let known)? = item.entry("key")?.node.value,
                    name == known || name.hasPrefix("\(known) "), known.count > key?.count ?? -1
                else { continue }
                key = known
            }
        }
        return conflictPlace(
            kind, name, key: key ?? String(name.prefix(upTo: name.lastIndex(of: " ") ?? name.endIndex)))
    }

    private func conflictPlace(_ kind: FlagPlace.Kind, _ name: String, key: String) -> FlagPlace {
        let field = name.dropFirst(key.count).dropFirst()
        return FlagPlace(entry: key, of: kind, field: field.isEmpty ? nil : String(field))
    }
}
