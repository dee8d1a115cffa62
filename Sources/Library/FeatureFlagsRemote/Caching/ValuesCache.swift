import DurableFiles
import FeatureFlags
import Foundation

/// A file that keeps the last good values of one source, for when the process starts without being able to get any.
///
/// It is replaced at one stroke, and only its owner may read it. Its first line is the format and a checksum of all that follows, its
/// second one a JSON object on what is kept, and the rest is what the source answered.
package struct ValuesCache: Sendable {
    /// What is kept of a source.
    package struct Entry: Hashable, Sendable {
        /// Where it is from.
        package var source: String
        /// How it is to be read.
        package var shape: String
        /// What the source calls this version of it, such as an `ETag`; `nil` where it doesn't say.
        package var version: String?
        /// When it was got, by the clock of this machine.
        package var time: Date
        /// What was answered.
        package var body: Data

        /// Makes an entry.
        package init(source: String, shape: String, version: String?, time: Date, body: Data) {
            (self.source, self.shape, self.version, self.time, self.body) = (source, shape, version, time, body)
        }
    }

    private static let format = "flagboard-values-cache 1"
    /// The most bytes of the two lines before the body.
    private static let headerSize = 65_536

    /// The file.
    package let file: URL
    private let maximumSize: Int

    /// Names a file.
    ///
    /// - Parameters:
    ///   - file: The file, which need not exist; its folder is made where it lacks.
    ///   - maximumSize: The most bytes of what a source answers.
    package init(_ file: URL, maximumSize: Int) {
        (self.file, self.maximumSize) = (file, maximumSize)
    }

    /// Reads what is kept.
    ///
    /// - Parameters:
    ///   - source: Where it should be from.
    ///   - shape: How it should be read.
    /// - Returns: `nil` where there is no such file.
    /// - Throws: Where it can't be read, is torn, or keeps something else.
    package func read(from source: String, as shape: String) throws(ValuesCacheError) -> Entry? {
        let data: Data
        do throws(FileAccessError) {
            // A sum that does not overflow.
            let limit = min(maximumSize, Int.max - Self.headerSize) + Self.headerSize
            guard let contents = try AtomicFile.readIfThere(file, maximumSize: limit) else { return nil }
            data = contents.data
        } catch {
            throw ValuesCacheError("the cache \(error)")
        }
        guard let first = data.firstIndex(of: Self.lineEnd),
            let line = String(validating: data[..<first], as: UTF8.self),
            line.hasPrefix("\(Self.format) ")
        else { throw problem("is no cache of values, and is passed over; give another path or remove the file") }
        let rest = data[(first + 1)...]
        guard line == "\(Self.format) \(Checksum(rest).text)", let second = rest.firstIndex(of: Self.lineEnd),
            let entry = Self.entry(rest[..<second], body: Data(rest[(second + 1)...]))
        else { throw problem("is torn or damaged, and is passed over; the next answer replaces it") }
        guard entry.source == source else {
            throw problem(
                "keeps the values of another source, and is passed over: give each source a file of its own, else the next "
                    + "answer replaces it")
        }
        guard entry.shape == shape else {
            throw problem(
                "keeps values of another shape, \(entry.shape), and is passed over; the next answer replaces it")
        }
        return entry
    }

    /// Replaces what is kept, durable before it returns.
    package func write(_ entry: Entry) throws(ValuesCacheError) {
        do throws(FileAccessError) {
            // A link into a folder that is missing may lead to a volume that is not there now: none is made for it.
            if try !AtomicFile.hasFolder(file) { try AtomicFile.makeFolder(of: file) }
            let draft = try FileDraft(of: AtomicFile.target(of: file))
            let header = Self.header(of: entry)
            try draft.write(Data("\(Self.format) \(Checksum(header, entry.body).text)\n".utf8))
            try draft.write(header)
            try draft.write(entry.body)
            _ = try draft.install(replacing: true)
        } catch {
            throw ValuesCacheError(
                "the values are in force, and can't be kept for the next start: the cache \(error)")
        }
    }

    private static let lineEnd = UInt8(ascii: "\n")

    private static func header(of entry: Entry) -> Data {
        let seconds = entry.time.timeIntervalSince1970
        var members: [String: JSONValue] = [
            "source": .scalar(.string(entry.source)), "shape": .scalar(.string(entry.shape)),
            "time": .scalar(.double(seconds)),
        ]
        if let version = entry.version { members["version"] = .scalar(.string(version)) }
        return Data("\(FlagJSON.line(.object(members)))\n".utf8)
    }

    private static func entry(_ header: Data, body: Data) -> Entry? {
        guard case .success(.object(let members)) = Result(catching: { try FlagJSON.document(header) }),
            case .scalar(.string(let source)) = members["source"],
            case .scalar(.string(let shape)) = members["shape"],
            case .scalar(.double(let seconds)) = members["time"]
        else { return nil }
        var version: String?
        if case .scalar(.string(let text)) = members["version"] { version = text }
        return Entry(
            source: source, shape: shape, version: version, time: Date(timeIntervalSince1970: seconds), body: body)
    }

    private func problem(_ text: String) -> ValuesCacheError {
        ValuesCacheError("the cache \(file.path(percentEncoded: false)) \(text)")
    }
}

/// Why values are not kept, or what was kept can't be used.
package struct ValuesCacheError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Which file, what is wrong with it, and what becomes of it.
    package let description: String

    init(_ description: String) { self.description = description }
}

/// A CRC-64 of bytes (ECMA-182, reflected, as xz has it): tells a torn or damaged file from a whole one, and is no protection
/// against somebody who means to forge it.
struct Checksum: Hashable, Sendable {
    /// The sum.
    let value: UInt64

    private static let table: [UInt64] = (0..<256).map { byte in
        (0..<8).reduce(UInt64(byte)) { sum, _ in sum & 1 == 1 ? sum >> 1 ^ 0xC96C_5795_D787_0F42 : sum >> 1 }
    }

    /// Sums up bytes.
    ///
    /// - Parameter pieces: The bytes, piece by piece.
    init(_ pieces: Data...) {
        value = ~Self.table.withUnsafeBufferPointer { table in
            pieces.reduce(~UInt64(0)) { sum, piece in
                piece.withUnsafeBytes { bytes in
                    bytes.reduce(sum) { table[Int(truncatingIfNeeded: $0 ^ UInt64($1)) & 0xFF] ^ $0 >> 8 }
                }
            }
        }
    }

    /// Sixteen hexadecimal digits.
    var text: String {
        let digits = String(value, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}
