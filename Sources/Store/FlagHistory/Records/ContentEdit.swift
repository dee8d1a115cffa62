import Foundation

/// The bytes that differ between two contents of a file.
///
/// Its size depends on the change, not on the file, and it can be undone.
package struct ContentEdit: Hashable, Sendable {
    package struct Splice: Hashable, Sendable {
        /// The offset in the content that earlier splices leave.
        package var start: Int
        package var old: Data
        package var new: Data
    }

    /// The splices in the order of application.
    package var splices: [Splice]

    package init(splices: [Splice]) { self.splices = splices }

    private var reversed: ContentEdit {
        ContentEdit(splices: splices.reversed().map { Splice(start: $0.start, old: $0.new, new: $0.old) })
    }

    /// Returns the content after; `nil` if the edit was made of another content.
    package func applied(to content: Data) -> Data? {
        var pieces = SplicedContent(content)
        return pieces.apply(self) ? pieces.content : nil
    }

    /// Returns the content before; `nil` if the edit doesn't lead to `content`.
    package func undone(in content: Data) -> Data? {
        reversed.applied(to: content)
    }
}

extension ContentEdit {
    /// Each splice's start and lengths of old and new as 8 bytes, big-endian, then old and new.
    var encoded: Data {
        var bytes = Data()
        for splice in splices {
            for number in [splice.start, splice.old.count, splice.new.count] {
                withUnsafeBytes(of: Int64(number).bigEndian) { bytes.append(contentsOf: $0) }
            }
            bytes.append(splice.old)
            bytes.append(splice.new)
        }
        return bytes
    }

    /// Decodes ``encoded``; `nil` for other bytes.
    init?(encoded: Data) {
        var rest = encoded[...]
        func number() -> Int? {
            guard rest.count >= 8 else { return nil }
            defer { rest = rest.dropFirst(8) }
            return Int(exactly: rest.prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) })
        }
        func bytes(_ count: Int) -> Data? {
            guard rest.count >= count else { return nil }
            defer { rest = rest.dropFirst(count) }
            return Data(rest.prefix(count))
        }
        var splices: [Splice] = []
        while !rest.isEmpty {
            guard let start = number(), let oldCount = number(), let newCount = number(), let old = bytes(oldCount),
                let new = bytes(newCount)
            else { return nil }
            splices.append(Splice(start: start, old: old, new: new))
        }
        self.init(splices: splices)
    }
}

/// A content under many edits, joined once at the end.
struct SplicedContent {
    /// None is empty.
    private var pieces: [Data]

    init(_ content: Data) {
        pieces = content.isEmpty ? [] : [content]
    }

    var content: Data {
        var content = Data(capacity: pieces.reduce(0) { $0 + $1.count })
        for piece in pieces { content.append(piece) }
        return content
    }

    /// Applies an edit; after `false` the content is unusable.
    mutating func apply(_ edit: ContentEdit) -> Bool {
        edit.splices.allSatisfy { apply($0) }
    }

    /// Applies an edit by its ``ContentEdit/encoded`` bytes.
    mutating func apply(encoded edit: Data) -> Bool {
        ContentEdit(encoded: edit).map { apply($0) } ?? false
    }

    private mutating func apply(_ splice: ContentEdit.Splice) -> Bool {
        let (end, overflows) = splice.start.addingReportingOverflow(splice.old.count)
        guard !overflows, let first = cut(at: splice.start), let last = cut(at: end) else { return false }
        var rest = splice.old[...]
        for piece in pieces[first..<last] {
            guard rest.prefix(piece.count) == piece else { return false }
            rest = rest.dropFirst(piece.count)
        }
        pieces.replaceSubrange(first..<last, with: splice.new.isEmpty ? [] : [splice.new])
        return true
    }

    /// Returns the index of the piece that starts at an offset, splitting one there; `nil` beyond the end.
    private mutating func cut(at place: Int) -> Int? {
        var start = 0
        for (index, piece) in pieces.enumerated() {
            if place == start { return index }
            if place < start + piece.count {
                let count = place - start
                pieces.replaceSubrange(index...index, with: [piece.prefix(count), piece.dropFirst(count)])
                return index + 1
            }
            start += piece.count
        }
        return place == start ? pieces.count : nil
    }
}
