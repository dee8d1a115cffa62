import Foundation

/// Where each line of a source starts, to turn byte offsets into lines and columns.
struct SourceMap: Sendable {
    private let source: Data
    private let lineStarts: [Int]

    init(_ source: Data) {
        self.source = source
        lineStarts = source.withUnsafeBytes { bytes in
            var starts = [0]
            for (offset, byte) in bytes.enumerated() where byte == Byte.lineFeed || byte == Byte.carriageReturn {
                let isFirstOfPair =
                    byte == Byte.carriageReturn && offset + 1 < bytes.count && bytes[offset + 1] == Byte.lineFeed
                if !isFirstOfPair { starts.append(offset + 1) }
            }
            return starts
        }
    }

    func location(of offset: Int) -> SourceLocation {
        var low = 0
        var high = lineStarts.count
        while high - low > 1 {
            let middle = (low + high) / 2
            if lineStarts[middle] <= offset { low = middle } else { high = middle }
        }
        let end = min(offset, source.count)
        var start = lineStarts[low]
        if start == 0, source.starts(with: Byte.orderMark) { start = min(3, end) }
        let scalars = source.withUnsafeBytes { bytes in
            bytes[start..<max(start, end)].count { $0 & 0xC0 != 0x80 }
        }
        return SourceLocation(line: low + 1, column: scalars + 1)
    }
}
