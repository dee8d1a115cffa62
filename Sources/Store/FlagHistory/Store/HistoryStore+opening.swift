import DurableFiles
import FeatureFlags
import Foundation
import GRDB

extension HistoryStore {
    static func open(
        _ path: String, busyTimeout: Duration, _ keys: DecodedTexts<FlagKeyPath>, _ definitions: DecodedTexts<FlagValue>
    ) throws -> DatabasePool {
        if try !create(path) { try inspect(path, busyTimeout: busyTimeout, keys, definitions) }
        let pool = try openPool(path, busyTimeout)
        try pool.writeWithoutTransaction(makeDurable)
        try migrate(pool, migrator(SigningFiles(of: URL(fileURLWithPath: path))))
        // Leaves room in the log for changes while the disk is full.
        _ = writeLogBack(pool)
        return pool
    }

    /// Opens the database, while another process may be turning on the write-ahead log of a new one.
    ///
    /// SQLite waits for any other lock itself, but not to turn on the log.
    private static func openPool(_ path: String, _ busyTimeout: Duration) throws -> DatabasePool {
        let configuration = configuration(busyTimeout)
        let deadline = ContinuousClock.now + busyTimeout
        while true {
            do {
                return try DatabasePool(path: path, configuration: configuration)
            } catch let error as DatabaseError where error.resultCode == .SQLITE_BUSY && .now < deadline {
                let queue = try DatabaseQueue(path: path, configuration: configuration)
                try queue.inTransaction(.exclusive) { _ in .commit }
                try queue.close()
            }
        }
    }

    /// Writes the log into the database, without waiting.
    ///
    /// Returns `true` if all was written: SQLite then reuses the log.
    static func writeLogBack(_ pool: DatabasePool) -> Bool {
        switch Result(catching: { try pool.writeWithoutTransaction { db in try db.checkpoint(.passive) } }) {
        case .success(let log): log.walFrameCount == log.checkpointedFrameCount
        case .failure: false
        }
    }

    static func openForReading(_ path: String) throws -> DatabasePool {
        guard AtomicFile.look(at: URL(fileURLWithPath: path))?.kind == .regular else {
            throw notAFile
        }
        var configuration = configuration(.seconds(5))
        configuration.readonly = true
        let pool = try DatabasePool(path: try nameForReading(path), configuration: configuration)
        try pool.read { db in
            try refuseOthers(db)
            guard try isReadable(db) else { throw HistoryStoreError(.tooOld) }
        }
        return pool
    }

    /// Returns the database's path, or on a read-only volume a URI by which SQLite needs no file beside it, such as of
    /// a backup.
    ///
    /// A log, or its index, is a sign of a writer at another place where the volume is mounted.
    static func nameForReading(_ path: String) throws -> String {
        let file = URL(fileURLWithPath: path)
        let others = ["-wal", "-shm", "-journal"].map { URL(fileURLWithPath: path + $0) }
        guard others.allSatisfy({ AtomicFile.look(at: $0) == nil }),
            AtomicFile.isOnReadOnlyVolume(file.deletingLastPathComponent()), try takesURIs
        else { return path }
        return file.absoluteString + "?immutable=1"
    }

    /// True for an SQLite that was built for URIs as names, as Debian's is.
    private static var takesURIs: Bool {
        get throws {
            try DatabaseQueue().read { db in
                try Bool.fetchOne(db, sql: "SELECT sqlite_compileoption_used('USE_URI')") ?? false
            }
        }
    }

    private static let notAFile = HistoryStoreError(
        .cannotOpen("it is not a regular file; choose another file for the history"))

    private static func configuration(_ busyTimeout: Duration) -> Configuration {
        let seconds = busyTimeout / .seconds(1)
        var configuration = Configuration()
        configuration.label = "flagboard.history"
        configuration.busyMode = .timeout(seconds)
        // Queries take milliseconds, so more readers would only take memory.
        configuration.maximumReaderCount = min(max(2, ProcessInfo.processInfo.activeProcessorCount), 5)
        // A larger cache gains nothing: the system caches pages too.
        configuration.prepareDatabase { db in try db.execute(sql: "PRAGMA cache_size = -1000") }
        return configuration
    }

