import Foundation

/// The files that an open history is in: the database, and the two that SQLite keeps beside it in WAL mode.
///
/// All three stay as they are for as long as a connection is open.
struct HistoryFootprint: Sendable {
    private struct File: Sendable, Hashable {
        let device, inode: UInt64

        init?(_ path: String) {
            var status = stat()
            guard stat(path, &status) == 0 else { return nil }
            device = UInt64(truncatingIfNeeded: status.st_dev)
            inode = UInt64(status.st_ino)
        }
    }

    private let files: [(path: String, file: File)]

    /// Takes note of the files of a history that has just been opened and read.
    init(_ path: String) throws {
        files = try ["", "-wal", "-shm"].map { ending in
            guard let file = File(path + ending) else { throw Self.lost(path + ending) }
            return (path + ending, file)
        }
    }

    /// Makes sure that the files are still there, and still the same ones.
    func check() throws {
        for (path, file) in files where File(path) != file { throw Self.lost(path) }
    }

    private static func lost(_ path: String) -> HistoryStoreError.Abort {
        HistoryStoreError.Abort(.lost(URL(filePath: path).lastPathComponent))
    }
}
