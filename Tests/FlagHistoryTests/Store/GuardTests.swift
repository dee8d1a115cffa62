import FlagHistory
import Foundation
import GRDB
import Testing

@Suite("Guards of the history file")
struct GuardTests {
    @Test(
        "SQLite refuses to change, remove, replace or insert out of turn",
        arguments: [
            "UPDATE history SET reason = 'x' WHERE id = 1",
            "UPDATE OR REPLACE history SET id = 2 WHERE id = 1",
            "DELETE FROM history WHERE id = 2",
            "DELETE FROM history",
            "INSERT OR REPLACE INTO history SELECT * FROM history WHERE id = 1",
            "REPLACE INTO history SELECT * FROM history WHERE id = 2",
            "INSERT INTO history SELECT * FROM history WHERE id = 1 ON CONFLICT DO UPDATE SET reason = 'x'",
            """
            INSERT INTO history SELECT 4, batch, at, actor, role, origin, kind, provider, "key", type, "before", "after",
                reason, request_id, idempotency_key, file_hash_before, file_hash_after, hash, hash, path
            FROM history WHERE id = 2
            """,
            """
            INSERT INTO history SELECT 3, batch, at, actor, role, origin, kind, provider, "key", type, "before", "after",
                reason, request_id, idempotency_key, file_hash_before, file_hash_after, zeroblob(32), hash,
                path
            FROM history WHERE id = 2
            """,
        ])
    func refusal(_ sql: String) throws {
        let history = try TemporaryHistory()
        let store = try history.open()
        try store.append([.sample(), .sample()], head: nil)
        let rows = try store.page(HistoryQuery())
        let error = #expect(throws: DatabaseError.self) {
            try history.raw().writeWithoutTransaction { try $0.execute(sql: sql) }
        }
        #expect(
            error?.message?.contains("history is append-only") == true
                || error?.message?.contains("names the hash") == true)
        #expect(try store.page(HistoryQuery()) == rows)
    }

    @Test(
        "SQLite refuses what is no kind, origin or hash",
        arguments: [
            ("kind", "'forged'"), ("origin", "'nowhere'"), ("file_hash_before", "x'00'"),
            ("file_hash_after", "x'00'"), ("hash", "x'00'"), ("previous_hash", "x'00'"), ("batch", "'1'"),
            ("actor", "NULL"), ("at", "'today'"), ("path", "'ui'"), ("path", "NULL"),
        ])
    func checks(_ column: String, _ value: String) throws {
        let history = try TemporaryHistory()
        try history.open().append([.sample()], head: nil)
        #expect(throws: DatabaseError.self) { try history.tamper("UPDATE history SET \(column) = \(value)") }
    }
}
