import Foundation

/// A program that reads source files for this process, and is ended by the kernel where a file takes too much.
///
/// The parser calls itself for each level of code, and takes twice the time for each level of some: a thread can be kept from
/// neither.
///
/// ```swift
/// let program = SourceProgram(executable: URL(filePath: "/usr/bin/flagboard"), arguments: ["source-reader"])
/// let index = SourceIndex(try SourceFolder(URL(filePath: "Sources")), program)
/// ```
package struct SourceProgram: Hashable, Sendable {
    /// The executable, which calls ``SourceService/run()``.
    let executable: URL
    /// Its arguments.
    let arguments: [String]
    /// The seconds of processor time that a small file may take.
    let seconds: Int

    /// Names the program.
    ///
    /// - Parameter seconds: The seconds of processor time that a small file may take; a large one has more.
    package init(executable: URL, arguments: [String], seconds: Int = 10) {
        (self.executable, self.arguments, self.seconds) = (executable, arguments, seconds)
    }

    /// The seconds of processor time that a text may take.
    func seconds(for text: Data) -> Int { seconds + text.count / Self.bytesOfSecond }

    /// The bytes for which a file has one second more: a program that was built for debugging parses that much.
    private static let bytesOfSecond = 64 * 1024
}

/// The two lengths before each message between a program that reads source files and the process that asks it.
struct SourceFrame {
    /// The bytes of a frame.
    static let size = 16

    /// The seconds that the reading may take; 0 in an answer.
    let seconds: Int
    /// The bytes of the message.
    let count: Int

    /// - Parameters:
    ///   - seconds: The seconds that the reading may take.
    ///   - count: The bytes of the message.
    init(seconds: Int = 0, count: Int) { (self.seconds, self.count) = (seconds, count) }

    /// - Parameter data: The bytes of the frame.
    init?(_ data: Data) {
        guard data.count == Self.size else { return nil }
        let numbers = stride(from: 0, to: Self.size, by: 8).map { start in
            data.dropFirst(start).prefix(8).reduce(0 as UInt64) { $0 << 8 | UInt64($1) }
        }
        guard let seconds = Int(exactly: numbers[0]), let count = Int(exactly: numbers[1]) else { return nil }
        self.init(seconds: seconds, count: count)
    }

    /// The bytes of the frame.
    var data: Data {
        Data(
            [seconds, count].flatMap { number in
                stride(from: 56, through: 0, by: -8).map { UInt8(truncatingIfNeeded: number >> $0) }
            })
    }
}

/// What a program answers that read a source file.
enum SourceAnswer: Codable {
    case facts(SourceFacts)
    /// The code is nested more deeply than this.
    case tooDeep(Int)
}

extension FileHandle {
    /// Reads as many bytes as asked for, fewer only at the end.
    func readWhole(_ count: Int) throws -> Data {
        var data = Data()
        while data.count < count, let more = try read(upToCount: count - data.count), !more.isEmpty { data += more }
        return data
    }
}
