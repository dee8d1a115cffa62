import CFileCalls
import Foundation

extension AtomicFile {
    /// Writes a new file beside another, and has its bytes on the disk before it returns.
    ///
    /// Its name is on the disk with the next ``synchronizeFolder(of:)``, or with that of the rename that uses it.
    ///
    /// - Parameters:
    ///   - data: The bytes.
    ///   - mode: The permission bits; `nil` leaves them to the process's file mode mask.
    ///   - writer: A word for the new file's name, by which ``removeTemporaries(of:beside:)`` knows it; `nil` for none.
    /// - Returns: The new file, of the owner, group, access control list and attributes of the one at `url` where there is
    ///   one.
    /// - Throws: Where it can't be written, or can't be given all of those; nothing is left behind then.
    package static func writeTemporary(_ data: Data, beside url: URL, mode: UInt32? = nil, writer: String? = nil)
        throws(FileAccessError) -> URL
    {
        // A rename would replace even a file that its owner has made read-only.
        guard access(url.path, W_OK) == 0 || errno == ENOENT || errno == ENOTDIR else {
            throw FileAccessError(.init(errorNumber: errno), path: url.path, action: "written")
        }
        let (temporary, file) = try newTemporary(beside: url, mode: mode ?? 0o666, writer: writer)
        do throws(FileAccessError) {
            guard inherit(from: url, file.descriptor) else {
                throw FileAccessError(.ownership, path: url.path, action: "replaced")
            }
            // After the access control list, whose mask it is too.
            if let mode { try file.setMode(mode) }
            try file.write(data)
            try file.synchronize()
        } catch {
            unlink(temporary.path)
            throw error
        }
        return temporary
    }

    /// Puts new contents in the place of whatever a file holds, durable before it returns.
    ///
    /// - Parameters:
    ///   - data: The bytes.
    ///   - mode: The permission bits; `nil` leaves them to the process's file mode mask.
    /// - Throws: Where that is not possible. Where only the folder can't be synchronized, the file is replaced.
    package static func replace(_ url: URL, with data: Data, mode: UInt32?) throws(FileAccessError) {
        try rename(try writeTemporary(data, beside: url, mode: mode), to: url)
        try synchronizeFolder(of: url)
    }

    /// Makes a file, durable before it returns, and never in the place of another.
    ///
    /// - Parameters:
    ///   - data: The bytes.
    ///   - mode: The permission bits; `nil` leaves them to the process's file mode mask.
    /// - Throws: Where that is not possible; ``FileAccessError/isInTheWay`` where there is such a file by now.
    package static func makeNew(
        _ url: URL, with data: Data, mode: UInt32? = nil, writer: String? = nil
    ) throws(FileAccessError) {
        let temporary = try writeTemporary(data, beside: url, mode: mode, writer: writer)
        let made = Result { () throws(FileAccessError) in try make(temporary, at: url) }
        // A second name shows in the new file's signature, so it must be gone before the file is read.
        try remove(temporary)
        try made.get()
        try synchronizeFolder(of: url)
    }

    /// Makes a file that only its owner may read, durable before it returns, unless there is one.
    ///
    /// - Parameter data: The bytes.
    package static func makePrivate(_ url: URL, with data: Data) throws(FileAccessError) -> Bool {
        guard try signature(of: url) == nil else { return false }
        do throws(FileAccessError) {
            try makeNew(url, with: data, mode: 0o600)
            return true
        } catch {
            guard error.isInTheWay else { throw error }
            return false
        }
    }

    /// Removes a file, where there is one.
    package static func remove(_ url: URL) throws(FileAccessError) {
        guard unlink(url.path) == 0 || errno == ENOENT else {
            throw FileAccessError(.init(errorNumber: errno), path: url.path, action: "removed")
        }
    }

    /// Puts a file in another's place at one stroke; ``synchronizeFolder(of:)`` then makes that durable.
    ///
    /// - Parameter temporary: What ``writeTemporary(_:beside:mode:writer:)`` returned; removed where it can't be put there.
    /// - Throws: Where that is not possible; `url` is as it was then.
    package static func rename(_ temporary: URL, to url: URL) throws(FileAccessError) {
        do {
            try restore(temporary, to: url)
        } catch {
            unlink(temporary.path)
            throw error
        }
    }

    /// Puts back what stood in a file's place.
    ///
    /// - Parameter kept: What stood there; it may be the only copy, so it stays where it can't be put back.
    /// - Throws: Where that is not possible; both are as they were then.
    package static func restore(_ kept: URL, to url: URL) throws(FileAccessError) {
        try FileAccessError.checkReplaced(Foundation.rename(kept.path, url.path), url)
    }

    /// Has the entries of a file's folder on the disk before it returns.
    package static func synchronizeFolder(of url: URL) throws(FileAccessError) {
        try OpenFile(url.deletingLastPathComponent(), for: .folder).synchronize()
    }

    /// Gives a new file the owner and group of the one that it is to replace, which its creator need not be, and its access
    /// control list and attributes.
    ///
    /// - Returns: Whether it has them; `true` where there is no other file.
    private static func inherit(from url: URL, _ descriptor: Int32) -> Bool {
        let replaced = open(url.path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        guard replaced >= 0 else { return errno == ENOENT || errno == ENOTDIR }
        defer { close(replaced) }
        var (old, new) = (stat(), stat())
        guard fstat(replaced, &old) == 0, fstat(descriptor, &new) == 0 else { return false }
        if old.st_uid != new.st_uid || old.st_gid != new.st_gid {
            guard fchown(descriptor, old.st_uid, old.st_gid) == 0 else { return false }
        }
        return flagboard_copy_attributes(replaced, descriptor, nil, nil) == 0
    }
}

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

extension AtomicFile {
    /// Finds what keeps a file from being replaced, without trying: a mount point, permissions, a volume that is read-only or
    /// full.
    ///
    /// - Returns: `nil` where nothing is known to be in the way, which a try alone can show.
    package static func obstacle(toReplacing url: URL) -> FileAccessError? {
        let (path, folder) = (url.path, url.deletingLastPathComponent().path)
        func error(_ cause: FileAccessError.Cause) -> FileAccessError {
            FileAccessError(cause, path: path, action: "replaced")
        }
        if flagboard_is_mount_point(path) == 1 { return error(.mountPoint) }
        for place in [path, folder] where access(place, W_OK) != 0 {
            let cause = FileAccessError.Cause(errorNumber: errno)
            // A file that is gone is another matter, and is told where it is read.
            if cause != .missing { return error(cause == .permission && place == folder ? .folderPermission : cause) }
        }
        var volume = statvfs()
        let size = look(at: url)?.size ?? 0
        guard statvfs(folder, &volume) == 0, volume.f_blocks > 0 else { return nil }
        // The blocks that only an administrator may use are none for others.
        let free = geteuid() == 0 ? volume.f_bfree : volume.f_bavail
        let room = UInt64(free).multipliedReportingOverflow(by: UInt64(volume.f_frsize))
        return !room.overflow && room.partialValue < UInt64(size) ? error(.full) : nil
    }
}
