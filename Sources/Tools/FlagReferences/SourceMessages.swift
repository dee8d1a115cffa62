import Foundation

/// The header of a message of `flagboard-references`: two big-endian integers of 8 bytes.
package struct SourceFrame {
    package static let size = 16

    /// Processor time for reading, in seconds; 0 in an answer.
    package let seconds: Int
    /// The size of the message in bytes.
    package let count: Int

    package init(seconds: Int = 0, count: Int) { (self.seconds, self.count) = (seconds, count) }

    package init?(_ data: Data) {
        guard data.count == Self.size else { return nil }
        let numbers = stride(from: 0, to: Self.size, by: 8).map { start in
            data.dropFirst(start).prefix(8).reduce(0 as UInt64) { $0 << 8 | UInt64($1) }
        }
        guard let seconds = Int(exactly: numbers[0]), let count = Int(exactly: numbers[1]) else { return nil }
        self.init(seconds: seconds, count: count)
    }

    package var data: Data {
        Data(
            [seconds, count].flatMap { number in
                stride(from: 56, through: 0, by: -8).map { UInt8(truncatingIfNeeded: number >> $0) }
            })
    }
}

package enum SourceAnswer: Codable {
    case facts(SourceFacts)
    /// The allowed depth.
    case tooDeep(Int)
}

extension FileHandle {
    /// Reads fewer bytes only at the end.
    package func readWhole(_ count: Int) throws -> Data {
        var data = Data()
        while data.count < count, let more = try read(upToCount: count - data.count), !more.isEmpty { data += more }
        return data
    }
}
