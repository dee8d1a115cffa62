import DurableFiles
import Foundation
import GRDB
import Synchronization

/// The files of an open history: the database and, in WAL mode, SQLite's two others.
///
/// All stay in place while a connection is open, and the log holds at least what was committed.
final class OpenFileCheck: Sendable {
    private let files: [(url: URL, identity: AtomicFile.Identity)]
    private let log: URL
    private static let logPlace = 1
    /// In bytes.
    private let committedSize: Mutex<Int>

    init(_ path: String) throws {
        let urls = ["", "-wal", "-shm"].map { URL(fileURLWithPath: path + $0) }
        log = urls[Self.logPlace]
        files = try urls.map { url in
            guard let identity = AtomicFile.look(at: url)?.identity else { throw Self.lost(url) }
            return (url, identity)
        }
        committedSize = Mutex(Self.size(log))
    }

    /// Throws if a file changed or the log was cut short: SQLite would write after the gap, and later copy it into the
    /// database.
    ///
    /// Another program may have checkpointed the log, so `pool` decides if a shorter one is whole.
    func check(_ pool: DatabasePool) throws {
        // Read first: later commits only make the log longer.
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

    func noteCommit() {
        committedSize.withLock { $0 = Self.size(log) }
    }

    private static func size(_ url: URL) -> Int {
        AtomicFile.look(at: url)?.size ?? 0
    }

    /// Returns the bytes the log needs: a header of 32, then pages with headers of 24; `.max` if a part is missing.
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

    private static func lost(_ url: URL) -> HistoryStoreError {
        HistoryStoreError(.lost(url.lastPathComponent))
    }
}
