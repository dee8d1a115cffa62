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

/// The hashes of what files held when the history last knew them.
public struct FileHashes: Sendable {
    /// A file; two paths that are the same but for how their letters are spelt are two files.
    private struct File: Hashable {
        let role: String
        let path: [UInt8]
    }

    private var hashes: [File: Data] = [:]

    /// Takes up what a file held.
    mutating func add(_ hash: Data, role: String, path: String) {
        hashes[File(role: role, path: Array(path.utf8))] = hash
    }

    /// The hash of what a file held.
    ///
    /// - Parameters:
    ///   - role: What the file is for.
    ///   - path: Where it is.
    /// - Returns: 32 bytes, or `nil` where the history never knew the file.
    public func hash(of role: FileRole, at path: String) -> Data? {
        hashes[File(role: role.rawValue, path: Array(path.utf8))]
    }
}

/// What a file is for.
public enum FileRole: String, CaseIterable, Hashable, Sendable {
    /// It holds values of flags.
    case values
    /// It holds the definitions.
    case manifest
}
