import Foundation

/// The file of the checkpoints: lines of one width, the newest checkpoint first, the kept ones after it, oldest first.
///
/// The newest one is rewritten in place after each commit and reaches the disk when the system sees fit: since the rows
/// are durable by then, it may be behind them and never ahead. Kept ones are durable before a newer one follows.
final class CheckpointFile: Sendable {
    /// Every row whose id is a multiple of this has a checkpoint that is kept.
    static let interval: Int64 = 1000

    let path: String
    private let descriptor: Int32

    /// Opens the file.
    ///
    /// - Throws: `HistoryStoreError.Abort` where it can't be read and written.
    /// - Returns: `nil` where there is none.
    init?(_ path: String) throws {
        self.path = path
        try PrivateFile.checkRegular(path)
        descriptor = open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC | O_NOFOLLOW)
        if descriptor < 0 {
            if errno == ENOENT { return nil }
            throw PrivateFile.failure(path)
        }
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
    }

    /// Keeps everybody else from reading or writing meanwhile.
    ///
    /// - Throws: Also where the file is no longer the one of that name.
    func locked<Value>(_ body: () throws -> Value) throws -> Value {
        guard flock(descriptor, LOCK_EX) == 0 else { throw PrivateFile.failure(path) }
        defer { flock(descriptor, LOCK_UN) }
        var information = stat()
        guard fstat(descriptor, &information) == 0 else { throw PrivateFile.failure(path) }
        guard information.st_nlink > 0 else {
            throw HistoryStoreError.Abort(.companion(path, "it was removed or replaced while it was in use"))
        }
        return try body()
    }

    /// The bytes of the first line; fewer where the file is shorter.
    func firstLine() throws -> Data {
        var buffer = [UInt8](repeating: 0, count: Checkpoint.width)
        let count = pread(descriptor, &buffer, buffer.count, 0)
        guard count >= 0 else { throw PrivateFile.failure(path) }
        return Data(buffer.prefix(count))
    }

    func content() throws -> Data {
        try PrivateFile.content(of: descriptor, path)
    }

    func writeFirstLine(_ line: Data) throws {
        try PrivateFile.write(line, to: descriptor, at: 0, path)
    }

    /// Adds kept checkpoints behind so many that are there, durable.
    func append(_ lines: Data, after count: Int) throws {
        let end = (1 + count) * Checkpoint.width
        do {
            try PrivateFile.write(lines, to: descriptor, at: end, path)
        } catch {
            // What was written of them is no line; a start removes it where this fails too.
            ftruncate(descriptor, off_t(end))
            throw error
        }
        try synchronize()
    }

    func truncate(keeping count: Int) throws {
        guard ftruncate(descriptor, off_t((1 + count) * Checkpoint.width)) == 0 else {
            throw PrivateFile.failure(path)
        }
    }

    func synchronize() throws {
        guard fsync(descriptor) == 0 else { throw PrivateFile.failure(path) }
    }
}
