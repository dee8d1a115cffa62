import CFileCalls
import Foundation

extension AtomicFile {
    /// Writes a new file beside another and flushes its bytes to disk.
    ///
    /// It gets the owner, group, access control list and attributes of any file at `url`, or is removed. Its name
    /// reaches the disk with the next ``synchronizeFolder(of:)``.
    ///
    /// - Parameters:
    ///   - mode: The permission bits; `nil` applies the process's file mode mask.
    ///   - writer: A word in the new file's name, for ``removeTemporaries(of:beside:)``.
    package static func writeTemporary(_ data: Data, beside url: URL, mode: UInt32? = nil, writer: String? = nil)
        throws(FileAccessError) -> URL
    {
        // A rename would replace even a file that its owner has made read-only.
        guard access(url.path, W_OK) == 0 || errno == ENOENT || errno == ENOTDIR else {
            throw FileAccessError(.init(errorNumber: errno), path: url.path, action: "write")
        }
        let (temporary, file) = try newTemporary(beside: url, mode: mode ?? 0o666, writer: writer)
        do throws(FileAccessError) {
            try inherit(from: url, by: file)
            // After the access control list: the mode is also its mask.
            if let mode { try file.setMode(mode) }
            try file.write(data)
            try file.synchronize()
        } catch {
            unlink(temporary.path)
            throw error
        }
        return temporary
    }

    /// Replaces or creates a file, durable on return.
    ///
    /// If only the folder can't be synchronized, it throws after the replacement.
    package static func replace(_ url: URL, with data: Data, mode: UInt32?) throws(FileAccessError) {
        try rename(try writeTemporary(data, beside: url, mode: mode), to: url)
        try synchronizeFolder(of: url)
    }

    /// Creates a file, durable on return, and never replaces one.
    ///
    /// - Throws: ``FileAccessError/isInTheWay`` if the file exists by now.
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

    /// Creates a file for its owner alone, durable on return; returns `false` if the file exists.
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

    package static func remove(_ url: URL) throws(FileAccessError) {
        guard unlink(url.path) == 0 || errno == ENOENT else {
            throw FileAccessError(.init(errorNumber: errno), path: url.path, action: "remove")
        }
    }

    /// Moves a file onto another atomically, or removes it on failure; ``synchronizeFolder(of:)`` makes that durable.
    package static func rename(_ temporary: URL, to url: URL) throws(FileAccessError) {
        do {
            try restore(temporary, to: url)
        } catch {
            unlink(temporary.path)
            throw error
        }
    }

    /// Moves a displaced file back; it may be the only copy, so it stays on failure.
    package static func restore(_ kept: URL, to url: URL) throws(FileAccessError) {
        try FileAccessError.checkReplaced(Foundation.rename(kept.path, url.path), url)
    }

    package static func synchronizeFolder(of url: URL) throws(FileAccessError) {
        try OpenFile(url.deletingLastPathComponent(), for: .folder).synchronize()
    }

    /// Returns `false` if a new file beside this one can't get its owner and group.
    private static func ownsFiles(like path: String, in folder: String) -> Bool {
        var file = stat()
        guard stat(path, &file) == 0, file.st_uid != geteuid() || file.st_gid != getegid() else { return true }
        return flagboard_can_own(folder, file.st_uid, file.st_gid) != 0
    }

    /// Gives a file the owner, group, access control list and attributes of any file at `url`.
    static func inherit(from url: URL, by file: OpenFile) throws(FileAccessError) {
        guard inherit(from: url, file.descriptor) else {
            throw FileAccessError(.ownership, path: url.path, action: "replace")
        }
    }

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
    /// Swaps two temporary files to test whether the file system can.
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

    /// Swaps a file with one beside it atomically, so that the old one is never lost or missing.
    package static func exchange(_ temporary: URL, with url: URL) throws(FileAccessError) {
        try FileAccessError.checkReplaced(flagboard_exchange(temporary.path, url.path), url)
    }

    /// Links a new file to a free name; it keeps its temporary name too.
    package static func make(_ temporary: URL, at url: URL) throws(FileAccessError) {
        try FileAccessError.check(Foundation.link(temporary.path, url.path), url, "made")
    }

    /// Gives a file a second name, which keeps its contents after a replacement.
    package static func link(_ url: URL, as backup: URL) throws(FileAccessError) {
        try FileAccessError.check(Foundation.link(url.path, backup.path), url, "replace")
    }
}

extension AtomicFile {
    package static func isOnReadOnlyVolume(_ url: URL) -> Bool { access(url.path, W_OK) != 0 && errno == EROFS }

    /// Predicts the error of replacing a file, without trying; `nil` if none is known.
    package static func obstacle(toReplacing url: URL) -> FileAccessError? {
        let (path, folder) = (url.path, url.deletingLastPathComponent().path)
        func error(_ cause: FileAccessError.Cause) -> FileAccessError {
            FileAccessError(cause, path: path, action: "replace")
        }
        if flagboard_is_mount_point(path) == 1 { return error(.mountPoint) }
        for place in [path, folder] where access(place, W_OK) != 0 {
            let cause = FileAccessError.Cause(errorNumber: errno)
            // A missing file is reported when it is read.
            if cause != .missing { return error(cause == .permission && place == folder ? .folderPermission : cause) }
        }
        if !ownsFiles(like: path, in: folder) { return error(.ownership) }
        var volume = statvfs()
        let size = look(at: url)?.size ?? 0
        guard statvfs(folder, &volume) == 0, volume.f_blocks > 0 else { return nil }
        // Some blocks are reserved for the administrator.
        let free = geteuid() == 0 ? volume.f_bfree : volume.f_bavail
        let room = UInt64(free).multipliedReportingOverflow(by: UInt64(volume.f_frsize))
        return !room.overflow && room.partialValue < UInt64(size) ? error(.full) : nil
    }
}
