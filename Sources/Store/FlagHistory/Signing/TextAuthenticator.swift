import Crypto
import Foundation

/// Authenticates texts that travel through other hands and come back, by HMAC-SHA-256 (RFC 2104).
///
/// Each value has a random key of its own, which it does not tell: only this one, or a copy of it, takes its codes.
package struct TextAuthenticator: Sendable {
    private let key = SymmetricKey(size: .bits256)

    /// Makes a random key.
    package init() {}

    /// The code of some texts: 32 bytes in hexadecimal.
    ///
    /// - Parameter texts: The texts; where one ends and the next begins counts too.
    package func code(of texts: String...) -> String {
        Data(HMAC<SHA256>.authenticationCode(for: Self.bytes(of: texts), using: key)).hexadecimal
    }

    /// Whether a code is that of some texts, found out in a time that does not depend on how much of it is.
    package func isCode(_ code: String, of texts: String...) -> Bool {
        guard let code = Data(hexadecimal: code) else { return false }
        return HMAC<SHA256>.isValidAuthenticationCode(code, authenticating: Self.bytes(of: texts), using: key)
    }

    private static func bytes(of texts: [String]) -> Data {
        var bytes = SignedBytes("flagboard texts 1")
        for text in texts { bytes.add(text) }
        return bytes.data
    }
}

/// SHA-256 of a secret: what is kept of one, for it to be known again and not be told.
///
/// Without salt and repetition: the secrets are 256 random bits, which are not found by trying.
package struct SecretDigest: Hashable, Sendable {
    /// The 32 bytes of the SHA-256.
    package let bytes: Data

    /// Hashes a secret.
    package init(of secret: String) {
        bytes = ContentHash.sha256(Data(secret.utf8))
    }

    /// Takes a digest that was kept; `nil` where these are not 32 bytes.
    package init?(bytes: Data) {
        guard bytes.count == SHA256.byteCount else { return nil }
        self.bytes = bytes
    }

    /// Whether a secret is the one that was hashed, found out in a time that does not depend on how much of it is.
    package func matches(_ secret: String) -> Bool { matches(SecretHash(of: secret)) }

    /// Whether the secret of a hash is the one that was hashed, found out in the same way.
    package func matches(_ secret: SecretHash) -> Bool {
        // swift-crypto compares its own digests with any bytes in constant time; `Data` with `Data` it would not.
        secret.digest == bytes
    }
}

/// The hash of a secret that is compared with any number of digests.
package struct SecretHash: Sendable {
    fileprivate let digest: SHA256.Digest

    /// Hashes a secret.
    package init(of secret: String) {
        digest = SHA256.hash(data: Data(secret.utf8))
    }
}

/// The bytes that a signature is made over: fields, each in the form that ``HistoryRecord/hash(id:event:previousHash:)``
/// documents, after one that names what is signed.
///
/// Since the first field differs, the signature of one sort of statement is never that of another.
struct SignedBytes {
    private(set) var data = Data()

    /// Begins a statement.
    init(_ statement: String) {
        add(statement)
    }

    mutating func add(_ bytes: Data?) {
        guard let bytes else {
            data.append(0)
            return
        }
        data.append(1)
        data.append(contentsOf: Self.bigEndian(Int64(bytes.count)))
        data.append(bytes)
    }

    mutating func add(_ text: String) {
        add(Data(text.utf8))
    }

    mutating func add(_ number: Int64) {
        add(Data(Self.bigEndian(number)))
    }

    private static func bigEndian(_ number: Int64) -> [UInt8] {
        withUnsafeBytes(of: number.bigEndian, Array.init)
    }
}

/// The files beside a history that prove it: all three are moved, copied and kept together.
public struct SigningFiles: Hashable, Sendable {
    /// The private key: `flags.history.key` beside `flags.history.sqlite`.
    public let key: URL
    /// The checkpoints: `flags.history.checkpoints`.
    public let checkpoints: URL
    /// The name that both begin with: the history's own, without `.sqlite`.
    let stem: String

    /// Names them.
    ///
    /// - Parameter history: The history.
    public init(of history: URL) {
        let name = history.lastPathComponent
        let folder = history.deletingLastPathComponent()
        stem = name.hasSuffix(".sqlite") ? String(name.dropLast(".sqlite".count)) : name
        key = folder.appending(path: "\(stem).key")
        checkpoints = folder.appending(path: "\(stem).checkpoints")
    }
}
