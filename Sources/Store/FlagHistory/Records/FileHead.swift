import Foundation

/// A file's last known content, which is not part of the chain.
package struct FileHead: Hashable, Sendable {
    package var role: FileRole
    package var path: String
    /// The SHA-256 of the content.
    package var hash: Data
    /// The content, for recording outside edits flag by flag; `nil` if not kept.
    package var content: Data?

    package init(role: FileRole, path: String, hash: Data, content: Data? = nil) {
        self.role = role
        self.path = path
        self.hash = hash
        self.content = content
    }
}

package struct FileHashes: Sendable {
    /// Compares paths by bytes, not by canonical equivalence.
    private struct File: Hashable {
        let role: String
        let path: [UInt8]
    }

    private var hashes: [File: Data] = [:]
    /// The history's last row at the same moment; `nil` if it knows no file.
    package var lastRow: Int64?

    mutating func add(_ hash: Data, role: String, path: String) {
        hashes[File(role: role, path: Array(path.utf8))] = hash
    }

    /// Returns `nil` if the history never knew the file.
    package func hash(of role: FileRole, at path: String) -> Data? {
        hashes[File(role: role.rawValue, path: Array(path.utf8))]
    }
}

package enum FileRole: String, CaseIterable, Hashable, Sendable {
    case values
    case manifest
}
