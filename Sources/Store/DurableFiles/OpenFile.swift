import Foundation

/// A file or folder, open for the object's lifetime.
///
/// Every call is repeated after an interrupting signal.
package final class OpenFile: Sendable {
    package enum Purpose: Hashable, Sendable {
        case reading
        /// Follows no symbolic link.
        case readingItself
        /// In place; follows no symbolic link.
        case updating
        /// The same, and creates a missing file for its owner alone.
        case making
        case creating(mode: UInt32)
        /// A device or a named pipe; waits for its reader.
        case streaming
        /// To lock a folder or flush its entries.
        case folder

        // Without O_NONBLOCK, opening a named pipe waits for its writer.
        fileprivate var flags: Int32 {
            switch self {
            case .reading: O_RDONLY | O_NONBLOCK
            case .readingItself: O_RDONLY | O_NONBLOCK | O_NOFOLLOW
            case .updating: O_RDWR | O_NONBLOCK | O_NOFOLLOW
            case .making: O_RDWR | O_NONBLOCK | O_NOFOLLOW | O_CREAT
            case .creating: O_RDWR | O_NOFOLLOW | O_CREAT | O_EXCL
            case .streaming: O_WRONLY
            case .folder: O_RDONLY | O_DIRECTORY
            }
        }

        fileprivate var isOfRegular: Bool {
            switch self {
            case .reading, .readingItself, .updating, .making: true
            case .creating, .streaming, .folder: false
            }
        }

        fileprivate var action: String {
            switch self {
            case .reading, .readingItself: "read"
            case .updating, .making, .creating, .streaming: "write"
            case .folder: "open"
            }
        }
    }

    private let path: String
    private let purpose: Purpose
    let descriptor: Int32

    /// Opens a file.
    ///
    /// - Parameter named: The file in error messages, if `url` is its new content.
    package init(_ url: URL, for purpose: Purpose, named: URL? = nil) throws(FileAccessError) {
        let file = url.path
        path = (named ?? url).path
        self.purpose = purpose
        var status = stat()
        // A socket can't be opened, and opening a device may have an effect.
        if purpose.isOfRegular, stat(file, &status) == 0, FileKind(status) != .regular {
            throw FileAccessError(.notRegular(FileKind(status)), path: path, action: purpose.action)
        }
        let mode: UInt32 = if case .creating(let mode) = purpose { mode } else { 0o600 }
        var opened: Int32
        repeat { opened = open(file, purpose.flags | O_CLOEXEC, mode_t(mode)) } while opened < 0 && errno == EINTR
        guard opened >= 0 else {
            let cause = FileAccessError.Cause(errorNumber: errno)
            let isMade = purpose.flags & O_CREAT != 0
            throw FileAccessError(
                cause == .missing && isMade ? .missingFolder : cause, path: path, action: purpose.action)
        }
        descriptor = opened
        if purpose.isOfRegular {
            let kind = try signature().kind
            guard kind == .regular else {
                throw FileAccessError(.notRegular(kind), path: path, action: purpose.action)
            }
        }
    }

    deinit {
        close(descriptor)
    }

    package func signature() throws(FileAccessError) -> AtomicFile.Signature {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw failure("read") }
        return AtomicFile.Signature(status)
    }

    package func content(upTo count: Int) throws(FileAccessError) -> Data {
        var data = Data(count: count)
        var size = 0
        while size < count {
            let step = data.withUnsafeMutableBytes { bytes in
                read(into: UnsafeMutableRawBufferPointer(rebasing: bytes[size...]), from: size)
            }
            guard step >= 0 else { throw failure("read") }
            if step == 0 { break }
            size += step
        }
        return data.prefix(size)
    }

    package func wholeContent(maximumSize: Int) throws(FileAccessError) -> Data {
        let size = try signature().size
        guard size <= maximumSize else {
            throw FileAccessError(.tooLarge(size: size, maximum: maximumSize), path: path, action: "read")
        }
        return try content(upTo: size)
    }

    /// The bytes compared at a time, few enough for the processor's cache.
    private static let blockSize = 131_072

    /// Returns the index of the contents that the file holds, without a second copy in memory.
    func place(of size: Int, among known: [Data]) throws(FileAccessError) -> Int? {
        for (place, content) in known.enumerated() where content.count == size {
            if try holds(content) { return place }
        }
        return nil
    }

    private func holds(_ content: Data) throws(FileAccessError) -> Bool {
        let block = UnsafeMutableRawBufferPointer.allocate(byteCount: Self.blockSize, alignment: 16)
        defer { block.deallocate() }
        var size = 0
        while true {
            let step = read(into: block, from: size)
            guard step >= 0 else { throw failure("read") }
            if step == 0 { return size == content.count }
            guard step <= content.count - size else { return false }
            let isSame = content.withUnsafeBytes { bytes in
                guard let expected = bytes.baseAddress, let found = block.baseAddress else { return false }
                return memcmp(expected + size, found, step) == 0
            }
            guard isSame else { return false }
            size += step
        }
    }

    /// Returns the number of bytes read, 0 at the end of the file, or -1 with `errno` set.
    private func read(into bytes: UnsafeMutableRawBufferPointer, from place: Int) -> Int {
        while true {
            let count = pread(descriptor, bytes.baseAddress, bytes.count, off_t(place))
            if count >= 0 || errno != EINTR { return count }
        }
    }

    /// Writes all of the bytes, or throws after a part of them.
    ///
    /// - Parameter offset: `nil` continues after the previous write.
    package func write(_ data: Data, at offset: Int? = nil) throws(FileAccessError) {
        var size = 0
        while size < data.count {
            let step = data.withUnsafeBytes { bytes in
                let start = bytes.baseAddress?.advanced(by: size)
                return if let offset {
                    pwrite(descriptor, start, bytes.count - size, off_t(offset + size))
                } else {
                    Foundation.write(descriptor, start, bytes.count - size)
                }
            }
            if step < 0, errno == EINTR { continue }
            guard step > 0 else { throw failure("write") }
            size += step
        }
    }

    /// Cuts the file to a size in bytes, or pads it with zeros.
    package func truncate(to size: Int) throws(FileAccessError) {
        try call("written") { ftruncate(descriptor, off_t(size)) }
    }

    /// Sets the permission bits, whatever the process's file mode mask.
    package func setMode(_ mode: UInt32) throws(FileAccessError) {
        try call("written") { fchmod(descriptor, mode_t(mode)) }
    }

    /// Flushes the file, or the folder's entries, to disk.
    package func synchronize() throws(FileAccessError) {
        try call(purpose == .folder ? "synchronized" : "written") { fsync(descriptor) }
    }

    /// Locks the file until it is closed; returns `false` if another holds the lock.
    package func tryLock() throws(FileAccessError) -> Bool {
        try call("locked", unless: EWOULDBLOCK) { flock(descriptor, LOCK_EX | LOCK_NB) }
    }

    package func locked<Value>(sharing isShared: Bool = false, _ body: () throws -> Value) throws -> Value {
        try call("locked") { flock(descriptor, isShared ? LOCK_SH : LOCK_EX) }
        defer { flock(descriptor, LOCK_UN) }
        return try body()
    }

    /// Repeats a call that a signal interrupts; returns `false` for the expected error.
    @discardableResult
    private func call(
        _ action: String, unless expected: Int32? = nil, _ body: () -> Int32
    ) throws(FileAccessError) -> Bool {
        while body() != 0 {
            if errno == expected { return false }
            guard errno == EINTR else { throw failure(action) }
        }
        return true
    }

    private func failure(_ action: String) -> FileAccessError {
        FileAccessError(.init(errorNumber: errno), path: path, action: action)
    }
}

package enum FileKind: Hashable, Sendable {
    case regular, folder, link, socket, pipe, device, other

    init(_ status: stat) {
        self =
            switch status.st_mode & S_IFMT {
            case S_IFREG: .regular
            case S_IFDIR: .folder
            case S_IFLNK: .link
            case S_IFSOCK: .socket
            case S_IFIFO: .pipe
            case S_IFCHR, S_IFBLK: .device
            default: .other
            }
    }

    package var name: String {
        switch self {
        case .regular: "a regular file"
        case .folder: "a folder"
        case .link: "a symbolic link"
        case .socket: "a socket"
        case .pipe: "a named pipe"
        case .device: "a device"
        case .other: "a special file"
        }
    }
}
