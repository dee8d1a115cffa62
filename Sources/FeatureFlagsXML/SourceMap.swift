import Foundation

/// The lines of a source, to turn byte offsets into lines and columns.
///
/// Counts lines by blocks, since a source may be nothing but line ends, and a note of each would take more room than it does.
struct SourceMap: Sendable {
    private static let blockSize = 4096

    private let source: Data
    /// How many lines end before each block.
    private let linesBefore: [Int]

    init(_ source: Data) {
        self.source = source
        linesBefore = source.withUnsafeBytes { bytes in
            var counts: [Int] = []
            var count = 0
            for start in stride(from: 0, to: bytes.count, by: Self.blockSize) {
                counts.append(count)
                count += Self.lineEnds(in: start..<min(start + Self.blockSize, bytes.count), of: bytes)
            }
            return counts
        }
    }

    /// How many lines end in a range; a carriage return with a line feed after it is no end.
    private static func lineEnds(in range: Range<Int>, of bytes: UnsafeRawBufferPointer) -> Int {
        var count = 0
        for offset in range where isLineEnd(offset, bytes) { count += 1 }
        return count
    }

    private static func isLineEnd(_ offset: Int, _ bytes: UnsafeRawBufferPointer) -> Bool {
        let byte = bytes[offset]
        guard byte <= Byte.carriageReturn else { return false }
        return byte == Byte.lineFeed
            || byte == Byte.carriageReturn && (offset + 1 == bytes.count || bytes[offset + 1] != Byte.lineFeed)
    }

    func location(of offset: Int) -> SourceLocation {
        let end = min(offset, source.count)
        return source.withUnsafeBytes { bytes in
            let block = min(end / Self.blockSize, max(0, linesBefore.count - 1))
            let before = linesBefore.isEmpty ? 0 : linesBefore[block]
            let line = before + Self.lineEnds(in: block * Self.blockSize..<end, of: bytes)
            var start = end
            while start > 0, !Self.isLineEnd(start - 1, bytes) { start -= 1 }
            if start == 0, bytes.starts(with: Byte.orderMark) { start = min(3, end) }
            return SourceLocation(line: line + 1, column: bytes[start..<end].count { $0 & 0xC0 != 0x80 } + 1)
        }
    }
}
