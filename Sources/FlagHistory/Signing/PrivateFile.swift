import Foundation

/// Files beside the history that nobody but their owner may read, and that are whole or not there at all.
enum PrivateFile {
    /// - Returns: The content, or `nil` where there is no such file.
    static func read(_ path: String) throws -> Data? {
        try checkRegular(path)
        // Without O_NONBLOCK, opening a named pipe waits for its writer.
        let file = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        guard file >= 0 else {
            if errno == ENOENT { return nil }
            throw failure(path)
        }
        defer { close(file) }
        return try content(of: file, path)
    }

    /// All that an open file holds.
    static func content(of file: Int32, _ path: String) throws -> Data {
        var information = stat()
        guard fstat(file, &information) == 0 else { throw failure(path) }
        if let kind = kind(information) { throw notRegular(kind, path) }
        var data = Data()
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = pread(file, &buffer, buffer.count, off_t(data.count))
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw failure(path) }
            if count == 0 { return data }
            data.append(contentsOf: buffer.prefix(count))
        }
    }

    /// Puts a new file in place, durable, unless there is one.
    ///
    /// - Returns: Whether there was none.
    static func create(_ content: Data, at path: String) throws -> Bool {
        let temporary = try writeTemporary(content, for: path)
        defer { unlink(temporary) }
        guard link(temporary, path) == 0 else {
            if errno == EEXIST { return false }
            throw failure(path)
        }
        try synchronizeFolder(of: path)
        return true
    }

    /// Puts a file in the place of whatever is there, durable.
    static func replace(_ content: Data, at path: String) throws {
        let temporary = try writeTemporary(content, for: path)
        guard rename(temporary, path) == 0 else {
            let failure = failure(path)
            unlink(temporary)
            throw failure
        }
        try synchronizeFolder(of: path)
    }

    private static func writeTemporary(_ content: Data, for path: String) throws -> String {
        let temporary = temporary(for: path)
        let file = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard file >= 0 else { throw failure(temporary) }
        defer { close(file) }
        do {
            try write(content, to: file, at: 0, temporary)
            guard fsync(file) == 0 else { throw failure(temporary) }
        } catch {
            unlink(temporary)
            throw error
        }
        return temporary
    }

    /// A name beside a file that nothing else has.
    static func temporary(for path: String) -> String {
        let url = URL(fileURLWithPath: path)
        return url.deletingLastPathComponent().path + "/.\(url.lastPathComponent).\(UUID().uuidString).tmp"
    }

    /// Removes what is left of files that were being written when their process was ended.
    ///
    /// Only who alone writes such files, by a lock, may do so.
    ///
    /// - Parameters:
    ///   - folder: Where they are.
    ///   - isOurs: Whether files of a name are written here.
    /// - Throws: Where the folder can't be read, or a file in it can't be removed.
    static func removeTemporaries(in folder: URL, of isOurs: (Substring) -> Bool) throws {
        for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
            // `.NAME.UUID.tmp`, as ``temporary(for:)`` makes it.
            guard name.hasPrefix("."), name.hasSuffix(".tmp") else { continue }
            let bare = name.dropFirst().dropLast(".tmp".count)
            guard let dot = bare.lastIndex(of: "."), UUID(uuidString: String(bare[dot...].dropFirst())) != nil,
                isOurs(bare[..<dot])
            else { continue }
            let path = folder.appending(path: name).path
            var information = stat()
            guard lstat(path, &information) == 0, kind(information) == nil else { continue }
            guard unlink(path) == 0 || errno == ENOENT else { throw failure(path) }
        }
    }

    static func write(_ content: Data, to file: Int32, at offset: Int, _ path: String) throws {
        var written = 0
        while written < content.count {
            let count = content.withUnsafeBytes { bytes in
                pwrite(file, bytes.baseAddress.map { $0 + written }, content.count - written, off_t(offset + written))
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw failure(path) }
            written += count
        }
    }

    /// Makes sure that a name is that of a regular file, or of none: a socket can't be opened at all, and a named pipe keeps
    /// its reader waiting.
    static func checkRegular(_ path: String) throws {
        var information = stat()
        guard stat(path, &information) == 0, let kind = kind(information) else { return }
        throw notRegular(kind, path)
    }

    /// What a file is, in words; `nil` for a regular one.
    static func kind(_ information: stat) -> String? {
        switch information.st_mode & S_IFMT {
        case S_IFREG: nil
        case S_IFDIR: "a folder"
        case S_IFSOCK: "a socket"
        case S_IFIFO: "a named pipe"
        case S_IFCHR, S_IFBLK: "a device"
        default: "something special"
        }
    }

    private static func notRegular(_ kind: String, _ path: String) -> HistoryStoreError.Abort {
        HistoryStoreError.Abort(.companion(path, "it is \(kind), no regular file; move it away"))
    }

    static func synchronizeFolder(of path: String) throws {
        let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
        let descriptor = open(folder, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw failure(folder) }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw failure(folder) }
    }

    /// What the last call failed with.
    static func failure(_ path: String) -> HistoryStoreError.Abort {
        let code = errno
        switch code {
        case ENOSPC, EDQUOT: return HistoryStoreError.Abort(.full)
        default: return HistoryStoreError.Abort(.companion(path, String(cString: strerror(code))))
        }
    }
}