    /// Creates an empty, private file, whose mode SQLite's other files follow; `false` if it exists.
    private static func create(_ path: String) throws -> Bool {
        let url = URL(fileURLWithPath: path)
        do throws(FileAccessError) {
            try OpenFile(url, for: .creating(mode: 0o600)).setMode(0o600)
            return true
        } catch {
            if error.isInTheWay { return false }
            if error.isDenied { throw HistoryStoreError(.notWritable) }
            if error.isFull { throw HistoryStoreError(.full) }
            throw HistoryStoreError(.cannotOpen(error.clause))
        }
    }

    /// Checks an existing file before any write.
    private static func inspect(
        _ path: String, busyTimeout: Duration, _ keys: DecodedTexts<FlagKeyPath>, _ definitions: DecodedTexts<FlagValue>
    ) throws {
        let url = URL(fileURLWithPath: path)
        guard let file = try AtomicFile.signature(of: url), file.kind == .regular else {
            throw notAFile
        }
        guard access(path, R_OK | W_OK) == 0 else { throw HistoryStoreError(.notWritable) }
        guard file.size > 0 else {
            // SQLite would discard the log, perhaps the only copy of the rows.
            guard AtomicFile.look(at: URL(fileURLWithPath: path + "-wal"))?.size ?? 0 == 0 else {
                throw HistoryStoreError(.corrupt("it is empty, but it has a write-ahead log"))
            }
            return
        }
        // SQLite treats a file of one byte as empty.
        guard file.size > 1 else { throw HistoryStoreError(.notADatabase) }
        var configuration = configuration(busyTimeout)
        configuration.readonly = true
        let queue = try DatabaseQueue(path: path, configuration: configuration)
        try queue.inTransaction(.deferred) { db in
            try refuseOthers(db)
            // Every start reads these, so damage is reported before any write.
            if try isReadable(db) {
                _ = try lastDefinitions(db, keys, definitions)
                _ = try headsDigest(db)
            }
            return .commit
        }
        try queue.close()
    }

    /// Refuses databases that are no history.
    ///
    /// Accepts one without tables, or with only GRDB's list of migrations: its creation was interrupted or is under
    /// way.
    private static func refuseOthers(_ db: Database) throws {
        let mark = try Int32.fetchOne(db, sql: "PRAGMA application_id") ?? 0
        let others = try Int.fetchOne(
            db, sql: "SELECT count(*) FROM sqlite_schema WHERE tbl_name <> 'grdb_migrations'")
        if mark == 0, others == 0 { return }
        guard mark == applicationID else { throw HistoryStoreError(.notAHistory) }
        let migrator = migrator(SigningFiles(of: URL(fileURLWithPath: "")))
        if try migrator.appliedIdentifiers(db).contains(unreleased) { throw HistoryStoreError(.unreleased) }
        guard try !migrator.hasBeenSuperseded(db) else {
            throw HistoryStoreError(.tooNew)
        }
    }

    /// Returns `true` if the first release's tables exist.
    ///
    /// Later migrations only allow more writes, so reading doesn't need them.
    private static func isReadable(_ db: Database) throws -> Bool {
        try migrator(SigningFiles(of: URL(fileURLWithPath: ""))).appliedIdentifiers(db).contains(firstRelease)
    }

    /// Pages of 4 KiB in the write-ahead log; a refused attempt writes some seven.
    private static let pagesOfLog = 128

    /// Makes every commit reach the disk.
    ///
    /// Call it after GRDB turns on WAL, which sets `synchronous` to NORMAL.
    private static func makeDurable(_ db: Database) throws {
        try db.execute(
            sql: """
                PRAGMA synchronous = FULL; PRAGMA fullfsync = ON; PRAGMA checkpoint_fullfsync = ON;
                PRAGMA wal_autocheckpoint = \(pagesOfLog)
                """)
        guard try Int.fetchOne(db, sql: "PRAGMA synchronous") == 2,
            try String.fetchOne(db, sql: "PRAGMA journal_mode") == "wal"
        else { throw HistoryStoreError(.cannotOpen("SQLite did not accept WAL with synchronous=FULL")) }
    }

    /// Migrates a history, while another process may do some of a new file's migrations.
    private static func migrate(_ pool: DatabasePool, _ migrator: DatabaseMigrator) throws {
        while true {
            let applied = try pool.read(migrator.appliedIdentifiers)
            do {
                return try migrator.migrate(pool)
            } catch {
                guard try pool.read(migrator.appliedIdentifiers).count > applied.count else { throw error }
            }
        }
    }
}
