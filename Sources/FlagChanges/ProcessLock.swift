import Foundation

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// A lock that one process holds for as long as it lives, so that only one writes to a set of files.
///
/// The lock is on a file of its own: git and editors replace the values file, and a lock on it would go with it.
final class ProcessLock: Sendable {
    private let descriptor: Int32

    /// Takes the lock, or says who holds it.
    ///
    /// - Parameter url: The lock file; made where it is missing, and left in place afterwards.
    /// - Throws: ``ChangeServiceStartError`` where another process holds it, or the file can't be made.
    init(url: URL) throws(ChangeServiceStartError) {
        let path = url.path(percentEncoded: false)
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw .lockUnavailable(path, cause: String(cString: strerror(errno))) }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            let holder = Self.read(descriptor)
            close(descriptor)
            throw .alreadyServed(by: holder)
        }
        self.descriptor = descriptor
    }

    deinit {
        close(descriptor)
    }

    /// Writes into the lock file what a second process shall be told, such as the address that this one listens on.
    func describe(_ holder: String) throws(ChangeServiceStartError) {
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
