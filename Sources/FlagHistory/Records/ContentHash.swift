import Crypto
import Foundation

/// SHA-256 of a file's bytes: what says whether it is the file that the history knows.
public enum ContentHash {
    /// Hashes bytes.
    ///
    /// - Parameter data: The bytes.
    /// - Returns: The 32 bytes of the SHA-256.
    public static func sha256(_ data: Data) -> Data {
        Data(SHA256.hash(data: data))
    }
}
