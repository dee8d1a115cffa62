import Foundation

/// A folder of this user alone, with what is needed for as long as this lives.
package final class TemporaryFolder: Sendable {
    /// Where it is: by a short name, since the name of a socket in it may have a hundred bytes at most.
    package let url: URL

    /// Makes the folder.
    ///
    /// - Throws: ``FileAccessError`` where there is no place for it.
    package init() throws(FileAccessError) {
        url = URL(filePath: "/tmp/flagboard-\(UUID().uuidString)")
        try FileAccessError.check(mkdir(url.path, 0o700), url, "made")
    }

    deinit {
        // Where it can't be removed, the system does so when it clears its temporary folder.
        _ = Result { try FileManager.default.removeItem(at: url) }
    }
}
