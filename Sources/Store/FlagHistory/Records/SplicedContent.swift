import Foundation

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
