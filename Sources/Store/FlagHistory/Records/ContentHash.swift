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

    /// Hashes a file piece by piece, so that a large one is never in memory.
    ///
    /// - Returns: How many bytes it has, and the 32 bytes of the SHA-256.
    package static func sha256(contentsOf url: URL) throws -> (count: Int, hash: Data) {
        let file = try FileHandle(forReadingFrom: url)
        var (count, hash) = (0, SHA256())
        while let piece = try file.read(upToCount: 1 << 20), !piece.isEmpty {
            count += piece.count
            hash.update(data: piece)
        }
        try file.close()
        return (count, Data(hash.finalize()))
    }
}
