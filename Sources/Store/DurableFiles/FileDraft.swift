import Foundation

/// A new file that is written piece by piece and gets its name once it is whole: no reader finds half of it there.
///
/// Until then it has a temporary name beside its own, and is locked, so that what is left of one whose process was ended is
/// known by having no lock, and is removed by the next one of the same name.
package final class FileDraft {
    private let url: URL
    /// Where the new file is until it has its name.
    package let temporary: URL
    private let file: OpenFile

    /// What tells these temporary files from those that ``AtomicFile`` writes.
    private static let writer = "draft"

    /// The name that a temporary file is to get, as ``AtomicFile/removeTemporaries(in:of:)`` tells of it.
    ///
    /// - Parameter name: What tells of it: the name alone where no draft wrote it.
    package static func name(ofTemporary name: Substring) -> Substring {
        name.hasSuffix(".\(writer)") ? name.dropLast(writer.count + 1) : name
    }

    /// Begins a file that only its owner may read.
    package init(of url: URL) throws(FileAccessError) {
        self.url = url
        try Self.removeAbandoned(of: url)
        while true {
            // Another process that begins the same file at that moment may take it for abandoned before it is locked.
            guard let draft = try Self.begin(url) else { continue }
            (temporary, file) = draft
            return
        }
    }

    deinit {
        // After an installation there is none of the name.
        unlink(temporary.path)
    }

    /// Adds bytes at the end.
    package func write(_ data: Data) throws(FileAccessError) {
        try file.write(data)
    }

    /// Has all that was written on the disk before it returns.
    package func synchronize() throws(FileAccessError) {
        try file.synchronize()
    }

    /// Gives the file its name, durable before it returns.
    ///
    /// - Returns: Whether it has its name: where none may be replaced and there is one, it has not.
    package func install(replacing isReplacing: Bool) throws(FileAccessError) -> Bool {
        try synchronize()
        if isReplacing {
            try AtomicFile.restore(temporary, to: url)
        } else {
            do throws(FileAccessError) {
                try AtomicFile.make(temporary, at: url)
            } catch {
                if error.isInTheWay { return false }
                throw error
            }
        }
        try AtomicFile.synchronizeFolder(of: url)
        return true
    }

    /// - Returns: `nil` where another process removed it before it was locked.
    private static func begin(_ url: URL) throws(FileAccessError) -> (URL, OpenFile)? {
        let (temporary, file) = try AtomicFile.newTemporary(beside: url, mode: 0o600, writer: writer)
        do throws(FileAccessError) {
            if try file.tryLock(), try file.signature().links == 1 { return (temporary, file) }
        } catch {
            unlink(temporary.path)
            throw error
        }
        unlink(temporary.path)
        return nil
    }

    private static func removeAbandoned(of url: URL) throws(FileAccessError) {
        for temporary in try AtomicFile.temporaries(of: writer, beside: url) {
            do throws(FileAccessError) {
                let file = try OpenFile(temporary, for: .readingItself)
                defer { withExtendedLifetime(file) {} }
                if try file.tryLock() { unlink(temporary.path) }
            } catch {
                // Its process has just given it its name, or it is another user's, who alone may remove it.
                continue
            }
        }
    }
}
