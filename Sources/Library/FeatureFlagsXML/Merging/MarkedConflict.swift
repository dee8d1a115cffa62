import FeatureFlags
import Foundation

package struct MarkedConflict: Hashable, Sendable {
    /// The two versions that were merged; `nil` for an absent value.
    package struct Sides: Hashable, Sendable {
        package let ours: FlagValue?
        package let theirs: FlagValue?
    }

    package let place: FlagPlace
    package let sides: Sides?
    let range: Range<Int>

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

    /// A limit, since each split at the marker lines is parsed.
    private static let mostSplits = 64

    /// Reads the versions between the markers; a text may contain lines that look like markers.
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

    private static func marker(_ character: Character, _ label: String, _ line: String) -> Int? {
        let size = line.prefix { $0 == character }.count
        return size > 0 && line.dropFirst(size) == label ? size : nil
    }

    /// Returns an element's value or the absent one, or `nil` for other text.
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
    package var conflicts: [MarkedConflict] {
        guard hasConflictMarks else { return [] }
        return commentRanges.compactMap { MarkedConflict(at: $0, in: self) }
    }

    package func location(of conflict: MarkedConflict) -> SourceLocation {
        map.location(of: conflict.range.lowerBound)
    }

    package func value(at place: FlagPlace) -> FlagValue? { path(of: place).flatMap { value(of: $0) } }

    /// Removes the comments of conflicts, which restores the bytes from before ``PropertyListMerge/marked(size:)``.
    package func settling(_ places: Set<FlagPlace>) throws(PropertyListEditError) -> PropertyListDocument {
        var left = places
        let edits = conflicts.filter { left.remove($0.place) != nil }.map {
            SourceEdit(range: lineRange(of: $0.range), replacement: "")
        }
        return edits.isEmpty ? self : try applying(edits, for: nil, expecting: [])
    }

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

    /// Returns the comment's range with the blanks before it and the preceding line end.
    private func lineRange(of comment: Range<Int>) -> Range<Int> {
        let before = source[..<comment.lowerBound]
        let blank = before.lastIndex { !Byte.isBlank($0) }.map { $0 + 1 } ?? 0
        guard blank > 0, Byte.isLineBreak(source[blank - 1]) else { return comment }
        let isPair = blank > 1 && source[blank - 1] == Byte.lineFeed && source[blank - 2] == Byte.carriageReturn
        return (blank - (isPair ? 2 : 1))..<comment.upperBound
    }

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
                // A key may have spaces, and so be a prefix of another one.
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
