import Crypto
import Foundation

/// What a file held when the history last knew it.
///
/// Heads are not part of the chain.
public struct FileHead: Hashable, Sendable {
    /// Which file, by role: `values`, `manifest`, or the name of a provider.
    public var file: String
    /// SHA-256 of the content, 32 bytes.
    public var hash: Data
    /// The content, so that an edit from outside can be told flag by flag; `nil` where it was not kept.
    public var content: Data?

    /// Makes a head of a hash that is known already.
    public init(file: String, hash: Data, content: Data? = nil) {
        self.file = file
        self.hash = hash
        self.content = content
    }

    /// Makes the head of a file that holds `content`.
    public init(file: String, content: Data) {
        self.init(file: file, hash: Data(SHA256.hash(data: content)), content: content)
    }
}
