import Foundation

/// Has the writers of a folder's files take turns, in this process and in others.
///
/// The lock is on the folder itself, so that nothing is left behind, and held for no longer than a file takes to be read,
/// written and swapped. Programs that know nothing of it are found out by the swap (``FileReplacement``).
package enum FolderLock {
    /// How long a turn is waited for.
    package static let patience: TimeInterval = 10

    /// Runs a body while no other writer has a turn in a file's folder.
    ///
    /// - Throws: Where the folder can't be opened, or another program does not end its turn; the body has not run then.
    package static func take<Result>(beside url: URL, _ body: () -> Result) throws(FileAccessError) -> Result {
        // The lock goes with the folder that is open.
        let folder = try OpenFile(url.deletingLastPathComponent(), for: .folder)
        let deadline = Date(timeIntervalSinceNow: patience)
        while try !folder.tryLock() {
            guard Date() < deadline else {
                throw FileAccessError(.folderLocked, path: url.path, action: "replaced")
            }
            usleep(500)
        }
        return withExtendedLifetime(folder, body)
    }
}
