import DurableFiles
import Foundation
import GRDB
import Synchronization

/// The files that an open history is in: the database, and the two that SQLite keeps beside it in WAL mode.
///
/// All three stay as they are for as long as a connection is open, and the log holds at least what was committed to it.
final class OpenFileCheck: Sendable {
    private let files: [(url: URL, identity: AtomicFile.Identity)]
    private let log: URL
    /// Which of the files is the write-ahead log.
    private static let logPlace = 1
    /// The size of the write-ahead log after the last commit, in bytes.
    private let committedSize: Mutex<Int>

    /// Takes note of the files of a history that has just been opened and read.
    init(_ path: String) throws {
        let urls = ["", "-wal", "-shm"].map { URL(fileURLWithPath: path + $0) }
        log = urls[Self.logPlace]
        files = try urls.map { url in
            guard let identity = AtomicFile.look(at: url)?.identity else { throw Self.lost(url) }
            return (url, identity)
        }
        committedSize = Mutex(Self.size(log))
    }

    /// Makes sure that the files are still there, still the same ones, and that the log was not cut short: SQLite would go on
    /// behind the gap, and write the gap into the database later.
    ///
    /// - Parameter pool: The history; asked where the log is shorter, since another program may have emptied it by SQLite's
    ///   own means.
    func check(_ pool: DatabasePool) throws {
        // What is committed from here on makes the log longer.
        let committed = committedSize.withLock { $0 }
        var size = 0
        for (place, (url, identity)) in files.enumerated() {
            guard let found = AtomicFile.look(at: url), found.identity == identity else { throw Self.lost(url) }
            if place == Self.logPlace { size = found.size }
        }
        guard size < committed else { return }
        let needed = try Self.sizeInUse(of: pool)
        size = Self.size(log)
        guard size >= needed else { throw Self.lost(log) }
        committedSize.withLock { $0 = size }
    }

    /// Takes note of what a commit has left.
    func noteCommit() {
        committedSize.withLock { $0 = Self.size(log) }
    }

    private static func size(_ url: URL) -> Int {
        AtomicFile.look(at: url)?.size ?? 0
    }

    /// How large the log must be for all that SQLite has in it (a header of 32 bytes, then pages, each behind one of 24); more
    /// than any file where a part of that is gone.
    private static func sizeInUse(of pool: DatabasePool) throws -> Int {
        try pool.writeWithoutTransaction { db in
            let page = try Int.fetchOne(db, sql: "PRAGMA page_size") ?? 0
            do {
                let frames = try db.checkpoint(.passive).walFrameCount
                return frames > 0 ? 32 + frames * (page + 24) : 0
            } catch let error as DatabaseError where error.resultCode == .SQLITE_IOERR {
                return .max
            }
        }
    }

    private static func lost(_ url: URL) -> HistoryStoreError.AbortError {
        HistoryStoreError.AbortError(.lost(url.lastPathComponent))
    }
}
