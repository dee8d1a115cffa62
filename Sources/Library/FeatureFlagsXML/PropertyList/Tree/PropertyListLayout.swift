import Foundation

/// The line ends and the indentation of a source.
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

    func lineStart(of offset: Int) -> Int {
        if let end = map.lineEnd(before: offset) { return end }
        return offset >= Byte.orderMark.count && bytes.starts(with: Byte.orderMark) ? Byte.orderMark.count : 0
    }

    func leadingBlanks(at offset: Int) -> String {
        let start = lineStart(of: offset)
        return text(start..<skippingBlanks(from: start))
    }

    /// Returns the blanks before an offset, or `nil` if anything else precedes it on its line.
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

    /// Skips a line break; `\r\n` is one.
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

    /// Returns the end of the comments on the rest of the line, with the blanks behind them if the line ends there.
    func endWithComments(from offset: Int) -> Int {
        var end = offset
        var next = skippingBlanks(from: end)
        while let markupEnd = commentEnd(at: next) {
            end = markupEnd
            next = skippingBlanks(from: end)
        }
        return skippingLineBreak(at: next) == nil ? end : next
    }

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

    /// Returns the start of the comments before the offset on its line and on lines of their own directly above.
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

    /// Cuts ranges, as one if only blanks separate them.
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

    /// Widens a range by the whitespace of its own lines, so that no blank line remains.
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

struct PropertyListIndentation: Sendable, Equatable {
    let step: String?
    /// Later keys have no influence.
    private let place: Int?

    /// Finds the first dictionary with lines of its own, in most files the very first.
    init(of tree: PropertyListNode, in source: Data, map: SourceMap) {
        let layout = PropertyListLayout(
            bytes: source, map: map, writer: PropertyListWriter(lineEnd: "", step: "", isASCII: false))
        // Avoids a pass over all entries of a one-line file.
        let hasLines = map.lineEnd(before: tree.range.upperBound) ?? 0 > tree.range.lowerBound
        let found = hasLines ? Self.first(in: tree, layout) : nil
        step = found?.step
        place = found?.place
    }

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

    func stays(after edits: [SourceEdit]) -> Bool {
        guard let place, let first = edits.first else { return edits.isEmpty }
        return first.range.lowerBound > place
    }
}
