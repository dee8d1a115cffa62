import FeatureFlags
import FlagHistory
import Foundation
import GRDB
import Testing

@Suite("The chain of hashes")
struct ChainTests {
    @Test("The hash of a row is the published one")
    func vector() throws {
        var event = HistoryEvent.sample(
            at: Date(timeIntervalSince1970: 1_767_225_600.123456), reason: "Größe ✓", idempotencyKey: "once",
            batch: try #require(UUID(uuidString: "01234567-89ab-cdef-0123-456789abcdef")))
        event.requestID = "req-1"
        event.fileHashBefore = Data(repeating: 0x11, count: 32)
        event.fileHashAfter = Data(repeating: 0x22, count: 32)
        let first = try HistoryRecord.hash(id: 1, event: event, previousHash: Data(repeating: 0, count: 32))
        #expect(
            first.map { String(format: "%02x", $0) }.joined()
                == "32f16614a522209847f369bf1dd08ee42da32984f1cf23f83901bb25081bbd29")

        let bare = HistoryEvent(
            batch: event.batch, at: Date(timeIntervalSince1970: -0.000001), actor: "", role: "viewer",
            origin: .external, kind: .denied, provider: nil, key: FlagKeyPath(components: ["a/b"]), type: nil,
            before: nil, after: nil)
        let second = try HistoryRecord.hash(id: 2, event: bare, previousHash: first)
        #expect(
            second.map { String(format: "%02x", $0) }.joined()
                == "b28b7474e8680fedef7c97e44680d9c07e1fc184db6c8d75ebbed92aaeb09fb9")

        let history = try TemporaryHistory()
        let store = try history.open()
        #expect(try store.append([event, bare], head: nil).map(\.hash) == [first, second])
    }

    @Test("An untouched history is sound", arguments: [0, 1, 1000, 1500])
    func sound(_ count: Int) throws {
        let history = try TemporaryHistory()
        let store = try history.open()
        let records = try store.append((0..<count).map { .sample(key: "flag_\($0)") }, head: nil)
        let head = records.last?.hash ?? Data(repeating: 0, count: 32)
        #expect(try store.verifyChain() == .sound(count: count, head: head))
        #expect(try store.chainHead() == ChainHead(id: Int64(count), hash: head))
    }

    @Test(
        "A changed column is found, and its row named",
        arguments: [
            "batch = '01234567-89AB-CDEF-0123-456789ABCDEF'", "batch = lower(batch)", "at = at + 1", "actor = 'eve'",
            "role = 'admin'", "origin = 'cli'", "kind = 'reset'", "provider = NULL", "provider = ''",
            "\"key\" = 'ui/red_text'", "type = 'string'", "type = NULL", "\"before\" = '{\"bool\":true}'",
            "\"before\" = NULL", "\"after\" = '{\"bool\": true}'", "\"after\" = NULL", "reason = ' '",
            "request_id = NULL", "idempotency_key = ''", "file_hash_before = zeroblob(32)", "file_hash_after = NULL",
            "previous_hash = zeroblob(32)", "hash = zeroblob(32)", "actor = 'ann' || char(0) || 'x'",
            "path = 'ui/'",
        ])
    func tampering(_ assignment: String) throws {
        let history = try TemporaryHistory()
        let store = try history.open()
        try store.append((0..<5).map { _ in .sample() }, head: nil)
        try history.tamper("UPDATE history SET \(assignment) WHERE id = 3")
        guard case .broken(at: 3, let reason) = try store.verifyChain() else {
            Issue.record("\(assignment) was not found")
            return
        }
        #expect(reason.contains("row 3"))
    }

    @Test("A precomposed letter in place of a decomposed one is found")
    func normalisation() throws {
        let history = try TemporaryHistory()
        let store = try history.open()
        try store.append([.sample(actor: "e\u{301}")], head: nil)
        try history.tamper("UPDATE history SET actor = '\u{E9}'")
        #expect(try store.verifyChain().firstBadRow == 1)
    }

    @Test(
        "A removed, moved, inserted or swapped row is found",
        arguments: [
            ("DELETE FROM history WHERE id = 3", 3), ("DELETE FROM history WHERE id = 1", 1),
            ("UPDATE history SET id = 9 WHERE id = 5", 5), ("UPDATE history SET id = 8 WHERE id = 1", 1),
            (
                """
                UPDATE history SET id = 99 WHERE id = 2; UPDATE history SET id = 2 WHERE id = 4;
                UPDATE history SET id = 4 WHERE id = 99
                """, 2
            ),
            (
                """
                INSERT INTO history SELECT 6, batch, at, actor, role, origin, kind, provider, "key", type, "before",
                    "after", reason, request_id, idempotency_key, file_hash_before, file_hash_after, hash, hash, path
                FROM history WHERE id = 5
                """, 6
            ),
            ("PRAGMA ignore_check_constraints = ON; UPDATE history SET id = -1 WHERE id = 2", -1),
        ] as [(String, Int64)])
    func structure(_ sql: String, _ row: Int64) throws {
        let history = try TemporaryHistory()
        let store = try history.open()
        try store.append((0..<5).map { _ in .sample() }, head: nil)
        try history.tamper(sql)
        #expect(try store.verifyChain().firstBadRow == row)
    }

    @Test("Rows cut off at the end are found by a head that was kept elsewhere, and only by it")
    func truncation() throws {
        let history = try TemporaryHistory()
        let store = try history.open()
        let records = try store.append((0..<5).map { _ in .sample() }, head: nil)
        let kept = try store.chainHead()
        try store.append([.sample()], head: nil)
        #expect(try store.verifyChain(expecting: kept).firstBadRow == nil)
        try history.tamper("DELETE FROM history WHERE id >= 5")
        #expect(try store.verifyChain() == .sound(count: 4, head: records[3].hash))
        #expect(try store.verifyChain(expecting: kept).firstBadRow == 5)
    }

    @Test("A history written anew from some row on is found by a head that was kept elsewhere")
    func rewriting() throws {
        let (history, forged) = (try TemporaryHistory(), try TemporaryHistory())
        let store = try history.open()
        try store.append([.sample(), .sample(actor: "ann"), .sample()], head: nil)
        let forgedStore = try forged.open()
        try forgedStore.append([.sample(), .sample(actor: "eve"), .sample()], head: nil)
        #expect(try forgedStore.verifyChain().firstBadRow == nil)
        #expect(try forgedStore.verifyChain(expecting: store.chainHead()).firstBadRow == 3)
    }
}

extension ChainVerdict {
    var firstBadRow: Int64? {
        if case .broken(let row, _) = self { row } else { nil }
    }
}
