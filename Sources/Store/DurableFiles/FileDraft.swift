import Foundation

/// A new file that gets its name once complete, so that no reader finds half of it.
///
/// Until then it has a temporary name and a lock. The next draft removes an unlocked one, whose process was killed.
package final class FileDraft {
    private let url: URL
    package let temporary: URL
    private let file: OpenFile
    private let isPrivate: Bool

    private static let writer = "draft"

    package static func name(ofTemporary name: Substring) -> Substring {
        name.hasSuffix(".\(writer)") ? name.dropLast(writer.count + 1) : name
    }

    /// Begins a file, for its owner alone if `isPrivate`; else with the attributes of the file it replaces, if any.
    package init(of url: URL, isPrivate: Bool = true) throws(FileAccessError) {
        self.url = url
        self.isPrivate = isPrivate
        let isNew = try AtomicFile.signature(of: url) == nil
        let mode: UInt32 = isNew && !isPrivate ? 0o666 : 0o600
        try Self.removeAbandoned(of: url)
        while true {
            // Another process may take the file for abandoned before it is locked.
            guard let draft = try Self.begin(url, mode: mode) else { continue }
            (temporary, file) = draft
            return
        }
    }

    deinit {
        unlink(temporary.path)
    }

    package func write(_ data: Data) throws(FileAccessError) {
        try file.write(data)
    }

    package func synchronize() throws(FileAccessError) {
        try file.synchronize()
    }

    /// Gives the file its name, durable on return; returns `false` if a file exists and may not be replaced.
    package func install(replacing isReplacing: Bool) throws(FileAccessError) -> Bool {
        if isReplacing, !isPrivate, let mode = try AtomicFile.signature(of: url)?.mode {
            try AtomicFile.inherit(from: url, by: file)
            try file.setMode(mode)
        }
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

    /// Returns `nil` if another process removed the file before the lock.
    private static func begin(_ url: URL, mode: UInt32) throws(FileAccessError) -> (URL, OpenFile)? {
        let (temporary, file) = try AtomicFile.newTemporary(beside: url, mode: mode, writer: writer)
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
                // It was just installed, or belongs to another user, who alone may remove it.
                continue
            }
        }
    }
}
