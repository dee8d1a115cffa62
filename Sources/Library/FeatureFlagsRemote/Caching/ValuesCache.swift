import DurableFiles
import FeatureFlags
import Foundation

/// A file that keeps the last good values of one source, for a start of the process without the source.
///
/// It is replaced atomically and readable only by its owner. Line 1 is the format and a checksum of the rest, line 2 a
/// JSON object about the entry, and the rest the source's answer.
package struct ValuesCache: Sendable {
    package struct Entry: Hashable, Sendable {
        package var source: String
        package var shape: String
        /// The source's version, such as an `ETag`, or `nil` if it has none.
        package var version: String?
        /// By the clock of this machine.
        package var time: Date
        package var body: Data

        package init(source: String, shape: String, version: String?, time: Date, body: Data) {
            (self.source, self.shape, self.version, self.time, self.body) = (source, shape, version, time, body)
        }
    }

    private static let format = "flagboard-values-cache 1"
    private static let headerSize = 65_536

    package let file: URL
    private let maximumSize: Int

    package init(_ file: URL, maximumSize: Int) {
        (self.file, self.maximumSize) = (file, maximumSize)
    }

    /// Returns the entry, or `nil` without a file; throws if it is torn, unreadable, or of another source or shape.
    package func read(from source: String, as shape: String) throws(RemoteError) -> Entry? {
        let data: Data
        do throws(FileAccessError) {
            // Avoids an overflow of the sum.
            let limit = min(maximumSize, Int.max - Self.headerSize) + Self.headerSize
            guard let contents = try AtomicFile.readIfThere(file, maximumSize: limit) else { return nil }
            data = contents.data
        } catch {
            throw RemoteError.cache("the cache \(error)")
        }
        guard let first = data.firstIndex(of: Self.lineEnd),
            let line = String(validating: data[..<first], as: UTF8.self),
            line.hasPrefix("\(Self.format) ")
        else { throw problem("is not a values cache and is ignored; use another path, or remove the file") }
        let rest = data[(first + 1)...]
        guard line == "\(Self.format) \(Checksum(rest).text)", let second = rest.firstIndex(of: Self.lineEnd),
            let entry = Self.entry(rest[..<second], body: Data(rest[(second + 1)...]))
        else { throw problem("is incomplete or damaged and is ignored; the next response replaces it") }
        guard entry.source == source else {
            throw problem(
                "has values from another source and is ignored; give each source its own file, or the next response "
                    + "replaces it")
        }
        guard entry.shape == shape else {
            throw problem(
                "has values in another format, \(entry.shape), and is ignored; the next response replaces it")
        }
        return entry
    }

    /// Replaces the entry; durable on return.
    package func write(_ entry: Entry) throws(RemoteError) {
        do throws(FileAccessError) {
            // A link into a missing folder may lead to an unmounted volume, so no folder is created for it.
            if try !AtomicFile.hasFolder(file) { try AtomicFile.makeFolder(of: file) }
            let draft = try FileDraft(of: AtomicFile.target(of: file))
            let header = Self.header(of: entry)
            try draft.write(Data("\(Self.format) \(Checksum(header, entry.body).text)\n".utf8))
            try draft.write(header)
            try draft.write(entry.body)
            _ = try draft.install(replacing: true)
        } catch {
            throw RemoteError.cache(
                "the values are in use but can't be saved for the next start: the cache \(error)")
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

    private func problem(_ text: String) -> RemoteError {
        RemoteError.cache("the cache \(file.path(percentEncoded: false)) \(text)")
    }
}

/// A CRC-64 of bytes (ECMA-182, reflected, as in xz): detects a torn or damaged file, but not a forged one.
struct Checksum: Hashable, Sendable {
    let value: UInt64

    private static let table: [UInt64] = (0..<256).map { byte in
        (0..<8).reduce(UInt64(byte)) { sum, _ in sum & 1 == 1 ? sum >> 1 ^ 0xC96C_5795_D787_0F42 : sum >> 1 }
    }

    init(_ pieces: Data...) {
        value = ~Self.table.withUnsafeBufferPointer { table in
            pieces.reduce(~UInt64(0)) { sum, piece in
                piece.withUnsafeBytes { bytes in
                    bytes.reduce(sum) { table[Int(truncatingIfNeeded: $0 ^ UInt64($1)) & 0xFF] ^ $0 >> 8 }
                }
            }
        }
    }

    var text: String {
        let digits = String(value, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}
