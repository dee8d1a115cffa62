import FlagHistory
import Foundation
import GRDB
import Testing

@Suite("Answers to requests")
struct AnswerTests {
    private func answer(_ actor: String, _ key: String, _ events: [Int?], request: UInt8 = 1) -> RequestAnswer {
        RequestAnswer(
            actor: actor, idempotencyKey: key, request: Data(repeating: request, count: 32), events: events)
    }

    @Test("An answer names its own rows among those that are written with it, and is there after a restart")
    func namesRows() throws {
        let history = try TemporaryHistory()
        let store = try history.open()
        try store.append([.sample()], head: nil)
        var intent = ChangeIntent.sample(events: [.sample(), .sample(key: "b"), .sample(key: "c")])
        intent.answers = [answer("ann", "k", [2, nil, 0]), answer("bo", "k", [1])]
        let records = try store.finish(try store.begin(intent), appending: intent.events)
        let kept = try #require(try history.open().answer(to: "ann", idempotencyKey: "k"))
        #expect(kept.records == [records[2], nil, records[0]])
        #expect(kept.request == Data(repeating: 1, count: 32))
        #expect(try store.answer(to: "bo", idempotencyKey: "k")?.records == [records[1]])
        #expect(try store.answer(to: "ann", idempotencyKey: "other") == nil)
    }

    @Test("The first answer stands, and an abandoned one is none")
    func firstStands() throws {
        let history = try TemporaryHistory()
        let store = try history.open()
        var intent = ChangeIntent.sample()
        intent.answers = [answer("ann", "k", [0])]
        try store.abandon(try store.begin(intent), appending: [])
        #expect(try store.answer(to: "ann", idempotencyKey: "k") == nil)
        try store.append([], head: nil, answers: [answer("ann", "k", [nil])])
        try store.append([.sample()], head: nil, answers: [answer("ann", "k", [0], request: 2)])
        #expect(try store.answer(to: "ann", idempotencyKey: "k")?.records == [nil])
    }

    @Test("A history of before intents had several files is taken over with the intent that is open in it")
    func takesOver() throws {
        let history = try TemporaryHistory()
        var intent = ChangeIntent.sample()
        let id = try history.open().begin(intent)
        try history.raw().write { db in
            // What the first shape of the tables had.
            try db.execute(
                sql: """
                    CREATE TABLE old (
                        id INTEGER PRIMARY KEY AUTOINCREMENT, role TEXT NOT NULL CHECK (role IN ('values', 'manifest')),
                        path TEXT NOT NULL, temporary_name TEXT NOT NULL,
                        hash_before BLOB NOT NULL CHECK (length(hash_before) = 32),
                        hash_after BLOB NOT NULL CHECK (length(hash_after) = 32), content_after BLOB,
                        events TEXT NOT NULL CHECK (json_valid(events)), at INTEGER NOT NULL
                    ) STRICT;
                    INSERT INTO old SELECT i.id, f.role, f.path, f.temporary_name, f.hash_before, f.hash_after,
                        f.content_after, i.events, i.at FROM intent AS i JOIN intent_file AS f ON f.intent = i.id;
                    DROP TABLE intent_file; DROP TABLE intent; DROP TABLE answer;
                    ALTER TABLE old RENAME TO intent;
                    DELETE FROM grdb_migrations WHERE identifier LIKE '2 %';
                    """)
        }
        let store = try history.open()
        intent = try #require(try store.openIntents().first)
        #expect(intent.id == id && intent.files == ChangeIntent.sample().files && intent.answers.isEmpty)
        #expect(try store.finish(id, appending: intent.events).count == 1)
        #expect(try store.begin(.sample()) > id)
    }
}
