import Foundation
import Synchronization

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// A lock that one process holds for as long as it lives, so that only one writes a file.
///
/// The lock is on a file of its own beside it: git and editors replace the file, and a lock on it would go with it.
final class ProcessLock: Sendable {
    /// The file that is locked.
    let url: URL
    private let state: Mutex<State>

    private struct State {
        var descriptor: Int32
        /// What a second process is told.
        var holder: String
    }

    /// Takes the locks of everything that is to be written, or none.
    ///
    /// Where a folder must not be written, nothing in it can be replaced, so there is nothing to lock; the main values
    /// file has to be locked all the same, unless no change is allowed.
    static func all(for files: FlagFiles, isReadOnly: Bool) throws(ChangeServiceStartError) -> [ProcessLock] {
        var locks: [ProcessLock] = []
        for url in files.exclusive {
            let folder = url.deletingLastPathComponent().path(percentEncoded: false)
            if isReadOnly || url != files.values, access(folder, W_OK) != 0 { continue }
            locks.append(try ProcessLock(of: url))
        }
        return locks
    }

    /// Takes the lock of the history alone: for work on it while nobody serves it.
    static func ofHistory(of files: FlagFiles) throws(ChangeServiceStartError) -> ProcessLock {
        try ProcessLock(of: files.history)
    }

    /// Takes the lock of a file, or says who holds it.
    ///
    /// - Parameter url: The file. The one with the lock is made where it is missing, and left in place afterwards.
    /// - Throws: ``ChangeServiceStartError`` where another process holds it, or the lock file can't be made.
    private init(of url: URL) throws(ChangeServiceStartError) {
        self.url = url
        let holder = "process \(ProcessInfo.processInfo.processIdentifier)"
        // What a process wrote that held the lock before must not be taken for this one's.
        state = Mutex(State(descriptor: try Self.take(url, holder), holder: holder))
    }

    deinit {
        close(state.withLock(\.descriptor))
    }

    /// Writes into the lock file what a second process shall be told, such as the address that this one listens on.
    func describe(_ holder: String) throws(ChangeServiceStartError) {
        try state.withLock { state throws(ChangeServiceStartError) in
            state.holder = holder
            try Self.write(holder, state.descriptor)
        }
    }

    /// Takes the lock anew where somebody has removed its file: another process could else take one that is there no more.
    ///
    /// - Throws: ``ChangeServiceStartError`` where another process was faster, or the lock file can't be made.
    func renew() throws(ChangeServiceStartError) {
        try state.withLock { state throws(ChangeServiceStartError) in
            var held = stat()
            var found = stat()
            let isThere = stat(Self.path(of: url), &found) == 0
            if fstat(state.descriptor, &held) == 0, isThere,
                held.st_ino == found.st_ino, held.st_dev == found.st_dev
            {
                return
            }
            let descriptor = try Self.take(url, state.holder)
            close(state.descriptor)
            state.descriptor = descriptor
        }
    }

    /// The file with the lock of another.
    static func url(of url: URL) -> URL {
        url.deletingLastPathComponent().appending(path: ".\(url.lastPathComponent).lock")
    }

    private static func path(of url: URL) -> String { Self.url(of: url).path(percentEncoded: false) }

    private static func take(_ url: URL, _ holder: String) throws(ChangeServiceStartError) -> Int32 {
        let path = path(of: url)
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw .lockUnavailable(path, cause: String(cString: strerror(errno))) }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            let other = read(descriptor)
            close(descriptor)
            throw .alreadyServed(url.path(percentEncoded: false), by: other)
        }
        do {
            try write(holder, descriptor)
        } catch {
            close(descriptor)
            throw error
        }
        return descriptor
    }

    private static func write(_ holder: String, _ descriptor: Int32) throws(ChangeServiceStartError) {
        let bytes = Array(holder.utf8)
        guard ftruncate(descriptor, 0) == 0, pwrite(descriptor, bytes, bytes.count, 0) == bytes.count else {
            throw .lockUnavailable("the lock file", cause: String(cString: strerror(errno)))
        }
    }

    private static func read(_ descriptor: Int32) -> String {
        var bytes = [UInt8](repeating: 0, count: 512)
        let count = pread(descriptor, &bytes, bytes.count, 0)
        let text = count > 0 ? String(decoding: bytes.prefix(count), as: UTF8.self) : ""
        return text.isEmpty ? "another process" : text
    }
}
