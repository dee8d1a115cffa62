import Foundation
import Synchronization

/// What the processes of one user serve, told to one another in a folder of their own.
///
/// A file that has two names (hard links) has a lock beside each of them, so that two processes could serve it; a change of
/// either would part the names. Each process has an entry there, locked for as long as it lives, with the paths of its files:
/// what they lead to is looked up when another one starts, since every change makes another file of a path.
package final class ServerRegistry: Sendable {
    private struct State {
        var entry: OpenFile
        var url: URL
        var holder: String
        /// Whether the operator knows that there is no entry any more.
        var isLost = false
    }

    /// Where the processes of this user tell: for all of them the same, whatever their environment.
    package static var sharedFolder: URL { URL(filePath: "/tmp/flagboard-\(geteuid())") }

    private let folder: URL
    private let paths: [String]
    private let state: Mutex<State>

    /// Tells the others of some files.
    ///
    /// - Parameters:
    ///   - files: The files that no other process may write.
    ///   - folder: Where the others look; made where it is missing.
    ///   - log: Takes why the others can't be told; they are found out by the locks beside the files then, but for other
    ///     names of the same file.
    /// - Returns: The entry, to be kept for as long as the files are served; `nil` where there could be none.
    /// - Throws: Where another process serves one of them by another name.
    package static func claim(
        _ files: [URL], in folder: URL, log: (String) -> Void
    ) throws(LockError) -> ServerRegistry? {
        do {
            return try take(in: folder) { () throws(LockError) in try ServerRegistry(files, in: folder) }
        } catch {
            guard case .unusable(let path, let cause) = error else { throw error }
            log(loss(path, cause))
            return nil
        }
    }

    private init(_ files: [URL], in folder: URL) throws(LockError) {
        self.folder = folder
        paths = files.map { $0.path(percentEncoded: false) }
        try Self.check(paths, in: folder)
        let holder = "process \(ProcessInfo.processInfo.processIdentifier)"
        let (entry, url) = try Self.makeEntry(paths, holder, in: folder)
        state = Mutex(State(entry: entry, url: url, holder: holder))
    }

    deinit {
        unlink(state.withLock(\.url).path)
    }

    /// Tells the others what a second process shall be told, such as the address that this one listens on.
    ///
    /// - Parameters:
    ///   - holder: What to tell.
    ///   - log: Takes why that can't be told.
    package func describe(_ holder: String, log: (String) -> Void) {
        state.withLock { state in
            state.holder = holder
            do throws(FileAccessError) {
                try Self.write(paths, holder, state.entry)
            } catch {
                log(Self.loss(error.path, error.clause))
            }
        }
    }

    /// Makes the entry anew where a program that tidies up has removed it.
    ///
    /// - Parameter log: Takes why that can't be, once.
    package func renew(log: (String) -> Void) {
        state.withLock { state in
            do throws(LockError) {
                let links = try LockError.unlessFailing { () throws(FileAccessError) in
                    try state.entry.signature().links
                }
                guard links == 0 else { return }
                let holder = state.holder
                (state.entry, state.url) = try Self.take(in: folder) { () throws(LockError) in
                    try Self.makeEntry(paths, holder, in: folder)
                }
                state.isLost = false
            } catch {
                if !state.isLost, case .unusable(let path, let cause) = error { log(Self.loss(path, cause)) }
                state.isLost = true
            }
        }
    }

    private static func loss(_ path: String, _ cause: String) -> String {
        "\(path): \(cause): a second Flagboard on another hard link of a file would not be noticed"
    }
}

extension ServerRegistry {
    /// Runs a body while no other process looks at the folder or tells in it.
    private static func take<Made>(
        in folder: URL, _ body: () throws(LockError) -> Made
    ) throws(LockError) -> Made {
        try prepare(folder)
        let made = try LockError.unlessFailing { () throws(FileAccessError) in
            try FolderLock.take(beside: folder.appending(path: "entry")) { Result(catching: body) }
        }
        return try made.get()
    }

    /// Every user may write to the folder around it: what another one put there is not to be trusted.
    private static func prepare(_ folder: URL) throws(LockError) {
        let path = folder.path
        var status = stat()
        guard mkdir(path, 0o700) == 0 || errno == EEXIST, lstat(path, &status) == 0 else {
            throw .unusable(path: path, cause: String(cString: strerror(errno)))
        }
        guard FileKind(status) == .folder, status.st_uid == geteuid(), status.st_mode & 0o077 == 0 else {
            throw .unusable(path: path, cause: "it is no folder of this user alone; remove it")
        }
    }

    /// Refuses files that another process serves; entries of processes that are gone are removed.
    private static func check(_ paths: [String], in folder: URL) throws(LockError) {
        let names: [String]
        do {
            names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        } catch {
            throw .unusable(path: folder.path, cause: "\(error)")
        }
        let mine = paths.compactMap { path in AtomicFile.look(at: URL(filePath: path)).map { (path, $0.identity) } }
        for name in names {
            guard let (others, holder) = living(folder.appending(path: name)) else { continue }
            for other in others {
                guard let identity = AtomicFile.look(at: URL(filePath: other))?.identity,
                    let own = mine.first(where: { $0.1 == identity })
                else { continue }
                throw .held(path: own.0, holder: holder, otherName: other)
            }
        }
    }

    private static func makeEntry(
        _ paths: [String], _ holder: String, in folder: URL
    ) throws(LockError) -> (entry: OpenFile, url: URL) {
        let url = folder.appending(path: UUID().uuidString)
        return try LockError.unlessFailing { () throws(FileAccessError) in
            let entry = try OpenFile(url, for: .creating(mode: 0o600))
            do throws(FileAccessError) {
                // The folder is locked, so no other process has locked the new entry before.
                _ = try entry.tryLock()
                try write(paths, holder, entry)
            } catch {
                unlink(url.path)
                throw error
            }
            return (entry, url)
        }
    }

    /// Paths hold any byte but 0.
    private static func write(_ paths: [String], _ holder: String, _ entry: OpenFile) throws(FileAccessError) {
        let content = Data((paths.joined(separator: "\0") + "\0\0" + holder).utf8)
        try entry.write(content, at: 0)
        try entry.truncate(to: content.count)
    }

    /// What a process tells that still runs.
    ///
    /// - Returns: `nil` where it is gone, and its entry with it, or the entry can't be read.
    private static func living(_ url: URL) -> (paths: [String], holder: String)? {
        let look = Result { () throws(FileAccessError) in
            let entry = try OpenFile(url, for: .readingItself)
            if try entry.tryLock() {
                unlink(url.path)
                return Data?.none
            }
            return try entry.content(upTo: 1 << 16)
        }
        guard case .success(let content?) = look else { return nil }
        let parts = String(decoding: content, as: UTF8.self).components(separatedBy: "\0\0")
        let holder = parts.count > 1 ? parts[1] : ""
        return (parts[0].components(separatedBy: "\0"), holder.isEmpty ? "another process" : holder)
    }
}
