import Foundation
import GRDB
import Testing

@testable import FlagHistory

@Suite("Opening a history")
struct OpeningTests {
    @Test("The connection that writes uses WAL with synchronous=FULL, even when the file is opened again")
    func durability() throws {
        let history = try TemporaryHistory()
        for _ in 0..<2 {
            let store = try history.open()
            let settings = try store.pool.writeWithoutTransaction { db in
                try ["synchronous", "journal_mode", "busy_timeout"].map { name in
                    try String.fetchOne(db, sql: "PRAGMA \(name)")
                }
            }
            #expect(settings == ["2", "wal", "5000"])
        }
    }

    @Test("Only the owner may read or write a new file and what SQLite puts beside it")
    func mode() throws {
        let history = try TemporaryHistory()
        let store = try history.open()
        try store.append([.sample()], head: nil)
        for name in try FileManager.default.contentsOfDirectory(atPath: history.folder.path) {
            let path = history.folder.appending(path: name).path
            let attributes = try FileManager.default.attributesOfItem(atPath: path)
            #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o600, "\(name)")
        }
    }

    @Test("A history that was closed is in its file alone: no log is beside it, and a copy of it has every row")
    func closed() throws {
        let history = try TemporaryHistory()
        let store = try history.open()
        try store.append([.sample(), .sample()], head: nil)
        let page = try store.page(HistoryQuery())
        #expect(page.records.count == 2)
        store.close()
        let names = try FileManager.default.contentsOfDirectory(atPath: history.folder.path)
        #expect(names.filter { $0.hasSuffix("-wal") || $0.hasSuffix("-shm") } == [])
        #expect(throws: HistoryStoreError.self) { try store.append([.sample()], head: nil) }
        let copy = history.folder.appending(path: "copy.sqlite")
        try FileManager.default.copyItem(at: history.url, to: copy)
        #expect(try HistoryStore(reading: copy).page(HistoryQuery()).records == page.records)
    }

    @Test("An empty file becomes a history")
    func empty() throws {
        let history = try TemporaryHistory()
        try Data().write(to: history.url)
        #expect(try history.open().verifyChain().firstBadRow == nil)
    }

    @Test("An empty file beside a write-ahead log is refused, and the log, which may hold all rows, is left as it is")
    func emptyBesideLog() throws {
        let history = try TemporaryHistory()
        let log = history.url.deletingLastPathComponent().appending(path: history.url.lastPathComponent + "-wal")
        try Data().write(to: history.url)
        try Data("rows".utf8).write(to: log)
        let error = #expect(throws: HistoryStoreError.self) { try history.open() }
        #expect(error?.description.contains("write-ahead log") == true)
        #expect(try Data(contentsOf: log) == Data("rows".utf8))
    }

