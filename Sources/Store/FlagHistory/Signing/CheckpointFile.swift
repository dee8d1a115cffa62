import DurableFiles
import Foundation

/// The file of checkpoints: lines of one width, the newest first, then the kept ones, oldest first.
///
/// The newest is rewritten in place after each commit without a sync, so it may lag behind the durable rows but is
/// never ahead. Kept ones are durable before a newer one follows.
final class CheckpointFile: Sendable {
    /// In rows.
    static let interval: Int64 = 1000
    /// Enough for the checkpoints of some hundred million rows.
    private static let maximumSize = 64 * 1024 * 1024

    let path: String
    private let file: OpenFile

    /// `nil` if there is no file.
    init?(_ url: URL) throws {
        path = url.path
        guard let file = try Self.open(url, for: .updating) else { return nil }
        self.file = file
    }

    /// Reads a whole file while no other process writes it; `nil` if there is none.
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

    /// Runs a body while the file is locked; throws if it was removed or replaced.
    func locked<Value>(_ body: () throws -> Value) throws -> Value {
        try file.locked {
            guard try file.signature().links > 0 else {
                throw HistoryStoreError(.companion(path, "it was removed or replaced while it was in use"))
            }
            return try body()
        }
    }

    /// Returns fewer bytes if the file is shorter.
    func firstLine() throws -> Data {
        try file.content(upTo: Checkpoint.width)
    }

    func content() throws -> Data {
        try file.wholeContent(maximumSize: Self.maximumSize)
    }

    func writeFirstLine(_ line: Data) throws {
        try file.write(line, at: 0)
    }

    /// Adds kept checkpoints durably.
    func append(_ lines: Data, after count: Int) throws {
        do {
            try file.write(lines, at: (1 + count) * Checkpoint.width)
        } catch {
            // If this fails too, the next start removes the partial line.
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
