import Foundation

/// A private, locked folder for the object's lifetime.
///
/// The next one removes an unlocked one, whose process was killed.
package final class TemporaryFolder: Sendable {
    /// A short path: a socket's path is limited to about a hundred bytes.
    package let url: URL
    private let lock: OpenFile

    private static let place = URL(filePath: "/tmp")
    private static let prefix = "flagboard-own-"

    package convenience init() throws(FileAccessError) {
        try self.init(in: Self.place)
    }

    init(in place: URL) throws(FileAccessError) {
        Self.removeAbandoned(in: place)
        while true {
            // Another process may take the folder for abandoned before it is locked.
            guard let (url, lock) = try Self.begin(in: place) else { continue }
            (self.url, self.lock) = (url, lock)
            return
        }
    }

    deinit {
        // The next one retries.
        _ = Result { try FileManager.default.removeItem(at: url) }
    }

    /// Returns `nil` if another process removed the folder before the lock.
    private static func begin(in place: URL) throws(FileAccessError) -> (URL, OpenFile)? {
        let url = place.appending(path: prefix + UUID().uuidString)
        try FileAccessError.check(mkdir(url.path, 0o700), url, "made")
        do throws(FileAccessError) {
            let lock = try OpenFile(url, for: .folder)
            guard try lock.tryLock(), try AtomicFile.signature(of: url)?.identity == lock.signature().identity else {
                return nil
            }
            return (url, lock)
        } catch {
            if error.isMissing { return nil }
            throw error
        }
    }

    /// The system clears what can't be removed.
    private static func removeAbandoned(in place: URL) {
        guard
            case .success(let names) = Result(catching: {
                try FileManager.default.contentsOfDirectory(atPath: place.path)
            })
        else { return }
        for name in names where name.hasPrefix(prefix) && UUID(uuidString: String(name.dropFirst(prefix.count))) != nil
        {
            let url = place.appending(path: name)
            var status = stat()
            guard lstat(url.path, &status) == 0, FileKind(status) == .folder, status.st_uid == geteuid() else {
                continue
            }
            let look = Result { () throws(FileAccessError) in
                let lock = try OpenFile(url, for: .folder)
                return (lock, try lock.tryLock())
            }
            guard case .success((let lock, true)) = look else { continue }
            withExtendedLifetime(lock) { _ = Result { try FileManager.default.removeItem(at: url) } }
        }
    }
}
