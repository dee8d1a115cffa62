import Foundation

/// How a source is laid out: its line ends, its indentation, and the places of keys and values on a line.
struct PropertyListLayout {
    let bytes: Data
    let writer: PropertyListWriter
    private let map: SourceMap

    init(bytes: Data, map: SourceMap, writer: PropertyListWriter) {
        self.bytes = bytes
        self.map = map
        self.writer = writer
    }

    func text(_ range: Range<Int>) -> String {
        String(decoding: bytes[range], as: UTF8.self)
    }

    /// Where the line that holds an offset starts.
    func lineStart(of offset: Int) -> Int {
        if let end = map.lineEnd(before: offset) { return end }
        return offset >= Byte.orderMark.count && bytes.starts(with: Byte.orderMark) ? Byte.orderMark.count : 0
    }

    /// The blanks at the start of the line that holds an offset.
    func leadingBlanks(at offset: Int) -> String {
        let start = lineStart(of: offset)
        return text(start..<skippingBlanks(from: start))
    }

    /// The blanks before an offset, where nothing else stands before it on its line.
    func indentation(of offset: Int) -> String? {
        let start = lineStart(of: offset)
        return skippingBlanks(from: start) == offset ? text(start..<offset) : nil
    }

    func skippingBlanks(from offset: Int) -> Int {
        bytes[offset...].firstIndex { !Byte.isBlank($0) } ?? bytes.count
    }

    func skippingBlanks(before offset: Int) -> Int {
        bytes[..<offset].lastIndex { !Byte.isBlank($0) }.map { $0 + 1 } ?? 0
    }

    /// The offset past a line break, `\r\n` being one; `nil` where there is none.
    func skippingLineBreak(at offset: Int) -> Int? {
        guard offset < bytes.count, Byte.isLineBreak(bytes[offset]) else { return nil }
        let isPair =
            bytes[offset] == Byte.carriageReturn && offset + 1 < bytes.count && bytes[offset + 1] == Byte.lineFeed
        return offset + (isPair ? 2 : 1)
    }

    func isWhitespace(_ range: Range<Int>) -> Bool {
        bytes[range].allSatisfy(Byte.isWhitespace)
    }

    func hasLineBreak(_ range: Range<Int>) -> Bool {
        bytes[range].contains(where: Byte.isLineBreak)
    }

    /// The end of what belongs to something that ends at an offset: comments on the rest of its line, and the blanks
    /// behind them where the line then ends.
    func endWithComments(from offset: Int) -> Int {
        var end = offset
        var next = skippingBlanks(from: end)
        while let markupEnd = commentEnd(at: next) {
            end = markupEnd
            next = skippingBlanks(from: end)
        }
        return skippingLineBreak(at: next) == nil ? end : next
    }

    /// The end of the comment or processing instruction that starts at an offset.
    private func commentEnd(at offset: Int) -> Int? {
        for (opening, closing) in [("<!--", "-->"), ("<?", "?>")] where bytes[offset...].starts(with: opening.utf8) {
            let tail = Array(closing.utf8)
            var index = offset + opening.utf8.count
            while index + tail.count <= bytes.count {
                if bytes[index..<(index + tail.count)].elementsEqual(tail) { return index + tail.count }
                index += 1
            }
        }
        return nil
    }

    /// The start of the comments that belong to something that starts at an offset: those before it on its line, and
    /// those on lines of their own directly above.
    func startWithComments(before offset: Int, notBefore limit: Int) -> Int {
        var start = startOfComments(endingAt: offset, notBefore: limit)
        while indentation(of: start) != nil {
            let line = lineStart(of: start)
            guard line > limit, let above = bytes[limit..<line].lastIndex(where: { !Byte.isWhitespace($0) }),
                lineBreaks(in: (above + 1)..<line) == 1,
                case let comments = startOfComments(endingAt: above + 1, notBefore: limit), comments <= above,
                indentation(of: comments) != nil
            else { break }
            start = comments
        }
        return start
    }

