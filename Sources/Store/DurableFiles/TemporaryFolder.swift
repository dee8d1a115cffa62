import Foundation

/// A folder of this user alone, with what is needed for as long as this lives.
///
/// It is locked, so that what is left of one whose process was ended is known by having no lock, and is removed by the next one.
package final class TemporaryFolder: Sendable {
    /// Where it is: by a short name, since the name of a socket in it may have a hundred bytes at most.
    package let url: URL
    private let lock: OpenFile

    private static let place = URL(filePath: "/tmp")
    private static let prefix = "flagboard-own-"

    /// Makes the folder.
    ///
    /// - Throws: ``FileAccessError`` where there is no place for it.
    package convenience init() throws(FileAccessError) {
        try self.init(in: Self.place)
    }

    init(in place: URL) throws(FileAccessError) {
        Self.removeAbandoned(in: place)
        while true {
            // Another process that begins one at that moment may take it for abandoned before it is locked.
            guard let (url, lock) = try Self.begin(in: place) else { continue }
            (self.url, self.lock) = (url, lock)
            return
        }
    }

    deinit {
        // Where it can't be removed, the next one does so.
        _ = Result { try FileManager.default.removeItem(at: url) }
    }

    /// - Returns: `nil` where another process removed it before it was locked.
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

    /// Removes the folders of this user's processes that were ended; what can't be read or removed is left to the system.
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
