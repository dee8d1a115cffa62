import Foundation
import GRDB
import Testing

@testable import FlagHistory

@Suite("Histories from before the first release")
struct UnreleasedSchemaTests {
    private let history: TemporaryHistory

    init() throws {
        history = try TemporaryHistory()
    }

    /// What made each of the layouts from the one before.
    private static func statements() throws -> [String] {
        let file = URL(filePath: #filePath).deletingLastPathComponent().appending(
            path: "../../Vectors/unreleased-history.sql")
        let text = try String(contentsOf: file, encoding: .utf8)
        return text.components(separatedBy: "\n--- ").dropFirst().map { section in
            section.drop { $0 != "\n" }.description
        }
    }

    /// What the database and its log hold; the index of the log is SQLite's alone.
    private func content() -> [Data?] {
        ["", "-wal"].map { FileManager.default.contents(atPath: history.url.path + $0) }
    }

    private func expectRefusal() {
        let before = content()
        for open in [{ try history.open() }, { try HistoryStore(reading: history.url) }] {
            let error = #expect(throws: HistoryStoreError.self) { try open() }
            #expect(error?.description.contains("before Flagboard's first release") == true, "\(error as Any)")
            #expect(error?.description.contains("Move it, its .key and its .checkpoints to another folder") == true)
            #expect(error?.isDamage == false)
        }
        #expect(content()[0] == before[0])
        // Reading a database without a log makes an empty one.
        #expect(content()[1] ?? Data() == before[1] ?? Data())
    }

    @Test("One of any layout is refused with what to do, and left as it is to the byte", arguments: 1...6)
    func refuses(layout: Int) throws {
        let raw = try history.raw()
        _ = try raw.writeWithoutTransaction { try String.fetchOne($0, sql: "PRAGMA journal_mode = WAL") }
        try raw.write { db in
            try db.execute(sql: "CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY)")
            let statements = try Self.statements()
            try #require(statements.count == 6)
            for statement in statements.prefix(layout) { try db.execute(sql: statement) }
        }
        // While all of it is in the log alone, as after a crash, and once it is in its file.
        #expect(content()[1]?.isEmpty == false)
        expectRefusal()
        try raw.close()
        expectRefusal()
        // Once it is moved away, a new one begins.
        for ending in ["", "-wal", "-shm"] {
            let place = history.url.path + ending
            guard FileManager.default.fileExists(atPath: place) else { continue }
            try FileManager.default.moveItem(atPath: place, toPath: history.folder.path + "/old.sqlite" + ending)
        }
        #expect(try history.open().append([.sample()], head: nil).map(\.id) == [1])
    }
}
