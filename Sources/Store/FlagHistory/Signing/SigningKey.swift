import Crypto
import DurableFiles
import Foundation

/// The Ed25519 key that signs a history's proofs: its holder can forge them.
struct SigningKey: Sendable {
    private let key: Curve25519.Signing.PrivateKey

    init() {
        key = Curve25519.Signing.PrivateKey()
    }

    var publicKey: PublicKey { PublicKey(bytes: key.publicKey.rawRepresentation) }

    /// Returns 64 bytes.
    func signature(of bytes: SignedBytes) throws -> Data {
        try key.signature(for: bytes.data)
    }
}

extension SigningKey {
    struct PublicKey: Hashable, Sendable {
        /// 32 bytes, as RFC 8032 encodes them.
        let bytes: Data

        var fingerprint: Data { ContentHash.sha256(bytes) }

        func isValid(_ signature: Data, of signed: SignedBytes) -> Bool {
            guard let key = try? Curve25519.Signing.PublicKey(rawRepresentation: bytes) else { return false }
            return key.isValidSignature(signature, for: signed.data)
        }
    }
}

extension SigningKey {
    /// The bytes before the seed in PKCS #8 (RFC 8410).
    private static let prefix = Data([0x30, 0x2e, 2, 1, 0, 0x30, 5, 6, 3, 0x2b, 0x65, 0x70, 4, 0x22, 4, 0x20])
    private static let begin = "-----BEGIN PRIVATE KEY-----\n"
    private static let end = "\n-----END PRIVATE KEY-----\n"
    /// A key has some 120 bytes.
    private static let maximumSize = 64 * 1024

    /// The key as `openssl` reads it: PKCS #8 in PEM.
    var pem: String {
        Self.begin + (Self.prefix + key.rawRepresentation).base64EncodedString() + Self.end
    }

    /// Reads ``pem``; `nil` for any other text.
    init?(pem: String) {
        guard pem.hasPrefix(Self.begin), pem.hasSuffix(Self.end), pem.utf8.count > (Self.begin + Self.end).utf8.count,
            let bytes = Data(base64Encoded: String(pem.dropFirst(Self.begin.count).dropLast(Self.end.count))),
            bytes.count == Self.prefix.count + 32, bytes.starts(with: Self.prefix),
            let key = try? Curve25519.Signing.PrivateKey(rawRepresentation: bytes.suffix(32))
        else { return nil }
        self.key = key
    }

    /// `nil` if there is no file.
    static func read(_ url: URL) throws -> SigningKey? {
        guard let contents = try AtomicFile.readIfThere(url, maximumSize: maximumSize) else { return nil }
        guard let key = SigningKey(pem: String(decoding: contents.data, as: UTF8.self)) else {
            throw HistoryStoreError(
                .companion(url.path, "it is not an Ed25519 key; move it away, or put the correct one back"))
        }
        return key
    }

    /// Reads a key, or makes a durable, private one.
    static func findOrCreate(_ url: URL) throws -> SigningKey {
        if let key = try read(url) { return key }
        let new = SigningKey()
        if try AtomicFile.makePrivate(url, with: Data(new.pem.utf8)) { return new }
        guard let others = try read(url) else {
            throw HistoryStoreError(
                .companion(
                    url.path,
                    "another program keeps removing it; stop that program"))
        }
        return others
    }
}
