import Foundation

/// A signed hash of a row: without the key, no row up to it can be removed or rewritten.
struct Checkpoint: Hashable, Sendable {
    enum State: String, Codable, Sendable {
        /// The newest one while rows may follow.
        case open
        /// The newest one of a closed history: no row follows, and ``Checkpoint/heads`` holds.
        case closed
        /// A permanent one, every ``CheckpointFile/interval`` rows.
        case kept
    }

    var state: State
    /// ``ChainHead/empty`` without rows.
    var head: ChainHead
    /// Microseconds since 1970.
    var at: Int64
    /// The ``HistoryStore/headsDigest(_:)``; `nil` in a kept one.
    var heads: Data?
    /// The key's fingerprint.
    var key: Data
    var signature: Data

    init(_ state: State, _ head: ChainHead, at: Int64, heads: Data?, with key: SigningKey) throws {
        self.init(
            state: state, head: head, at: at, heads: heads, key: key.publicKey.fingerprint, signature: Data())
        signature = try key.signature(of: signedBytes)
    }

    private init(state: State, head: ChainHead, at: Int64, heads: Data?, key: Data, signature: Data) {
        self.state = state
        self.head = head
        self.at = at
        self.heads = heads
        self.key = key
        self.signature = signature
    }

    var signedBytes: SignedBytes {
        var bytes = SignedBytes("flagboard checkpoint 1")
        bytes.add(state.rawValue)
        bytes.add(head.id)
        bytes.add(head.hash)
        bytes.add(at)
        bytes.add(heads)
        bytes.add(key)
        return bytes
    }

    func isSigned(by publicKey: SigningKey.PublicKey) -> Bool {
        key == publicKey.fingerprint && publicKey.isValid(signature, of: signedBytes)
    }
}

extension Checkpoint {
    /// The bytes of a line, fixed so that it is replaced in place, the first one within a sector.
    static let width = 448

    private struct Fields: Codable {
        var at: Int64
        var hash: String
        var heads: String?
        var id: Int64
        var key: String
        var signature: String
        var state: State
    }

    /// Returns JSON with sorted keys, padded with spaces.
    func line() throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        var line = try encoder.encode(
            Fields(
                at: at, hash: head.hash.hexadecimal, heads: heads?.hexadecimal, id: head.id, key: key.hexadecimal,
                signature: signature.base64EncodedString(), state: state))
        line.append(Data(repeating: UInt8(ascii: " "), count: max(Self.width - 1 - line.count, 0)))
        line.append(UInt8(ascii: "\n"))
        return line
    }

    /// Reads a line; `nil` for anything that ``line()`` doesn't write.
    init?(line: Data) {
        guard let fields = try? JSONDecoder().decode(Fields.self, from: line),
            let hash = Data(hexadecimal: fields.hash), hash.count == 32, let key = Data(hexadecimal: fields.key),
            let signature = Data(base64Encoded: fields.signature)
        else { return nil }
        self.init(
            state: fields.state, head: ChainHead(id: fields.id, hash: hash), at: fields.at,
            heads: fields.heads.flatMap { Data(hexadecimal: $0) }, key: key, signature: signature)
        guard let written = try? self.line(), written == line else { return nil }
    }
}
