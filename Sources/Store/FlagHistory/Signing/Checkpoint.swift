import Foundation

/// A signed statement that a history had a row of some hash: rows up to it can't be removed or rewritten without the key.
struct Checkpoint: Hashable, Sendable {
    /// What else a checkpoint states.
    enum State: String, Codable, Sendable {
        /// It was the newest one while the history was in use: rows may have been added since.
        case open
        /// It was the newest one when the history was closed: no row was added since, and ``Checkpoint/heads`` holds.
        case closed
        /// It is one of those that are kept, one in ``CheckpointFile/interval`` rows.
        case kept
    }

    var state: State
    /// The row; ``ChainHead/empty`` where there was none.
    var head: ChainHead
    /// When it was signed, in microseconds since 1970 in UTC.
    var at: Int64
    /// What ``HistoryStore/headsDigest(_:)`` gave; `nil` in a kept one.
    var heads: Data?
    /// The fingerprint of the key that it was signed with, 32 bytes.
    var key: Data
    /// 64 bytes.
    var signature: Data

    /// Signs one.
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

    /// The bytes that are signed: `flagboard checkpoint 1`, the state, the row's id and hash, the time, the digest of
    /// the heads, and the key's fingerprint, as ``SignedBytes`` tells.
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
    /// How many bytes a line has, its end included: it can be replaced in place, and the first one within a sector.
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

    /// The checkpoint as a line of its file: a JSON object with sorted keys, hashes in hexadecimal and the signature in
    /// base64, filled up with spaces.
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

    /// Reads a line.
    ///
    /// - Returns: `nil` for anything that ``line()`` does not give, byte for byte.
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
