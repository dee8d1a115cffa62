import Foundation

/// How a source is laid out: its line ends, its indentation, and the places of keys and values on a line.
struct PropertyListLayout {
    let bytes: [UInt8]
    let writer: PropertyListWriter
    /// Where lines start, in order: a source may be one long line, and each edit asks for its line.
    private let lineStarts: [Int]

    init(_ document: PropertyListDocument) {
        bytes = Array(document.source)
        let lineEnd = Self.lineEnd(of: bytes)
        let blank = PropertyListWriter(lineEnd: lineEnd, step: "", isASCII: document.isASCII)
        let lineStarts = Self.lineStarts(of: bytes)
        self.lineStarts = lineStarts
        let draft = PropertyListLayout(bytes: bytes, writer: blank, lineStarts: lineStarts)
        let rootIndent = draft.leadingBlanks(at: document.tree.range.lowerBound)
        writer = PropertyListWriter(
            lineEnd: lineEnd, step: draft.step(in: document.tree) ?? (rootIndent.isEmpty ? "\t" : rootIndent),
            isASCII: document.isASCII)
    }

    private init(bytes: [UInt8], writer: PropertyListWriter, lineStarts: [Int]) {
        self.bytes = bytes
        self.writer = writer
        self.lineStarts = lineStarts
    }

    private static func lineStarts(of bytes: [UInt8]) -> [Int] {
        var starts = [bytes.starts(with: Byte.orderMark) ? Byte.orderMark.count : 0]
        for (offset, byte) in bytes.enumerated() where Byte.isLineBreak(byte) { starts.append(offset + 1) }
        return starts
    }

    private static func lineEnd(of bytes: [UInt8]) -> String {
        guard let first = bytes.firstIndex(where: Byte.isLineBreak) else { return "\n" }
        guard bytes[first] == Byte.carriageReturn else { return "\n" }
        return bytes[(first + 1)...].first == Byte.lineFeed ? "\r\n" : "\r"
    }

    /// What the first dictionary that has lines of its own adds to its indentation.
    private func step(in node: PropertyListNode) -> String? {
        guard let entries = node.entries else { return nil }
        let base = leadingBlanks(at: node.range.lowerBound)
        for entry in entries {
            if let indent = indentation(of: entry.keyRange.lowerBound), indent.hasPrefix(base) {
                return String(indent.dropFirst(base.count))
            }
            if let step = step(in: entry.node) { return step }
        }
        return nil
    }

    func text(_ range: Range<Int>) -> String {
        String(decoding: bytes[range], as: UTF8.self)
    }

    /// Where the line that holds an offset starts.
    func lineStart(of offset: Int) -> Int {
        var (low, high) = (0, lineStarts.count)
        while low < high {
            let middle = (low + high) / 2
            if lineStarts[middle] <= offset { low = middle + 1 } else { high = middle }
        }
        return low == 0 ? offset : lineStarts[low - 1]
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
