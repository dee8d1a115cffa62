import FeatureFlagsXML
import Foundation
import Testing

/// A file that is made to harm who reads it, and why it is refused, or its one value is; `Tests/Vectors/hostile-files.json` and
/// `broken-values.json` have them all.
struct HostileFile: Decodable, Sendable, CustomTestStringConvertible {
    let name: String
    /// What sort of attack it is.
    let kind: String
    /// What the reason must say.
    let says: String
    /// Where the fault is; `nil` where the file as a whole is at fault.
    let line, column: Int?
    private let parts: [Part]

    /// A stretch of the file: text, bytes, or a text that is repeated with `%d` in it as the number of its repetition.
    private enum Part: Decodable, Sendable {
        case text(String)
        case bytes([UInt8])
        case repetition(String, Int)

        private enum Keys: String, CodingKey { case hex, `repeat`, times }

        init(from decoder: any Decoder) throws {
            if let text = try? decoder.singleValueContainer().decode(String.self) {
                self = .text(text)
                return
            }
            let container = try decoder.container(keyedBy: Keys.self)
            if container.contains(.repeat) {
                self = .repetition(
                    try container.decode(String.self, forKey: .repeat), try container.decode(Int.self, forKey: .times))
                return
            }
            let digits = Array(try container.decode(String.self, forKey: .hex))
            let bytes = stride(from: 0, to: digits.count, by: 2).compactMap {
                UInt8(String(digits[$0...($0 + 1)]), radix: 16)
            }
            guard bytes.count * 2 == digits.count else {
                throw DecodingError.dataCorruptedError(
                    forKey: .hex, in: container, debugDescription: "no bytes in hexadecimal")
            }
            self = .bytes(bytes)
        }

        func append(to data: inout Data) {
            switch self {
            case .text(let text): data.append(contentsOf: text.utf8)
            case .bytes(let bytes): data.append(contentsOf: bytes)
            case .repetition(let text, let times):
                let pieces = text.components(separatedBy: "%d").map { Data($0.utf8) }
                for number in 0..<times {
                    for (index, piece) in pieces.enumerated() {
                        if index > 0 { data.append(contentsOf: String(number).utf8) }
                        data.append(piece)
                    }
                }
            }
        }
    }

    /// The limit that some of them are just over, in bytes: 16 MiB, which lets in 262,144 elements.
    static let maximumSize = 16 * 1024 * 1024

    /// The file.
    var source: Data {
        parts.reduce(into: Data()) { $1.append(to: &$0) }
    }

    var location: FeatureFlagsXML.SourceLocation? {
        guard let line, let column else { return nil }
        return FeatureFlagsXML.SourceLocation(line: line, column: column)
    }

    var testDescription: String { name }

    /// The files that are refused.
    static let all = read("hostile-files.json")
    /// The files that are read, with a broken value at `a`.
    static let withBrokenValues = read("broken-values.json")

    private static func read(_ name: String) -> [HostileFile] {
        let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../Vectors/\(name)")
        do {
            return try JSONDecoder().decode([HostileFile].self, from: Data(contentsOf: file))
        } catch {
            fatalError("the files of \(name) can't be read: \(error)")
        }
    }
}
