import DurableFiles
import Foundation

/// Pruned rows in a file of JSON lines.
///
/// The first line names the rows and the signing key; the last holds the SHA-256 of all bytes before it and the
/// signature.
package struct HistoryArchive: Hashable, Sendable {
    package let first: Int64
    package let last: ChainHead
    /// The SHA-256 of the whole file.
    package let fileHash: Data
    /// The signing key's fingerprint.
    package let key: Data
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
        /// Base64.
        var signature: String
    }

    static let mark = "flagboard history 1"

    /// Returns the bytes to sign; `content` is the SHA-256 of all lines before the last.
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

    /// Returns a name such as `flags.history.1-500.jsonl`.
    static func name(_ companions: SigningFiles, first: Int64, last: Int64) -> String {
        "\(companions.stem).\(first)-\(last).jsonl"
    }

    static func isName(_ name: Substring, _ companions: SigningFiles) -> Bool {
        guard name.hasPrefix("\(companions.stem)."), name.hasSuffix(".jsonl") else { return false }
        let rows = name.dropFirst(companions.stem.count + 1).dropLast(".jsonl".count).split(separator: "-")
        return rows.count == 2 && rows.allSatisfy { Int64($0) != nil }
    }

    /// Encodes bytes in hexadecimal.
    static var encoder: JSONEncoder {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        encoder.dataEncodingStrategy = .custom { data, encoder in
            var container = encoder.singleValueContainer()
            try container.encode(data.hexadecimal)
        }
        return encoder
    }

    static var decoder: JSONDecoder {
        let decoder = JSONDecoder()
        decoder.dataDecodingStrategy = .custom { decoder in
            let text = try decoder.singleValueContainer().decode(String.self)
            guard let data = Data(hexadecimal: text) else { throw PlainError("\(text) is not hexadecimal") }
            return data
        }
        return decoder
    }
}
