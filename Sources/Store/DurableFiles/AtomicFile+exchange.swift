import CFileCalls
import Foundation

extension AtomicFile {
    /// Whether files in a folder can be swapped at one stroke, which not every file system can.
    ///
    /// - Parameter writer: A word for the names of the two files that are swapped to find out.
    /// - Returns: `false` where the file system can't.
    package static func canExchange(beside url: URL, writer: String) throws(FileAccessError) -> Bool {
        let first = try writeTemporary(Data("first".utf8), beside: url, writer: writer)
        defer { unlink(first.path) }
        let second = try writeTemporary(Data("second".utf8), beside: url, writer: writer)
        defer { unlink(second.path) }
        do {
            try exchange(first, with: second)
            return true
        } catch {
            if error.isUnsupported { return false }
            throw error
        }
    }

    /// Swaps a file with one beside it at one stroke, so that what stood there is neither lost nor missing for a moment.
    ///
    /// - Parameter temporary: What ``writeTemporary(_:beside:mode:writer:)`` returned; afterwards, what stood at `url`.
    /// - Throws: Where that is not possible; both are as they were then.
    package static func exchange(_ temporary: URL, with url: URL) throws(FileAccessError) {
        try FileAccessError.checkReplaced(flagboard_exchange(temporary.path, url.path), url)
    }

    /// Gives a new file its name where none has it yet.
    ///
    /// - Parameter temporary: What ``writeTemporary(_:beside:mode:writer:)`` returned; it keeps its own name too.
    /// - Throws: Where that is not possible; also where there is such a file by now.
    package static func make(_ temporary: URL, at url: URL) throws(FileAccessError) {
        try FileAccessError.check(Foundation.link(temporary.path, url.path), url, "made")
    }

    /// Gives a file a second name, for its contents to be found there after it is replaced.
    package static func link(_ url: URL, as backup: URL) throws(FileAccessError) {
        try FileAccessError.check(Foundation.link(url.path, backup.path), url, "replaced")
    }
}
