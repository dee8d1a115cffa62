import Foundation

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
