import FeatureFlags
import Foundation
import GRDB
import Testing

@testable import FlagHistory

@Suite("A history of the first release, which knows no reasons that are given later")
struct NoteMigrationTests {
    private let history: TemporaryHistory

    init() throws {
        history = try TemporaryHistory()
        try history.putFirstRelease()
    }

    private func migrations() throws -> [String] {
        let raw = try history.raw()
        defer { #expect(throws: Never.self) { try raw.close() } }
        return try raw.read { try String.fetchAll($0, sql: "SELECT identifier FROM grdb_migrations ORDER BY 1") }
    }

    private func note(on id: Int64, in store: HistoryStore) throws -> HistoryEvent {
        let record = try #require(try store.record(id, hiddenKeys: []))
        return .note(on: record, reason: "Asked for by sales.", at: record.event.at + 60)
    }

    @Test("It is opened with every row as it was, its chain and its checkpoints hold, and it takes a reason")
    func opens() throws {
        let before = try history.rowsAsStored()
        #expect(before.count == 7)
        let store = try history.open()
        #expect(try store.verify().isSound)
        let row = try #require(try store.append([try note(on: 2, in: store)], head: nil).first)
        #expect(row.id == 8 && row.event.notedRow == 2)
        #expect(try store.verify().isSound)
        store.close()
        #expect(try history.rowsAsStored().prefix(7) == before[...])
        #expect(try migrations() == ["1", "2", "3"])
        let raw = try history.raw()
        #expect(try raw.read { try String.fetchAll($0, sql: "PRAGMA integrity_check") } == ["ok"])
        try raw.close()
        let again = try history.open()
        #expect(try again.record(8, hiddenKeys: []) == row)
        #expect(try again.verify().isSound)
    }

    @Test("What it becomes is just what a new history is")
    func sameSchema() throws {
        func schema(_ history: TemporaryHistory) throws -> Set<String> {
            let raw = try history.raw()
            let found = try raw.read {
                try String.fetchSet($0, sql: "SELECT sql FROM sqlite_schema WHERE sql NOT NULL")
            }
            try raw.close()
            // A dump writes the tables of the full-text index in its own way.
            return found.filter { !$0.contains("history_search_") }
        }
        try history.open().close()
        let new = try TemporaryHistory()
        try new.open().close()
        #expect(try schema(history) == schema(new))
    }

    @Test("A kind that there is not is still refused, and a type of a later version is not")
    func unknownKind() throws {
        try history.open().close()
        let raw = try history.raw()
        for (kind, type, isTaken) in [("unknown", "bool", false), ("note", "bool", true), ("set", "duration", true)] {
            let insertion = Result {
                try raw.write { db in
                    try db.execute(
                        sql: """
                            INSERT INTO history SELECT id + 1, batch, at, actor, role, origin, ?, provider, "key", ?, "before",
                                "after", reason, request_id, idempotency_key, file_hash_before, file_hash_after, hash, hash, path
                            FROM history ORDER BY id DESC LIMIT 1
                            """, arguments: [kind, type])
                }
            }
            let isDone = if case .success = insertion { true } else { false }
            #expect(isDone == isTaken, "\(kind): \(insertion)")
        }
    }

    @Test("It is read as it is where it may not be written, and has no such reasons")
    func isReadAsItIs() throws {
        let content = try Data(contentsOf: history.url)
        let store = try HistoryStore(reading: history.url)
        let page = try store.page(HistoryQuery())
        #expect(page.records.map(\.id) == Array((1...7).reversed()))
        #expect(try store.verify().isSound)
        #expect(try store.notes(on: page.records, hiddenKeys: []).isEmpty)
        #expect(try store.lastChanges(of: [.make("ui/size")], hiddenKeys: []).values.map(\.id) == [6])
        #expect(try store.lastValue(of: .make("ui/size"), in: "Local") == .integer(15))
        #expect(try Data(contentsOf: history.url) == content)
        #expect(try migrations() == ["1"])
    }

    @Test("A process that is killed while it brings the history up to date leaves every row, and the next one does it")
    func killedMidway() throws {
        let before = try history.rowsAsStored()
        let copy = try TemporaryHistory()
        let pool = try DatabasePool(path: history.url.path)
        struct Kill: Error {}
        #expect(throws: Kill.self) {
            try pool.write { db in
                try HistoryStore.allowNotes(db)
                for name in try FileManager.default.contentsOfDirectory(atPath: history.folder.path) {
                    try FileManager.default.copyItem(
                        at: history.folder.appending(path: name), to: copy.folder.appending(path: name))
                }
                throw Kill()
            }
        }
        try pool.close()
        for place in [copy, history] {
            #expect(try place.rowsAsStored() == before)
            let store = try place.open()
            #expect(try store.verify().isSound)
            #expect(try store.append([try note(on: 7, in: store)], head: nil).map(\.id) == [8])
            #expect(try store.verify().isSound)
        }
    }

    @Test("A table of rows that another program made anew is left as it is, and said to be damaged")
    func otherTable() throws {
        let raw = try history.raw()
        try raw.writeWithoutTransaction { db in
            try db.execute(
                sql: """
                    PRAGMA writable_schema = ON;
                    UPDATE sqlite_schema SET sql = replace(sql, '''prune'', ''accept''', '''accept'', ''prune''')
                        WHERE name = 'history';
                    PRAGMA writable_schema = OFF;
                    """)
        }
        try raw.close()
        let error = #expect(throws: HistoryStoreError.self) { try history.open() }
        #expect(error?.isDamage == true && error?.description.contains("table of rows") == true)
        #expect(try migrations() == ["1"])
    }
}
