import Foundation

/// The lines of a source.
///
/// They are counted by block: a source may consist of line ends alone, and a table of lines would outgrow it.
struct SourceMap: Sendable {
    private static let blockSize = 4096

    private struct Block {
        var end: Int
        /// The number of lines that end before the block's end.
        var lines: Int
        /// The number of Unicode scalars that begin before the block's end.
        var scalars: Int

        static let none = Block(end: 0, lines: 0, scalars: 0)
    }

    private let source: Data
    private let blocks: [Block]

    init(_ source: Data) {
        self.source = source
        blocks = source.withUnsafeBytes { Self.blocks(of: 0..<$0.count, in: $0, after: .none) }
    }

    /// Creates the map of an edited source, reading only the blocks of the edits.
    init(_ source: Data, from old: SourceMap, edits: [SourceEdit]) {
        self.source = source
        blocks = source.withUnsafeBytes { bytes in
            var blocks: [Block] = []
            blocks.reserveCapacity(old.blocks.count + edits.count)
            // The distance by which the edits so far have moved the blocks behind them.
            var (growth, moreLines, moreScalars, next) = (0, 0, 0, 0)
            func keep(to end: Int) {
                for block in old.blocks[next..<end] {
                    blocks.append(
                        Block(
                            end: block.end + growth, lines: block.lines + moreLines,
                            scalars: block.scalars + moreScalars))
                }
                next = end
            }
            var edits = edits[...]
            while let first = edits.popFirst() {
                // Whether a carriage return ends a line depends on the following byte, possibly in the next block.
                keep(to: max(next, old.block(holding: max(first.range.lowerBound - 1, 0))))
                let start = blocks.last?.end ?? 0
                var end = old.block(holding: first.range.upperBound)
                growth += first.growth
                while let edit = edits.first, old.block(holding: max(edit.range.lowerBound - 1, 0)) <= end {
                    end = max(end, old.block(holding: edit.range.upperBound))
                    growth += edit.growth
                    edits.removeFirst()
                }
                next = min(end + 1, old.blocks.count)
                let oldEnd = next > 0 ? old.blocks[next - 1] : .none
                blocks += Self.blocks(of: start..<(oldEnd.end + growth), in: bytes, after: blocks.last ?? .none)
                let newEnd = blocks.last ?? .none
                (moreLines, moreScalars) = (newEnd.lines - oldEnd.lines, newEnd.scalars - oldEnd.scalars)
            }
            keep(to: old.blocks.count)
            return blocks
        }
    }

    private static func blocks(of range: Range<Int>, in bytes: UnsafeRawBufferPointer, after last: Block) -> [Block] {
        guard !range.isEmpty else { return [] }
        var (lines, scalars) = (last.lines, last.scalars)
        let parts = max(1, range.count / blockSize)
        return (0..<parts).map { part in
            let start = range.lowerBound + range.count * part / parts
            let end = range.lowerBound + range.count * (part + 1) / parts
            lines += lineEnds(in: start..<end, of: bytes)
            scalars += self.scalars(in: start..<end, of: bytes)
            return Block(end: end, lines: lines, scalars: scalars)
        }
    }

    /// Counts the Unicode scalars that begin in a range.
    private static func scalars(in range: Range<Int>, of bytes: UnsafeRawBufferPointer) -> Int {
        guard let base = bytes.baseAddress else { return 0 }
        var count = 0
        for offset in range { count &+= base.load(fromByteOffset: offset, as: UInt8.self) & 0xC0 != 0x80 ? 1 : 0 }
        return count
    }

    /// Counts line ends; a carriage return before a line feed is not one.
    private static func lineEnds(in range: Range<Int>, of bytes: UnsafeRawBufferPointer) -> Int {
        guard let base = bytes.baseAddress, !range.isEmpty else { return 0 }
        var count = 0
        // No line feed follows the last byte of the source.
        for offset in range.lowerBound..<min(range.upperBound, bytes.count - 1) {
            let byte = base.load(fromByteOffset: offset, as: UInt8.self)
            let following = base.load(fromByteOffset: offset + 1, as: UInt8.self)
            count &+= byte == Byte.lineFeed ? 1 : 0
            count &+= byte == Byte.carriageReturn && following != Byte.lineFeed ? 1 : 0
        }
        if range.upperBound == bytes.count, Byte.isLineBreak(bytes[bytes.count - 1]) { count += 1 }
        return count
    }

    /// Returns the block of an offset, the last one for an offset past the end.
    private func block(holding offset: Int) -> Int {
        var (low, high) = (0, max(blocks.count - 1, 0))
        while low < high {
            let middle = (low + high) / 2
            if blocks[middle].end > offset { high = middle } else { low = middle + 1 }
        }
        return low
    }

    private func start(ofBlock block: Int) -> Int { block > 0 ? blocks[block - 1].end : 0 }
    private func lines(beforeBlock block: Int) -> Int { block > 0 ? blocks[block - 1].lines : 0 }

