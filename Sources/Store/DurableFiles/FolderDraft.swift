import Foundation

/// A new private folder that gets its name once all of its files exist, so that no reader finds half of it.
///
/// Until then it has a temporary name and a lock, as a ``FileDraft`` has.
package final class FolderDraft {
    package let temporary: URL
    private let url: URL
    private let lock: OpenFile

    private static let prefix = ".flagboard-draft-"

    package init(of url: URL) throws(FileAccessError) {
        self.url = url
        try Self.removeAbandoned(beside: url)
        while true {
            // Another process may take the folder for abandoned before it is locked.
            guard let (temporary, lock) = try Self.begin(url) else { continue }
            (self.temporary, self.lock) = (temporary, lock)
            return
        }
    }

    deinit {
        _ = Result { try FileManager.default.removeItem(at: temporary) }
    }

    package static func isFree(_ url: URL) throws(FileAccessError) -> Bool {
        guard let found = try AtomicFile.signature(of: url, followingLink: false) else { return true }
        guard found.kind == .folder else { return false }
        return try names(in: url).isEmpty
    }

    /// Writes a file for its owner alone and flushes its bytes to disk.
    package func add(_ data: Data, named name: String) throws(FileAccessError) {
        let file = try OpenFile(temporary.appending(path: name), for: .creating(mode: 0o600))
        try file.write(data)
        try file.synchronize()
    }

    package func remove(_ name: String) throws(FileAccessError) {
        try AtomicFile.remove(temporary.appending(path: name))
    }

    /// Gives the folder its name, durable on return; returns `false` if anything but an empty folder has it.
    package func install() throws(FileAccessError) -> Bool {
        try lock.synchronize()
        guard rename(temporary.path, url.path) == 0 else {
            if [EEXIST, ENOTEMPTY, ENOTDIR].contains(errno) { return false }
            throw FileAccessError(.init(errorNumber: errno), path: url.path, action: "write")
        }
        try AtomicFile.synchronizeFolder(of: url)
        return true
    }

    /// Returns `nil` if another process removed the folder before the lock.
    private static func begin(_ url: URL) throws(FileAccessError) -> (URL, OpenFile)? {
        let temporary = url.deletingLastPathComponent().appending(path: prefix + UUID().uuidString)
        guard mkdir(temporary.path, 0o700) == 0 else {
            let cause = FileAccessError.Cause(errorNumber: errno)
            throw FileAccessError(cause == .missing ? .missingFolder : cause, path: url.path, action: "write")
        }
        let lock: OpenFile
        do throws(FileAccessError) {
            lock = try OpenFile(temporary, for: .folder)
        } catch {
            if error.isMissing { return nil }
            throw error
        }
        guard try lock.tryLock() else { return nil }
        let identity = try lock.signature().identity
        return try AtomicFile.signature(of: temporary)?.identity == identity ? (temporary, lock) : nil
    }

    private static func removeAbandoned(beside url: URL) throws(FileAccessError) {
        let around = url.deletingLastPathComponent()
        for name in try names(in: around)
        where name.hasPrefix(prefix) && UUID(uuidString: String(name.dropFirst(prefix.count))) != nil {
            let folder = around.appending(path: name)
            do throws(FileAccessError) {
                let lock = try OpenFile(folder, for: .folder)
                defer { withExtendedLifetime(lock) {} }
                guard try lock.tryLock() else { continue }
                // Another process may remove it too, or it belongs to another user, who alone may.
                _ = Result { try FileManager.default.removeItem(at: folder) }
            } catch {
                // It was just installed, or belongs to another user.
                continue
            }
        }
    }

    private static func names(in folder: URL) throws(FileAccessError) -> [String] {
        do {
            return try FileManager.default.contentsOfDirectory(atPath: folder.path(percentEncoded: false))
        } catch {
            let cause = FileAccessError.Cause(errorNumber: access(folder.path, R_OK | X_OK) == 0 ? EIO : errno)
            throw FileAccessError(cause == .missing ? .missingFolder : cause, path: folder.path, action: "read")
        }
    }
}
