import Foundation

/// What turns one content of a file into the next: the few stretches of bytes that differ.
///
/// It costs as much as it changes, however large the file is, and can be undone.
///
///     let edit = ContentEdit(from: before, to: after)
///     edit.applied(to: before) == after
///     edit.undone(in: after) == before
public struct ContentEdit: Hashable, Sendable {
    /// A stretch of bytes that is replaced.
    public struct Splice: Hashable, Sendable {
        /// Where it begins, in the content as the splices before it leave it.
        public var start: Int
        /// The bytes that are there.
        public var old: Data
        /// The bytes that take their place.
        public var new: Data

        /// Makes a splice.
        public init(start: Int, old: Data, new: Data) {
            self.start = start
            self.old = old
            self.new = new
        }
    }

    /// What is replaced, one after the other.
    public var splices: [Splice]

    /// Makes an edit.
    public init(splices: [Splice]) {
        self.splices = splices
    }

    /// Makes the edit, from the last splice to the first, that takes this one back.
    private var reversed: ContentEdit {
        ContentEdit(splices: splices.reversed().map { Splice(start: $0.start, old: $0.new, new: $0.old) })
    }

    /// The content after the edit.
    ///
    /// - Parameter content: The content before.
    /// - Returns: `nil` where it was made of another content.
    public func applied(to content: Data) -> Data? {
        var pieces = SplicedContent(content)
        return pieces.apply(self) ? pieces.content : nil
    }

    /// The content before the edit.
    ///
    /// - Parameter content: The content after.
    /// - Returns: `nil` where the edit did not lead to that content.
    public func undone(in content: Data) -> Data? {
        reversed.applied(to: content)
    }
}

extension ContentEdit {
    /// The bytes in which it is stored: for each splice its start, the lengths of old and new, each as 8 bytes with the most
    /// significant first, then old and new.
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

    /// Reads what ``encoded`` gives; `nil` for any other bytes.
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

/// A content that many edits are made in, one after the other: its pieces are put together once, at the end.
struct SplicedContent {
    /// Parts of the first content and of the edits; none is empty.
    private var pieces: [Data]

    init(_ content: Data) {
        pieces = content.isEmpty ? [] : [content]
    }

    /// The content as the edits leave it.
    var content: Data {
        var content = Data(capacity: pieces.reduce(0) { $0 + $1.count })
        for piece in pieces { content.append(piece) }
        return content
    }

    /// Makes an edit.
    ///
    /// - Returns: Whether it fits; where it doesn't, the content is of no use any more.
    mutating func apply(_ edit: ContentEdit) -> Bool {
        edit.splices.allSatisfy { apply($0) }
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

    /// Makes a piece begin at a place.
    ///
    /// - Returns: Which one; `nil` where the content ends before.
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
