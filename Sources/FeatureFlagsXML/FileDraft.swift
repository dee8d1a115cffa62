import Foundation

/// A new file that is written piece by piece and gets its name once it is whole: nobody finds half of it there.
///
/// Until then it has a temporary name beside its own, and is locked, so that what is left of one whose process was ended is
/// known by having no lock, and is removed by the next one of the same name.
package final class FileDraft {
    private let url: URL
    private let temporary: URL
    private let descriptor: Int32

    /// What tells these temporary files from those that ``AtomicFile`` writes.
    private static let writer = "draft"

    /// Begins a file that only its owner may read.
    ///
    /// - Parameter url: The file to make or to replace, which is as it was until ``install(replacing:)``.
    /// - Throws: Where nothing can be written beside it.
    package init(of url: URL) throws(FileAccessError) {
        self.url = url
        try Self.removeAbandoned(of: url)
        while true {
            // Whoever begins the same file at that moment may take it for abandoned before it is locked.
            guard let draft = try Self.begin(url) else { continue }
            (temporary, descriptor) = draft
            return
        }
    }

    deinit {
        // After an installation there is none of the name.
        unlink(temporary.path)
        close(descriptor)
    }

    /// Adds bytes at the end.
    ///
    /// - Throws: Where they can't be written.
    package func write(_ data: Data) throws(FileAccessError) {
        guard AtomicFile.writeAll(data, to: descriptor) else { throw failure("written") }
    }

    /// Gives the file its name, durable before it returns.
    ///
    /// - Parameter isReplacing: Whether it may take the place of a file that is there.
    /// - Returns: Whether it has its name: where none may be replaced and there is one, it has not.
    /// - Throws: Where that is not possible.
    package func install(replacing isReplacing: Bool) throws(FileAccessError) -> Bool {
        guard fsync(descriptor) == 0 else { throw failure("written") }
        if isReplacing {
            try AtomicFile.restore(temporary, to: url)
        } else if link(temporary.path, url.path) != 0 {
            guard errno == EEXIST else { throw failure("made") }
            return false
        }
        try AtomicFile.synchronizeFolder(of: url)
        return true
    }

    private func failure(_ action: String) -> FileAccessError {
        FileAccessError(.init(errorNumber: errno), path: url.path, action: action)
    }

    /// - Returns: `nil` where somebody removed it before it was locked.
    private static func begin(_ url: URL) throws(FileAccessError) -> (URL, Int32)? {
        let name = AtomicFile.temporaryPrefix(writer, beside: url) + UUID().uuidString + AtomicFile.temporarySuffix
        let temporary = url.deletingLastPathComponent().appending(path: name)
        let descriptor = open(temporary.path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            let cause = FileAccessError.Cause(errorNumber: errno)
            throw FileAccessError(cause == .missing ? .missingFolder : cause, path: url.path, action: "written")
        }
        var status = stat()
        if flock(descriptor, LOCK_EX | LOCK_NB) == 0, fstat(descriptor, &status) == 0, status.st_nlink == 1 {
            return (temporary, descriptor)
        }
        unlink(temporary.path)
        close(descriptor)
        return nil
    }

    private static func removeAbandoned(of url: URL) throws(FileAccessError) {
        for temporary in try AtomicFile.temporaries(of: writer, beside: url) {
            let descriptor = open(temporary.path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
            guard descriptor >= 0 else { continue }
            if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { unlink(temporary.path) }
            close(descriptor)
        }
    }
}