    /// The start of the comments that end at an offset with nothing but blanks between them; the offset where there are
    /// none.
    private func startOfComments(endingAt end: Int, notBefore limit: Int) -> Int {
        var start = end
        while case let blanks = max(limit, skippingBlanks(before: start)),
            let comment = commentStart(endingAt: blanks, notBefore: limit)
        {
            start = comment
        }
        return start
    }

    private func commentStart(endingAt end: Int, notBefore limit: Int) -> Int? {
        guard bytes[limit..<end].suffix(3).elementsEqual("-->".utf8) else { return nil }
        return (limit..<end).reversed().first { bytes[$0...].starts(with: "<!--".utf8) }
    }

    private func lineBreaks(in range: Range<Int>) -> Int {
        var count = 0
        var offset = range.lowerBound
        while offset < range.upperBound {
            let next = skippingLineBreak(at: offset)
            if next != nil { count += 1 }
            offset = next ?? offset + 1
        }
        return count
    }

    /// The edits that cut ranges; those with nothing but blanks between them are cut as one.
    func cutting(_ ranges: [Range<Int>]) -> [SourceEdit] {
        var runs: [Range<Int>] = []
        for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) {
            if let last = runs.last, skippingBlanks(from: last.upperBound) >= range.lowerBound {
                runs[runs.count - 1] = last.lowerBound..<max(last.upperBound, range.upperBound)
            } else {
                runs.append(range)
            }
        }
        return runs.map { SourceEdit(range: widened($0), replacement: "") }
    }

    /// A range to cut, with the whitespace of its own lines, so that no blank line remains.
    private func widened(_ range: Range<Int>) -> Range<Int> {
        let lineStart = lineStart(of: range.lowerBound)
        let start = max(lineStart, skippingBlanks(before: range.lowerBound))
        let end = skippingBlanks(from: range.upperBound)
        switch (start == lineStart, skippingLineBreak(at: end)) {
        case (true, let lineEnd?): return start..<lineEnd
        case (true, nil): return range.lowerBound..<end
        case (false, .some): return start..<end
        case (false, nil): return start..<range.upperBound
        }
    }
}

/// What one level of indentation adds in a file.
struct PropertyListIndentation: Sendable, Equatable {
    /// The blanks; `nil` where no dictionary has lines of its own.
    let step: String?
    /// The key that shows it: what stands behind that has no say.
    private let place: Int?

    /// Looks for the first dictionary that has lines of its own; in most files that is the first of all.
    init(of tree: PropertyListNode, in source: Data, map: SourceMap) {
        let layout = PropertyListLayout(
            bytes: source, map: map, writer: PropertyListWriter(lineEnd: "", step: "", isASCII: false))
        // In a file of one line, a look at each entry would only show that.
        let hasLines = map.lineEnd(before: tree.range.upperBound) ?? 0 > tree.range.lowerBound
        let found = hasLines ? Self.first(in: tree, layout) : nil
        step = found?.step
        place = found?.place
    }

    /// What the first dictionary that has lines of its own adds to its indentation, and where.
    private static func first(
        in node: PropertyListNode, _ layout: PropertyListLayout
    ) -> (step: String, place: Int)? {
        guard let entries = node.entries else { return nil }
        let base = layout.leadingBlanks(at: node.range.lowerBound)
        for entry in entries {
            let start = entry.keyRange.lowerBound
            if let indent = layout.indentation(of: start), indent.hasPrefix(base) {
                return (String(indent.dropFirst(base.count)), start)
            }
            if let found = first(in: entry.node, layout) { return found }
        }
        return nil
    }

    /// Whether this still holds once edits are made.
    func stays(after edits: [SourceEdit]) -> Bool {
        guard let place, let first = edits.first else { return edits.isEmpty }
        return first.range.lowerBound > place
    }
}
