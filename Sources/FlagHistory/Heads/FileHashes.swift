import Foundation

/// The hashes of what files held when the history last knew them.
public struct FileHashes: Sendable {
    private var hashes: [String: [String: Data]] = [:]

    subscript(role: String, path: String) -> Data? {
        get { hashes[role]?[path] }
        set { hashes[role, default: [:]][path] = newValue }
    }

    /// The hash of what a file held.
    ///
    /// - Parameters:
    ///   - role: What the file is for.
    ///   - path: Where it is.
    /// - Returns: 32 bytes, or `nil` where the history never knew the file.
    public func hash(of role: FileRole, at path: String) -> Data? { self[role.rawValue, path] }
}
