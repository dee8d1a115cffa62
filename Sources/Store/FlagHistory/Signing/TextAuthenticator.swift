import Crypto
import Foundation

/// Authenticates texts that pass through other hands, by HMAC-SHA-256 (RFC 2104).
///
/// Only this value, its copies, and those with the same key accept its codes.
package struct TextAuthenticator: Sendable {
    private let key: SymmetricKey

    /// Takes a random key.
    package init() { key = SymmetricKey(size: .bits256) }

    /// Takes the digest of a secret as its key; the secret doesn't follow from a code.
    package init(keyedBy digest: SecretDigest) { key = SymmetricKey(data: digest.bytes) }

    /// Returns a code of texts and their boundaries, in hexadecimal.
    package func code(of texts: String...) -> String {
        Data(HMAC<SHA256>.authenticationCode(for: Self.bytes(of: texts), using: key)).hexadecimal
    }

    /// Checks a code in constant time.
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

/// The SHA-256 of a secret, stored in its place.
///
/// Needs neither salt nor repetition: the secrets are 256 random bits.
package struct SecretDigest: Hashable, Sendable {
    /// 32 bytes.
    package let bytes: Data

    package init(of secret: String) {
        bytes = ContentHash.sha256(Data(secret.utf8))
    }

    /// Takes stored bytes; `nil` unless they are 32.
    package init?(bytes: Data) {
        guard bytes.count == SHA256.byteCount else { return nil }
        self.bytes = bytes
    }

    /// Compares in constant time.
    package func matches(_ secret: String) -> Bool { matches(SecretHash(of: secret)) }

    /// Compares in constant time.
    package func matches(_ secret: SecretHash) -> Bool {
        // swift-crypto compares a digest in constant time; `Data` does not.
        secret.digest == bytes
    }
}

package struct SecretHash: Sendable {
    fileprivate let digest: SHA256.Digest

    package init(of secret: String) {
        digest = SHA256.hash(data: Data(secret.utf8))
    }
}

/// The bytes under a signature: a statement's name and fields, as in ``HistoryRecord/hash(id:event:previousHash:)``.
///
/// The names differ, so a signature is never valid for another kind of statement.
struct SignedBytes {
    private(set) var data = Data()

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

/// The files beside a history that prove it: move, copy and keep all three together.
package struct SigningFiles: Hashable, Sendable {
    /// The private key: `flags.history.key` beside `flags.history.sqlite`.
    package let key: URL
    /// `flags.history.checkpoints`.
    package let checkpoints: URL
    /// The history's name without `.sqlite`.
    package let stem: String

    package init(of history: URL) {
        let name = history.lastPathComponent
        let folder = history.deletingLastPathComponent()
        stem = name.hasSuffix(".sqlite") ? String(name.dropLast(".sqlite".count)) : name
        key = folder.appending(path: "\(stem).key")
        checkpoints = folder.appending(path: "\(stem).checkpoints")
    }
}
