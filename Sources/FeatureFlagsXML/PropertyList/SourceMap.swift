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
                count += Self.lineEnds(in: start..<min(start + Self.blockSize, bytes.count), of: bytes).count
            }
            return counts
        }
    }

    /// How many lines end in a range, and where the last of them leaves off.
    ///
    /// A carriage return with a line feed after it is no end.
    private static func lineEnds(in range: Range<Int>, of bytes: UnsafeRawBufferPointer) -> (count: Int, last: Int?) {
        var (count, last): (Int, Int?) = (0, nil)
        guard let base = bytes.baseAddress else { return (0, nil) }
        for end in [Byte.lineFeed, Byte.carriageReturn] {
            var offset = range.lowerBound
            while offset < range.upperBound, let found = memchr(base + offset, Int32(end), range.upperBound - offset) {
                offset = UnsafeRawPointer(found) - base + 1
                if end == Byte.carriageReturn, offset < bytes.count, bytes[offset] == Byte.lineFeed { continue }
                count += 1
                last = max(last ?? 0, offset)
            }
        }
        return (count, last)
    }

    func location(of offset: Int) -> SourceLocation {
        let end = min(offset, source.count)
        return source.withUnsafeBytes { bytes in
            guard !linesBefore.isEmpty else { return SourceLocation(line: 1, column: 1) }
            var block = min(end / Self.blockSize, linesBefore.count - 1)
            let ends = Self.lineEnds(in: block * Self.blockSize..<end, of: bytes)
            let line = linesBefore[block] + ends.count
            var start = ends.last ?? 0
            while start == 0, line > 0 {
                block -= 1
                guard linesBefore[block] < line else { continue }
                let range = block * Self.blockSize..<(block + 1) * Self.blockSize
                start = Self.lineEnds(in: range, of: bytes).last ?? 0
            }
            if start == 0, bytes.starts(with: Byte.orderMark) { start = min(3, end) }
            return SourceLocation(line: line + 1, column: bytes[start..<end].count { $0 & 0xC0 != 0x80 } + 1)
        }
    }
}
