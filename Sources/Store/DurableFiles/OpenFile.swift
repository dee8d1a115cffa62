import Foundation

/// A file or a folder that is open, for as long as something holds it.
///
/// Every call is made again where a signal interrupted it, and says what it failed for.
package final class OpenFile: Sendable {
    /// What a file is opened for.
    package enum Purpose: Hashable, Sendable {
        /// To read a regular file.
        case reading
        /// To read a regular file that has this very name: no symbolic link.
        case readingItself
        /// To read and write a regular file in place that has this very name.
        case updating
        /// The same, made for its owner alone where there is none.
        case making
        /// To make a file where there is none.
        case creating(mode: UInt32)
        /// To write to a device or a named pipe, waiting for its reader.
        case streaming
        /// To lock a folder, or have its entries on the disk.
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
            case .updating, .making, .creating, .streaming: "written"
            case .folder: "opened"
            }
        }
    }

    /// What errors call the file.
    private let path: String
    private let purpose: Purpose
    let descriptor: Int32

    /// Opens a file.
    ///
    /// - Parameter named: What errors call it, where that is another one's new content; `nil` for itself.
    package init(_ url: URL, for purpose: Purpose, named: URL? = nil) throws(FileAccessError) {
        let file = url.path
        path = (named ?? url).path
        self.purpose = purpose
        var status = stat()
        // A socket can't be opened at all, and opening a device may do something.
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

    /// The state that the file is in now.
    package func signature() throws(FileAccessError) -> AtomicFile.Signature {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw failure("read") }
        return AtomicFile.Signature(status)
    }

    /// What the file begins with.
    ///
    /// - Parameter count: The most bytes to read.
    /// - Returns: The bytes; fewer where the file is shorter.
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

    /// All of the file, where that is no more than what is read.
    ///
    /// - Parameter maximumSize: The most bytes to read.
    /// - Returns: The bytes.
    package func wholeContent(maximumSize: Int) throws(FileAccessError) -> Data {
        let size = try signature().size
        guard size <= maximumSize else {
            throw FileAccessError(.tooLarge(size: size, maximum: maximumSize), path: path, action: "read")
        }
        return try content(upTo: size)
    }

    /// How many bytes of a file are compared at a time: few enough to stay in the processor's cache.
    private static let blockSize = 131_072

    /// Which of some contents the file has, none of which then needs to be in memory twice.
    ///
    /// - Parameter size: How many bytes the file has.
    /// - Returns: `nil` where it has none of them.
    func place(of size: Int, among known: [Data]) throws(FileAccessError) -> Int? {
        for (place, content) in known.enumerated() where content.count == size {
            if try holds(content) { return place }
        }
        return nil
    }

    /// Whether the file consists of some bytes, and no others.
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

    /// Reads what is at some place, as far as there is room for it.
    ///
    /// - Returns: How many bytes were read, 0 at the end of the file; -1 with `errno` set where it can't be read.
    private func read(into bytes: UnsafeMutableRawBufferPointer, from place: Int) -> Int {
        while true {
            let count = pread(descriptor, bytes.baseAddress, bytes.count, off_t(place))
            if count >= 0 || errno != EINTR { return count }
        }
    }

    /// Writes all of some bytes.
    ///
    /// - Parameters:
    ///   - data: The bytes.
    ///   - offset: Where; `nil` for behind what was written before.
    /// - Throws: Where they can't be written; a part of them may have been.
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
            guard step > 0 else { throw failure("written") }
            size += step
        }
    }

    /// Cuts the file off, or fills it up with zeros.
    ///
    /// - Parameter size: How many bytes it has then.
    package func truncate(to size: Int) throws(FileAccessError) {
        try call("written") { ftruncate(descriptor, off_t(size)) }
    }

    /// Sets the permission bits, whatever the process's file mode mask is.
    package func setMode(_ mode: UInt32) throws(FileAccessError) {
        try call("written") { fchmod(descriptor, mode_t(mode)) }
    }

    /// Has what was written on the disk before it returns; of a folder, its entries.
    package func synchronize() throws(FileAccessError) {
        try call(purpose == .folder ? "synchronized" : "written") { fsync(descriptor) }
    }

    /// Locks the file against all others that lock it, unless one of them has it.
    ///
    /// - Returns: Whether it is locked; it is until the file is closed.
    package func tryLock() throws(FileAccessError) -> Bool {
        try call("locked", unless: EWOULDBLOCK) { flock(descriptor, LOCK_EX | LOCK_NB) }
    }

    /// Runs a body while the file is locked, waiting for those that have it locked.
    package func locked<Value>(sharing isShared: Bool = false, _ body: () throws -> Value) throws -> Value {
        try call("locked") { flock(descriptor, isShared ? LOCK_SH : LOCK_EX) }
        defer { flock(descriptor, LOCK_UN) }
        return try body()
    }

    /// Makes a call until no signal interrupts it.
    ///
    /// - Returns: `false` where it failed for the expected reason.
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

/// What a name in a folder is of.
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

    /// The kind in words, with its article.
    package var name: String {
        switch self {
        case .regular: "a regular file"
        case .folder: "a folder"
        case .link: "a symbolic link"
        case .socket: "a socket"
        case .pipe: "a named pipe"
        case .device: "a device"
        case .other: "something special"
        }
    }
}
