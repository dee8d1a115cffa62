import Foundation

extension AtomicFile {
    /// Removes what ``writeTemporary(_:beside:mode:)`` left beside a file when its process was ended.
    ///
    /// Only whoever may write the file alone, by a lock, may do so.
    ///
    /// - Parameter url: The file that the temporary ones were to replace.
    /// - Throws: Where the folder can't be read or a file in it can't be removed.
    public static func removeTemporaries(beside url: URL) throws {
        let folder = url.deletingLastPathComponent()
        let prefix = ".\(url.lastPathComponent)."
        for name in try FileManager.default.contentsOfDirectory(atPath: folder.path(percentEncoded: false)) {
            guard name.hasPrefix(prefix), name.hasSuffix(".tmp"),
                UUID(uuidString: String(name.dropFirst(prefix.count).dropLast(4))) != nil
            else { continue }
            try FileManager.default.removeItem(at: folder.appending(path: name))
        }
    }
}
