import Foundation

/// Rows that were pruned, in a file of their own: JSON lines.
///
/// The first line says which rows these are and with whose key the file is signed; then comes a line for each row; the
/// last line holds SHA-256 of all the bytes before it, and the signature.
public struct HistoryArchive: Hashable, Sendable {
    /// The first row.
    public let first: Int64
    /// The last row.
    public let last: ChainHead
    /// The hash of the row before the first one, 32 bytes.
    public let previousHash: Data
    /// SHA-256 of the whole file, 32 bytes.
    public let fileHash: Data
    /// The fingerprint of the key that it is signed with, 32 bytes.
    public let key: Data
    /// The hash of each row, in order.
    let hashes: [Data]

    struct Header: Codable {
        var archive = HistoryArchive.mark
        var first: Int64
        var last: Int64
        var previous_hash: Data
        var public_key: Data
    }

    struct Trailer: Codable {
        var sha256: Data
        /// In base 64.
        var signature: String
    }

    /// What the first line calls the format.
    static let mark = "flagboard history 1"

    /// The bytes that are signed: `flagboard archive 1`, the ids of the first and of the last row, the hash of the row
    /// before the first, that of the last, SHA-256 of the bytes before the last line, and the key's fingerprint, as
    /// ``SignedBytes`` tells.
    static func signedBytes(
        first: Int64, last: ChainHead, previousHash: Data, content: Data, _ key: SigningKey.PublicKey
    ) -> SignedBytes {
        var bytes = SignedBytes("flagboard archive 1")
        bytes.add(first)
        bytes.add(last.id)
        bytes.add(previousHash)
        bytes.add(last.hash)
        bytes.add(content)
        bytes.add(key.fingerprint)
        return bytes
    }

    /// The name that an archive has where none is given: `flags.history.1-500.jsonl`.
    static func name(_ companions: SigningFiles, first: Int64, last: Int64) -> String {
        "\(companions.stem).\(first)-\(last).jsonl"
    }

    /// Whether a name is one that ``name(_:first:last:)`` gives.
    static func isName(_ name: Substring, _ companions: SigningFiles) -> Bool {
        guard name.hasPrefix("\(companions.stem)."), name.hasSuffix(".jsonl") else { return false }
        let rows = name.dropFirst(companions.stem.count + 1).dropLast(".jsonl".count).split(separator: "-")
        return rows.count == 2 && rows.allSatisfy { Int64($0) != nil }
    }

    /// Writes the lines: bytes are hexadecimal.
    static var encoder: JSONEncoder {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        encoder.dataEncodingStrategy = .custom { data, encoder in
            var container = encoder.singleValueContainer()
            try container.encode(data.hexadecimal)
        }
        return encoder
    }

    /// Reads what ``encoder`` writes.
    static var decoder: JSONDecoder {
        let decoder = JSONDecoder()
        decoder.dataDecodingStrategy = .custom { decoder in
            let text = try decoder.singleValueContainer().decode(String.self)
            guard let data = Data(hexadecimal: text) else { throw FormatError("\(text) is not hexadecimal") }
            return data
        }
        return decoder
    }
}
