import Crypto
import Foundation

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