    func location(of offset: Int) -> SourceLocation {
        let end = min(offset, source.count)
        return source.withUnsafeBytes { bytes in
            guard !blocks.isEmpty else { return SourceLocation(line: 1, column: 1) }
            let block = block(holding: end)
            let range = self.start(ofBlock: block)..<end
            let line = lines(beforeBlock: block) + Self.lineEnds(in: range, of: bytes)
            var start = lineEnd(before: end, isPairWhole: true) ?? 0
            if start == 0, bytes.starts(with: Byte.orderMark) { start = min(3, end) }
            let column = scalars(before: end, in: bytes) - scalars(before: start, in: bytes) + 1
            return SourceLocation(line: line + 1, column: column)
        }
    }

    private func scalars(before offset: Int, in bytes: UnsafeRawBufferPointer) -> Int {
        let block = block(holding: offset)
        return (block > 0 ? blocks[block - 1].scalars : 0)
            + Self.scalars(in: start(ofBlock: block)..<offset, of: bytes)
    }

    /// Returns the offset past the last line break before an offset; `isPairWhole` skips the first half of `\r\n`.
    func lineEnd(before offset: Int, isPairWhole: Bool = false) -> Int? {
        source.withUnsafeBytes { bytes in
            var block = block(holding: offset)
            var end = min(offset, bytes.count)
            while !blocks.isEmpty {
                let start = start(ofBlock: block)
                for place in (start..<end).reversed() {
                    if bytes[place] == Byte.lineFeed { return place + 1 }
                    if bytes[place] == Byte.carriageReturn {
                        let isPair = place + 1 < bytes.count && bytes[place + 1] == Byte.lineFeed
                        if !isPair || !isPairWhole { return place + 1 }
                    }
                }
                // A block without a line end may still contain one half of a pair, with the other half behind it.
                while block > 0, lines(beforeBlock: block) == lines(beforeBlock: block - 1) { block -= 1 }
                guard block > 0 else { return nil }
                block -= 1
                end = blocks[block].end
            }
            return nil
        }
    }

    func lineBreak(from offset: Int) -> Int? {
        source.withUnsafeBytes { bytes in
            guard !blocks.isEmpty else { return nil }
            var block = block(holding: offset)
            var start = offset
            while block < blocks.count {
                if start > offset, blocks[block].lines == lines(beforeBlock: block) {
                    start = blocks[block].end
                    block += 1
                    continue
                }
                if let found = bytes[start..<blocks[block].end].firstIndex(where: Byte.isLineBreak) {
                    // Half a pair may be the last byte of a block without a line end.
                    let isPair =
                        found > offset && bytes[found] == Byte.lineFeed && bytes[found - 1] == Byte.carriageReturn
                    return isPair ? found - 1 : found
                }
                start = blocks[block].end
                block += 1
            }
            return nil
        }
    }
}

/// A place in a text file, as an editor shows it.
///
/// ```swift
/// let place = SourceLocation(line: 12, column: 3)
/// print(place)  // line 12, column 3
/// ```
public struct SourceLocation: Hashable, Sendable {
    /// The line, from 1; a line feed, a carriage return or both end one.
    public let line: Int
    /// The column in Unicode scalars, from 1; a byte order mark does not count.
    public let column: Int

    /// Creates a location.
    ///
    /// - Parameters:
    ///   - line: The line, from 1.
    ///   - column: The column in Unicode scalars, from 1.
    public init(line: Int, column: Int) {
        self.line = line
        self.column = column
    }
}

extension SourceLocation: CustomStringConvertible {
    /// The location in words: `line 3, column 7`.
    public var description: String { "line \(line), column \(column)" }
}

enum Byte {
    static let tab = UInt8(ascii: "\t")
    static let lineFeed = UInt8(ascii: "\n")
    static let carriageReturn = UInt8(ascii: "\r")
    static let space = UInt8(ascii: " ")
    static let less = UInt8(ascii: "<")
    static let greater = UInt8(ascii: ">")
    static let slash = UInt8(ascii: "/")
    static let openBracket = UInt8(ascii: "[")
    static let orderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

    static func isBlank(_ byte: UInt8) -> Bool { byte == space || byte == tab }
    static func isLineBreak(_ byte: UInt8) -> Bool { byte == lineFeed || byte == carriageReturn }
    static func isWhitespace(_ byte: UInt8) -> Bool { isBlank(byte) || isLineBreak(byte) }
}

package struct SourceEdit: Hashable, Sendable {
    package let range: Range<Int>
    package internal(set) var replacement: Data

    init(range: Range<Int>, replacement: String) {
        self.init(range: range, replacement: Data(replacement.utf8))
    }

    package init(range: Range<Int>, replacement: Data) {
        self.range = range
        self.replacement = replacement
    }

    var growth: Int { replacement.count - range.count }

    static func apply(_ edits: [SourceEdit], to source: Data) -> Data {
        var result = Data(capacity: source.count + edits.reduce(0) { $0 + $1.replacement.count })
        var offset = 0
        for edit in edits {
            result.append(source[offset..<edit.range.lowerBound])
            result.append(edit.replacement)
            offset = edit.range.upperBound
        }
        result.append(source[offset...])
        return result
    }
}
