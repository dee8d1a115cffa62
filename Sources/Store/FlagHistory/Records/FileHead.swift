import Foundation

/// A file's last content that the history knows.
///
/// Heads are not part of the chain.
package struct FileHead: Hashable, Sendable {
    /// The file's role.
    package var role: FileRole
    /// The file's path.
    package var path: String
    /// The SHA-256 of the content, 32 bytes.
    package var hash: Data
    /// The content, for recording outside edits flag by flag; `nil` if it was not kept.
    package var content: Data?

    /// Makes a head.
    package init(role: FileRole, path: String, hash: Data, content: Data? = nil) {
        self.role = role
        self.path = path
        self.hash = hash
        self.content = content
    }
}

/// The hashes of the files' last known contents.
package struct FileHashes: Sendable {
    /// A file, whose path is compared by bytes, not by canonical equivalence.
    private struct File: Hashable {
        let role: String
        let path: [UInt8]
    }

    private var hashes: [File: Data] = [:]

    mutating func add(_ hash: Data, role: String, path: String) {
        hashes[File(role: role, path: Array(path.utf8))] = hash
    }

    /// Returns the hash of a file's last known content.
    ///
    /// - Parameters:
    ///   - role: The file's role.
    ///   - path: The file's path.
    /// - Returns: 32 bytes, or `nil` if the history never knew the file.
    package func hash(of role: FileRole, at path: String) -> Data? {
        hashes[File(role: role.rawValue, path: Array(path.utf8))]
    }
}

/// The role of a file.
package enum FileRole: String, CaseIterable, Hashable, Sendable {
    /// The file holds values of flags.
    case values
    /// The file holds the definitions.
    case manifest
}
