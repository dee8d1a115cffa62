import Foundation

/// The two lengths before each message between a program that reads source files and the process that asks it.
package struct SourceFrame {
    /// The bytes of a frame.
    package static let size = 16

    /// The seconds that the reading may take; 0 in an answer.
    package let seconds: Int
    /// The bytes of the message.
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

    /// The bytes of the frame.
    package var data: Data {
        Data(
            [seconds, count].flatMap { number in
                stride(from: 56, through: 0, by: -8).map { UInt8(truncatingIfNeeded: number >> $0) }
            })
    }
}

/// What a program answers that read a source file.
package enum SourceAnswer: Codable {
    case facts(SourceFacts)
    /// The code is nested more deeply than this.
    case tooDeep(Int)
}

extension FileHandle {
    /// Reads as many bytes as asked for, fewer only at the end.
    package func readWhole(_ count: Int) throws -> Data {
        var data = Data()
        while data.count < count, let more = try read(upToCount: count - data.count), !more.isEmpty { data += more }
        return data
    }
}
