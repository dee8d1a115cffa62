import FeatureFlags
import Foundation
import GRDB
import Testing

@testable import FlagHistory

@Suite("The write-ahead log of a history")
struct LogSizeTests {
    let history: TemporaryHistory
    private var log: URL { history.folder.appending(path: "flags.history.sqlite-wal") }

    init() throws { history = try TemporaryHistory() }

    private func size() throws -> Int {
        try #require(try FileManager.default.attributesOfItem(atPath: log.path)[.size] as? Int)
    }

    @Test("However many small rows are added, the log goes into the database before it has a megabyte")
    func staysSmall() throws {
        let store = try history.open()
        for _ in 0..<300 { try store.append([.sample()], head: nil) }
        #expect(try size() < 1_000_000)
        #expect(try store.chainHead().id == 300)
    }

    @Test("A log that is cut short is missed before anything is written or read", arguments: [0, 10_000])
    func cutShort(left: Int) throws {
        let store = try history.open()
        for _ in 0..<3 { try store.append([.sample()], head: nil) }
        try #require(size() > left)
        #expect(truncate(log.path, off_t(left)) == 0)
        let before = try Data(contentsOf: history.url)
        let error = try #require(throws: HistoryStoreError.self) { try store.append([.sample()], head: nil) }
        #expect(error.isLost)
        #expect(error.description.contains("flags.history.sqlite-wal was removed, replaced or truncated"))
        #expect(throws: HistoryStoreError.self) { try store.checkInPlace() }
        #expect(try size() == left)
        #expect(try Data(contentsOf: history.url) == before)
    }

    @Test("A log that another program empties by SQLite's own means is no loss")
    func emptiedByOthers() throws {
        let store = try history.open()
        for _ in 0..<3 { try store.append([.sample()], head: nil) }
        let other = try history.raw()
        try other.writeWithoutTransaction { db in _ = try db.checkpoint(.truncate) }
        #expect(try size() == 0)
        try store.checkInPlace()
        try store.append([.sample()], head: nil)
        #expect(try store.chainHead().id == 4)
        try store.checkInPlace()
    }

    @Test("A new history is in its database at once, so that the log's room is left for what comes")
    func beginsEmpty() throws {
        let store = try history.open()
        let log = try store.pool.writeWithoutTransaction { db in try db.checkpoint(.passive) }
        #expect(log.walFrameCount == log.checkpointedFrameCount)
        #expect(try Data(contentsOf: history.url).count > 100_000)
    }
}
