import FeatureFlags
import FlagHistory
import Foundation
import GRDB
import Testing

@Suite("Rows that another program altered")
struct AlteredRowTests {
    /// Five changes of one flag, one after the other.
    private func filled() throws -> (TemporaryHistory, HistoryStore) {
        try TemporaryHistory.filled(
            (1...5).map { .sample(before: .integer(Int128($0)), after: .integer(Int128($0 + 1)), reason: "step \($0)") }
        )
    }

    @Test(
        "Whichever column of a row is altered, the row is known for it wherever it is read, and no other is",
        arguments: [
            "batch = '01234567-89AB-CDEF-0123-456789ABCDEF'", "at = at + 1", "actor = 'eve'", "role = 'admin'",
            "origin = 'cli'", "kind = 'reset'", "provider = 'b.xml'", "\"key\" = 'ui/red_text'", "type = 'integer'",
            "\"before\" = '{\"integer\":\"9\"}'", "\"after\" = NULL", "reason = 'by request'", "request_id = NULL",
            "idempotency_key = 'k'", "file_hash_before = zeroblob(32)", "file_hash_after = NULL",
            "previous_hash = zeroblob(32)", "hash = zeroblob(32)", "path = 'ui/other/'",
        ])
    func columns(_ assignment: String) throws {
        let (history, store) = try filled()
        #expect(
            try store.records([1, 2, 3, 4, 5], hiddenKeys: []).map(\.isAltered) == Array(repeating: false, count: 5))
        #expect(store.alteredRows == [])
        try history.tamperUnseen("UPDATE history SET \(assignment) WHERE id = 3")
        let reads: [[HistoryRecord]] = [
            try store.records([1, 2, 3, 4, 5], hiddenKeys: []), try store.page(HistoryQuery()).records.reversed(),
            try store.records(matching: HistoryQuery(), after: 0),
            try store.portion(matching: HistoryQuery(), after: 0).records,
        ]
        for records in reads { #expect(records.filter(\.isAltered).map(\.id) == [3]) }
        #expect(try store.record(3, hiddenKeys: [])?.isAltered == true)
        #expect(try store.record(4, hiddenKeys: [])?.isAltered == false)
        #expect(store.alteredRows == [3])
    }

    @Test("A row that was removed between others, or before them, is known as missing once its neighbours are read")
    func missing() throws {
        let (history, store) = try filled()
        try history.tamperUnseen("DELETE FROM history WHERE id = 3")
        #expect(try store.page(HistoryQuery()).records.map(\.isAltered) == [false, false, false, false])
        #expect(store.alteredRows == [3])
        try history.tamperUnseen("DELETE FROM history WHERE id = 1")
        _ = try store.record(5, hiddenKeys: [])
        #expect(store.alteredRows == [1, 3])
    }

    @Test(
        "The largest numbers that a file can hold end no process",
        arguments: [
            "UPDATE history SET at = -9223372036854775808 WHERE id = 3",
            "UPDATE history SET at = 9223372036854775807 WHERE id = 3",
            "UPDATE history SET id = 9223372036854775807 WHERE id = 5",
            "UPDATE history SET id = 9223372036854775806 WHERE id = 5",
            "UPDATE history SET id = -9223372036854775808 WHERE id = 1",
            """
            INSERT INTO anchor (last, first, hash, archive, archive_hash, at, actor, signature)
                VALUES (9223372036854775807, 1, zeroblob(32), 'a', zeroblob(32), -9223372036854775808, 'eve', zeroblob(64))
            """,
        ])
    func largeNumbers(_ statement: String) throws {
        let (history, store) = try filled()
        store.close()
        try history.tamperUnseen(statement)
        let reading = try HistoryStore(reading: history.url)
        #expect(try !reading.verify().isSound)
        for query in [
            HistoryQuery(), HistoryQuery(limit: 1), HistoryQuery(olderThan: .max), HistoryQuery(newerThan: .min),
        ] {
            #expect(try reading.page(query).records.count <= 5)
        }
        for id in [Int64.min, 1, 5, .max] {
            _ = try reading.records(matching: HistoryQuery(), after: id)
            _ = try reading.portion(matching: HistoryQuery(), after: id)
            _ = try reading.record(id, hiddenKeys: [])
            _ = try reading.moment(before: id, hiddenKeys: [])
        }
        for extent in [PruningExtent.before(.now), .keepingRows(0), .keepingRows(.max)] {
            _ = try reading.prunable(extent, now: .now)
        }
        // Who writes goes on, or is told what is wrong.
        let outcome = Result {
            let opened = try history.open()
            defer { opened.close() }
            try opened.append([.sample(before: .integer(6), after: .integer(7))], head: nil)
        }
        if case .failure(let error) = outcome { #expect(error is HistoryStoreError) }
    }

    @Test("A row that was rewritten together with its hash is known by the row behind it")
    func rewritten() throws {
        let (history, store) = try filled()
        var event = try #require(try store.record(2, hiddenKeys: [])).event
        event.actor = "eve"
        let previous = try #require(try store.record(1, hiddenKeys: [])).hash
        let hash = try HistoryRecord.hash(id: 2, event: event, previousHash: previous)
        try history.tamperUnseen("UPDATE history SET actor = 'eve', hash = x'\(hash.hexadecimal)' WHERE id = 2")
        #expect(try store.records([1, 2, 3], hiddenKeys: []).map(\.isAltered) == [false, true, false])
        #expect(try store.verifyChain().firstBadRow == 3)
    }

    @Test("A row that is put back as it was is sound again")
    func putBack() throws {
        let (history, store) = try filled()
        try history.tamperUnseen("UPDATE history SET reason = 'other' WHERE id = 2")
        #expect(try store.page(HistoryQuery()).records.filter(\.isAltered).map(\.id) == [2] && store.alteredRows == [2])
        try history.tamperUnseen("UPDATE history SET reason = 'step 2' WHERE id = 2")
        #expect(try store.page(HistoryQuery()).records.filter(\.isAltered) == [] && store.alteredRows == [])
    }

    @Test("What is told of a flag's past and of its last change knows altered rows too")
    func parts() throws {
        let (history, store) = try filled()
        try history.tamperUnseen("UPDATE history SET actor = 'eve' WHERE id IN (3, 5)")
        let replaced = try store.replacedValues(after: 2, in: "flags.xml")
        #expect(replaced.map(\.row) == [3] && replaced.map(\.isAltered) == [true])
        #expect(try store.replacedValues(after: 3, in: "flags.xml").map(\.isAltered) == [false])
        let last = try store.lastChanges(of: [.make("ui/blue_text")], hiddenKeys: [])
        #expect(last.values.map(\.id) == [5] && last.values.map(\.isAltered) == [true])
        let steps = try store.pageWithSteps(HistoryQuery(key: .make("ui/blue_text")), stepLimit: 10).steps.steps
        #expect(steps.filter(\.isAltered).map(\.id) == [5, 3] && steps.count == 5)
    }
}
