import DurableFiles
import Foundation

/// The file of the checkpoints: lines of one width, the newest checkpoint first, the kept ones after it, oldest first.
///
/// The newest one is rewritten in place after each commit and reaches the disk when the system sees fit: since the rows
/// are durable by then, it may be behind them and never ahead. Kept ones are durable before a newer one follows.
final class CheckpointFile: Sendable {
    /// Every row whose id is a multiple of this has a checkpoint that is kept.
    static let interval: Int64 = 1000
    /// The most bytes that are read of a file: the checkpoints of some hundred million rows.
    private static let maximumSize = 64 * 1024 * 1024

    let path: String
    private let file: OpenFile

    /// Opens the file.
    ///
    /// - Returns: `nil` where there is none.
    init?(_ url: URL) throws {
        path = url.path
        guard let file = try Self.open(url, for: .updating) else { return nil }
        self.file = file
    }

    /// Reads a whole file, while no other process writes it.
    ///
    /// - Returns: `nil` where there is none.
    static func content(of url: URL) throws -> Data? {
        guard let file = try open(url, for: .readingItself) else { return nil }
        return try file.locked(sharing: true) { try file.wholeContent(maximumSize: maximumSize) }
    }

    private static func open(_ url: URL, for purpose: OpenFile.Purpose) throws(FileAccessError) -> OpenFile? {
        do {
            return try OpenFile(url, for: purpose)
        } catch {
            if error.isMissing { return nil }
            throw error
        }
    }

    /// Keeps all others from reading or writing meanwhile.
    ///
    /// - Throws: Also where the file is no longer the one of that name.
    func locked<Value>(_ body: () throws -> Value) throws -> Value {
        try file.locked {
            guard try file.signature().links > 0 else {
                throw HistoryStoreError.AbortError(.companion(path, "it was removed or replaced while it was in use"))
            }
            return try body()
        }
    }

    /// The bytes of the first line; fewer where the file is shorter.
    func firstLine() throws -> Data {
        try file.content(upTo: Checkpoint.width)
    }

    func content() throws -> Data {
        try file.wholeContent(maximumSize: Self.maximumSize)
    }

    func writeFirstLine(_ line: Data) throws {
        try file.write(line, at: 0)
    }

    /// Adds kept checkpoints behind so many that are there, durable.
    func append(_ lines: Data, after count: Int) throws {
        do {
            try file.write(lines, at: (1 + count) * Checkpoint.width)
        } catch {
            // What was written of them is no line; a start removes it where this fails too.
            try truncate(keeping: count)
            throw error
        }
        try synchronize()
    }

    func truncate(keeping count: Int) throws {
        try file.truncate(to: (1 + count) * Checkpoint.width)
    }

    func synchronize() throws {
        try file.synchronize()
    }
}