    @Test(
        "Rows that went into a file that somebody removed meanwhile are not said to be stored",
        arguments: ["", "-wal", "-shm"])
    func removedMeanwhile(ending: String) throws {
        let history = try TemporaryHistory()
        let store = try history.open()
        let error = #expect(throws: HistoryStoreError.self) {
            try store.write { _ in try FileManager.default.removeItem(atPath: history.url.path + ending) }
        }
        #expect(error?.isLost == true)
        let name = history.url.lastPathComponent + ending
        #expect(error?.description.contains("\(name) was removed, replaced or truncated") == true)
        #expect(throws: HistoryStoreError.self) { try store.append([.sample()], head: nil) }
        do {
            #expect(try store.records(matching: HistoryQuery(), after: 0).isEmpty)
        } catch {
            #expect(error.isLost)
        }
    }

    @Test("A file whose creation was interrupted before the first table becomes a history")
    func interruptedCreation() throws {
        let history = try TemporaryHistory()
        let raw = try history.raw()
        _ = try raw.writeWithoutTransaction { try String.fetchOne($0, sql: "PRAGMA journal_mode = WAL") }
        try raw.write { try $0.execute(sql: "CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY)") }
        try raw.close()
        let error = #expect(throws: HistoryStoreError.self) { try HistoryStore(reading: history.url) }
        #expect(error?.description.contains("its creation was interrupted. Run flagboard serve once") == true)
        #expect(try history.open().append([.sample()], head: nil).map(\.id) == [1])
    }

    @Test("A file that is no database is refused and left as it is", arguments: [1, 5, 600, 10_000])
    func noDatabase(_ size: Int) throws {
        let history = try TemporaryHistory()
        let content = Data(String(repeating: "<plist/>\n", count: 2000).utf8.prefix(size))
        try content.write(to: history.url)
        let error = #expect(throws: HistoryStoreError.self) { try history.open() }
        #expect(error?.description.contains(history.url.path) == true)
        #expect(error?.description.contains("not an SQLite database") == true)
        #expect(try Data(contentsOf: history.url) == content)
        #expect(try FileManager.default.contentsOfDirectory(atPath: history.folder.path).count == 1)
    }

    @Test("A database of another program is refused and left as it is")
    func foreignDatabase() throws {
        let history = try TemporaryHistory()
        let raw = try history.raw()
        try raw.write { try $0.execute(sql: "CREATE TABLE history (id INTEGER PRIMARY KEY)") }
        try raw.close()
        let content = try Data(contentsOf: history.url)
        let error = #expect(throws: HistoryStoreError.self) { try history.open() }
        #expect(error?.description.contains("not a Flagboard history") == true)
        #expect(try Data(contentsOf: history.url) == content)
    }

    @Test("A history of a newer Flagboard is refused")
    func newer() throws {
        let history = try TemporaryHistory()
        try history.open().append([.sample()], head: nil)
        try history.raw().write { try $0.execute(sql: "INSERT INTO grdb_migrations VALUES ('9 from the future')") }
        let error = #expect(throws: HistoryStoreError.self) { try history.open() }
        #expect(error?.description.contains("newer version of Flagboard") == true)
    }

    @Test(
        "A place where no file can be is refused with the cause",
        arguments: [("missing/h.sqlite", "folder"), ("file/h.sqlite", "folder"), (".", "not a regular file")])
    func wrongPlace(_ path: String, _ cause: String) throws {
        let history = try TemporaryHistory()
        try Data("x".utf8).write(to: history.folder.appending(path: "file"))
        let url = URL(fileURLWithPath: history.folder.path + "/" + path)
        let error = #expect(throws: HistoryStoreError.self) { try HistoryStore(url: url) }
        #expect(error?.description.contains(cause) == true)
    }

    @Test("A damaged page is reported as damage, not as an empty history")
    func damage() throws {
        let history = try TemporaryHistory()
        try history.open().append((0..<200).map { .sample(reason: "reason \($0)") }, head: nil)
        try history.raw().writeWithoutTransaction { try $0.execute(sql: "PRAGMA wal_checkpoint(TRUNCATE)") }
        var content = try Data(contentsOf: history.url)
        content.replaceSubrange(4096..., with: Data(repeating: 0x5A, count: content.count - 4096))
        try content.write(to: history.url)
        let error = #expect(throws: HistoryStoreError.self) { try history.open().verifyChain() }
        #expect(error?.description.contains("is damaged") == true)
    }

    @Test("A full disk is told from other failures, and changes nothing")
    func full() throws {
        let history = try TemporaryHistory()
        let store = try history.open()
        try store.append([.sample()], head: nil)
        try store.pool.writeWithoutTransaction { db in
            let pages = try Int.fetchOne(db, sql: "PRAGMA page_count") ?? 0
            _ = try Int.fetchOne(db, sql: "PRAGMA max_page_count = \(pages)")
        }
        let large = HistoryEvent.sample(reason: String(repeating: "reason ", count: 10_000))
        let error = #expect(throws: HistoryStoreError.self) { try store.append([large], head: .new) }
        #expect(error?.isFull == true)
        #expect(error?.description.contains("Free disk space") == true)
        #expect(try store.verifyChain() == .sound(count: 1, head: store.chainHead().hash))
        #expect(try store.head(of: .values, at: FileHead.old.path) == nil)
    }

    @Test("A lock that lasts too long is reported as busy, reads go on meanwhile, and the next try works")
    func busy() throws {
        let history = try TemporaryHistory()
        let store = try HistoryStore(url: history.url, busyTimeout: .milliseconds(20))
        try store.append([.sample()], head: nil)
        try history.raw().inDatabase { db in
            try db.execute(sql: "BEGIN IMMEDIATE")
            let error = #expect(throws: HistoryStoreError.self) { try store.append([.sample()], head: nil) }
            #expect(error?.description.contains("locked by another process") == true)
            #expect(try store.page(HistoryQuery()).total == 1)
            try db.execute(sql: "ROLLBACK")
        }
        #expect(try store.append([.sample()], head: nil).map(\.id) == [2])
    }

    @Test("Two stores that create one file at the same moment both open it", arguments: 0..<10)
    func concurrentCreation(_ attempt: Int) async throws {
        let history = try TemporaryHistory()
        async let first = history.open()
        async let second = history.open()
        try await first.append([.sample()], head: nil)
        #expect(try await second.append([.sample()], head: nil).map(\.id) == [2])
    }

    @Test("A new file that another program is about to write is waited for")
    func creationThatWaits() throws {
        let history = try TemporaryHistory()
        try history.raw().inDatabase { db in
            try db.execute(sql: "BEGIN IMMEDIATE")
            let start = ContinuousClock.now
            let error = #expect(throws: HistoryStoreError.self) {
                try HistoryStore(url: history.url, busyTimeout: .milliseconds(200))
            }
            #expect(error?.isBusy == true)
            #expect(ContinuousClock.now - start >= .milliseconds(200))
            try db.execute(sql: "ROLLBACK")
        }
        #expect(try history.open().append([.sample()], head: nil).map(\.id) == [1])
    }

    @Test("Stores that open one new file and write at once wait for each other, and make one sound chain")
    func concurrentStores() async throws {
        let history = try TemporaryHistory()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for writer in 0..<3 {
                group.addTask {
                    // Each waits for as long as the others take, whatever the machine does besides.
                    let store = try HistoryStore(url: history.url, busyTimeout: .seconds(3600))
                    for _ in 0..<50 { try store.append([.sample(actor: "writer \(writer)")], head: nil) }
                }
            }
            try await group.waitForAll()
        }
        let store = try history.open()
        #expect(try store.verifyChain() == .sound(count: 150, head: store.chainHead().hash))
        for writer in 0..<3 { #expect(try store.page(HistoryQuery(actor: "writer \(writer)")).total == 50) }
    }

    @Test("A WAL that was truncated loses its last commits, which the check tells, and nothing else", arguments: 0..<8)
    func truncatedLog(_ eighth: Int) throws {
        let history = try TemporaryHistory()
        let store = try history.open()
        // All rows are in the log alone.
        try store.pool.writeWithoutTransaction { db in
            _ = try db.checkpoint(.truncate)
            try db.execute(sql: "PRAGMA wal_autocheckpoint = 0")
        }
        for number in 0..<20 { try store.append([.sample(reason: "\(number)")], head: nil) }
        let copy = try TemporaryHistory()
        let names = try FileManager.default.contentsOfDirectory(atPath: history.folder.path)
        for name in names where !name.hasSuffix("-shm") {
            var content = try Data(contentsOf: history.folder.appending(path: name))
            if name.hasSuffix("-wal") { content = content.prefix(content.count * eighth / 8 + 13) }
            try content.write(to: copy.folder.appending(path: name))
        }
        let cut = try copy.open()
        let last = try cut.chainHead().id
        #expect(last < 20)
        #expect(try cut.verifyChain().firstBadRow == nil)
        #expect(try cut.verify().firstBadRow == last + 1)
        #expect(try cut.append([.sample()], head: nil).map(\.id) == [last + 1])
    }

    @Test("A mark of another program on the file is refused, and the file left as it is")
    func otherMark() throws {
        let history = try TemporaryHistory()
        do { try history.open().append([.sample()], head: nil) }
        try history.raw().writeWithoutTransaction { try $0.execute(sql: "PRAGMA application_id = 7") }
        let content = try Data(contentsOf: history.url)
        for open in [{ try history.open() }, { try HistoryStore(reading: history.url) }] {
            let error = #expect(throws: HistoryStoreError.self) { try open() }
            #expect(error?.description.contains("not a Flagboard history") == true)
        }
        #expect(try Data(contentsOf: history.url) == content)
    }

    @Test("A file that may only be read is refused with what to do, and can still be checked")
    func readOnlyFile() throws {
        let history = try TemporaryHistory()
        do { try history.open().append([.sample()], head: nil) }
        try FileManager.default.setAttributes([.posixPermissions: 0o400], ofItemAtPath: history.url.path)
        if geteuid() != 0 {
            let error = #expect(throws: HistoryStoreError.self) { try history.open() }
            #expect(error?.description.contains("is not writable") == true)
        }
        #expect(try HistoryStore(reading: history.url).verify().coverage?.count == 1)
    }
}
