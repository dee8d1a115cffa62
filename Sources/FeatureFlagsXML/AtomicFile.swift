import CFileCalls
import Foundation

/// Files that are read in one consistent state and replaced as a whole.
package enum AtomicFile {
    /// What tells a file from all others, whatever its names.
    package struct Identity: Hashable, Sendable {
        /// The numbers of the device and, on it, of the inode.
        package let device, inode: UInt64
    }

    /// What tells one state of a file from another without reading it.
    package struct Signature: Hashable, Sendable {
        /// What tells the file from all others.
        package let identity: Identity
        /// The size in bytes.
        package let size: Int
        /// The permission bits.
        package let mode: UInt32
        /// How many names the file has (hard links).
        package let links: Int
        /// The time of the last change of the contents, in nanoseconds since 1970.
        package let modified: Int128
        /// The time of the last change of the contents or the attributes, in nanoseconds since 1970.
        package let changed: Int128

        init(_ status: stat) {
            #if canImport(Darwin)
                let (modified, changed) = (status.st_mtimespec, status.st_ctimespec)
            #else
                let (modified, changed) = (status.st_mtim, status.st_ctim)
            #endif
            identity = Identity(
                device: UInt64(truncatingIfNeeded: status.st_dev), inode: UInt64(status.st_ino))
            size = Int(status.st_size)
            mode = UInt32(status.st_mode) & 0o7777
            links = Int(status.st_nlink)
            self.modified = Self.nanoseconds(modified)
            self.changed = Self.nanoseconds(changed)
        }

        /// Whether two looks met the same file with the same contents, be it under another name.
        func isSameFile(as other: Signature) -> Bool {
            (identity, size) == (other.identity, other.size) && modified == other.modified
        }

        /// A file's times can be set to any year, and 64 bits end in 2262.
        private static func nanoseconds(_ time: timespec) -> Int128 {
            Int128(time.tv_sec) * 1_000_000_000 + Int128(time.tv_nsec)
        }
    }

    /// A file's bytes with the state that they belong to.
    package struct Contents: Sendable {
        /// The bytes.
        package let data: Data
        /// The state of the file from before to after the read.
        package let signature: Signature
    }

    /// Reads a file in one state: the file is examined before and after, and read again where it changed meanwhile.
    ///
    /// - Parameters:
    ///   - url: The file.
    ///   - maximumSize: The most bytes to read.
    /// - Returns: The bytes and the state.
    /// - Throws: Where there is no such file, it is no regular file, can't be read, is too large, or keeps changing.
    package static func read(_ url: URL, maximumSize: Int = PropertyListDocument.maximumSize)
        throws(FileAccessError) -> Contents
    {
        let path = url.path
        func failure(_ cause: FileAccessError.Cause) -> FileAccessError {
            FileAccessError(cause, path: path, action: "read")
        }
        for _ in 0..<5 {
            var status = stat()
            // A socket can't be opened at all, and opening a device may do something.
            if stat(path, &status) == 0, let cause = notRegular(status) { throw failure(cause) }
            // Without O_NONBLOCK, opening a named pipe waits for its writer.
            let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
            guard descriptor >= 0 else { throw failure(.init(errorNumber: errno)) }
            defer { close(descriptor) }
            guard fstat(descriptor, &status) == 0 else { throw failure(.init(errorNumber: errno)) }
            if let cause = notRegular(status) { throw failure(cause) }
            let before = Signature(status)
            guard before.size <= maximumSize else {
                throw failure(.tooLarge(size: before.size, maximum: maximumSize))
            }
            guard let data = readAll(descriptor, size: before.size) else { throw failure(.init(errorNumber: errno)) }
            guard fstat(descriptor, &status) == 0 else { throw failure(.init(errorNumber: errno)) }
            if Signature(status) == before, data.count == before.size {
                return Contents(data: data, signature: before)
            }
        }
        throw failure(.changing)
    }

    /// Examines a file without reading it.
    ///
    /// - Parameter url: The file.
    /// - Returns: `nil` where there is none.
    /// - Throws: Where the file can't be examined.
    package static func signature(of url: URL) throws(FileAccessError) -> Signature? {
        var status = stat()
        guard stat(url.path, &status) == 0 else {
            let error = FileAccessError(.init(errorNumber: errno), path: url.path, action: "read")
            if error.isMissing { return nil }
            throw error
        }
        return Signature(status)
    }

    /// Writes a new file beside another, and has it and its folder on the disk before it returns.
    ///
    /// - Parameters:
    ///   - data: The bytes.
    ///   - url: The file that the new one is to replace.
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
        let name = temporaryPrefix(writer, beside: url) + UUID().uuidString + temporarySuffix
        let temporary = url.deletingLastPathComponent().appendingPathComponent(name)
        let descriptor = open(temporary.path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode ?? 0o666)
        guard descriptor >= 0 else {
            let cause = FileAccessError.Cause(errorNumber: errno)
            throw FileAccessError(cause == .missing ? .missingFolder : cause, path: url.path, action: "written")
        }
        guard inherit(from: url, descriptor) else {
            close(descriptor)
            unlink(temporary.path)
            throw FileAccessError(.ownership, path: url.path, action: "replaced")
        }
        // After the access control list, whose mask it is too.
        let isModeSet = mode.map { fchmod(descriptor, mode_t($0)) == 0 } ?? true
        let isWritten = isModeSet && writeAll(data, to: descriptor) && fsync(descriptor) == 0
        let errorNumber = errno
        close(descriptor)
        guard isWritten else {
            unlink(temporary.path)
            throw FileAccessError(.init(errorNumber: errorNumber), path: url.path, action: "written")
        }
        do throws(FileAccessError) {
            try synchronizeFolder(of: url)
        } catch {
            unlink(temporary.path)
            throw error
        }
        return temporary
    }

    /// Puts a file in another's place at one stroke; ``synchronizeFolder(of:)`` then makes that durable.
    ///
    /// - Parameters:
    ///   - temporary: What ``writeTemporary(_:beside:mode:writer:)`` returned; removed where it can't be put there.
    ///   - url: The file to replace or to make.
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
    /// - Parameters:
    ///   - kept: What stood there; it may be the only copy, so it stays where it can't be put back.
    ///   - url: The file.
    /// - Throws: Where that is not possible; both are as they were then.
    package static func restore(_ kept: URL, to url: URL) throws(FileAccessError) {
        guard Foundation.rename(kept.path, url.path) == 0 else {
            throw FileAccessError(.init(errorNumber: errno), path: url.path, action: "replaced")
        }
    }

    /// Has the entries of a file's folder on the disk before it returns.
    ///
    /// - Parameter url: The file.
    /// - Throws: Where the folder can't be opened or synchronized.
    package static func synchronizeFolder(of url: URL) throws(FileAccessError) {
        let folder = url.deletingLastPathComponent().path
        let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else {
            throw FileAccessError(.init(errorNumber: errno), path: folder, action: "opened")
        }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else {
            throw FileAccessError(.init(errorNumber: errno), path: folder, action: "synchronized")
        }
    }

    /// The file that a path means once every symbolic link is followed, so that replacing it keeps the link.
    ///
    /// - Parameter url: The path, which need not exist.
    /// - Returns: The file itself, be it that it, or a folder above it, does not exist yet; `url` where the links lead to one
    ///   another or can't be followed.
    package static func target(of url: URL) -> URL {
        if let path = realpath(url.path, nil) {
            defer { free(path) }
            return URL(fileURLWithPath: String(cString: path))
        }
        var walk = FileWalk(url.absoluteURL.path)
        while let step = walk.next() {
            let rest = walk.rest
            switch walk.enter(step) {
            case .folder, .link: continue
            case .file, .missing: return URL(fileURLWithPath: ([step.path] + rest).joined(separator: "/"))
            case .none: return url
            }
        }
        return url
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
        return flagboard_copy_attributes(replaced, descriptor) == 0
    }

    private static func notRegular(_ status: stat) -> FileAccessError.Cause? {
        switch status.st_mode & S_IFMT {
        case S_IFREG: nil
        case S_IFDIR: .folder
        case S_IFSOCK: .notRegular("a socket")
        case S_IFIFO: .notRegular("a named pipe")
        case S_IFCHR, S_IFBLK: .notRegular("a device")
        default: .notRegular("something special")
        }
    }

    /// One byte more than expected is asked for, to notice a file that grows.
    private static func readAll(_ descriptor: Int32, size: Int) -> Data? {
        var data = Data(count: size + 1)
        var count = 0
        while count <= size {
            let step = data.withUnsafeMutableBytes { bytes in
                pread(descriptor, bytes.baseAddress?.advanced(by: count), bytes.count - count, off_t(count))
            }
            if step < 0, errno == EINTR { continue }
            guard step >= 0 else { return nil }
            if step == 0 { break }
            count += step
        }
        return data.prefix(count)
    }

    static func writeAll(_ data: Data, to descriptor: Int32) -> Bool {
        data.withUnsafeBytes { bytes in
            var count = 0
            while count < bytes.count {
                let step = write(descriptor, bytes.baseAddress?.advanced(by: count), bytes.count - count)
                if step < 0, errno == EINTR { continue }
                guard step > 0 else { return false }
                count += step
            }
            return true
        }
    }
}
