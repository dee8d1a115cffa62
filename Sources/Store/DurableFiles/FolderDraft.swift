import Foundation

/// A new folder of this user alone that gets its name once all of its files are there: no reader finds half of it.
///
/// Until then it has a temporary name beside its own, and is locked, so that what is left of one whose process was ended is
/// known by having no lock, and is removed by the next one in the same folder.
package final class FolderDraft {
    /// Where the folder is until it has its name.
    package let temporary: URL
    private let url: URL
    private let lock: OpenFile

    private static let prefix = ".flagboard-draft-"

    /// Begins a folder.
    ///
    /// - Parameter url: The folder to make; the one around it must be there.
    package init(of url: URL) throws(FileAccessError) {
        self.url = url
        try Self.removeAbandoned(beside: url)
        while true {
            // Another process that begins one at that moment may take it for abandoned before it is locked.
            guard let (temporary, lock) = try Self.begin(url) else { continue }
            (self.temporary, self.lock) = (temporary, lock)
            return
        }
    }

    deinit {
        // After an installation there is none of the name.
        _ = Result { try FileManager.default.removeItem(at: temporary) }
    }

    /// Whether a folder may be made at a place: nothing is there, or an empty folder.
    package static func isFree(_ url: URL) throws(FileAccessError) -> Bool {
        guard let found = try AtomicFile.signature(of: url, followingLink: false) else { return true }
        guard found.kind == .folder else { return false }
        return try names(in: url).isEmpty
    }

    /// Writes a file into the folder, readable by its owner alone, and has its bytes on the disk before it returns.
    ///
    /// - Parameter data: The bytes.
    package func add(_ data: Data, named name: String) throws(FileAccessError) {
        let file = try OpenFile(temporary.appending(path: name), for: .creating(mode: 0o600))
        try file.write(data)
        try file.synchronize()
    }

    /// Removes a file of the folder, where there is one.
    package func remove(_ name: String) throws(FileAccessError) {
        try AtomicFile.remove(temporary.appending(path: name))
    }

    /// Gives the folder its name, durable before it returns.
    ///
    /// - Returns: Whether it has its name: where something else has it that is not an empty folder, it has not.
    package func install() throws(FileAccessError) -> Bool {
        try lock.synchronize()
        // An empty folder is replaced.
        guard rename(temporary.path, url.path) == 0 else {
            if [EEXIST, ENOTEMPTY, ENOTDIR].contains(errno) { return false }
            throw FileAccessError(.init(errorNumber: errno), path: url.path, action: "written")
        }
        try AtomicFile.synchronizeFolder(of: url)
        return true
    }

    /// - Returns: `nil` where another process removed it before it was locked.
    private static func begin(_ url: URL) throws(FileAccessError) -> (URL, OpenFile)? {
        let temporary = url.deletingLastPathComponent().appending(path: prefix + UUID().uuidString)
        guard mkdir(temporary.path, 0o700) == 0 else {
            let cause = FileAccessError.Cause(errorNumber: errno)
            throw FileAccessError(cause == .missing ? .missingFolder : cause, path: url.path, action: "written")
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
                // Another process may be removing it too, or it is another user's, who alone may.
                _ = Result { try FileManager.default.removeItem(at: folder) }
            } catch {
                // Its process has just given it its name, or it is another user's.
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
