import Foundation

/// What a file held when the history last knew it.
///
/// Heads are not part of the chain.
public struct FileHead: Hashable, Sendable {
    /// What the file is for.
    public var role: FileRole
    /// Where it is.
    public var path: String
    /// SHA-256 of the content, 32 bytes.
    public var hash: Data
    /// The content, so that an edit from outside can be told flag by flag; `nil` where it was not kept.
    public var content: Data?

    /// Makes a head.
    public init(role: FileRole, path: String, hash: Data, content: Data? = nil) {
        self.role = role
        self.path = path
        self.hash = hash
        self.content = content
    }
}
