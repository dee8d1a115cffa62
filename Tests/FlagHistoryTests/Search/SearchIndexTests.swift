import FeatureFlags
import FlagHistory
import Foundation
import GRDB
import Testing

@Suite("The check of what rows are found by")
struct SearchIndexTests {
    private static let events: [HistoryEvent] = [
        .sample(key: "ui/größe", actor: "İpek", before: nil, after: .string("Straße 𝄞 ✓"), reason: "e\u{301}té"),
        .sample(
            key: "a", actor: "", type: .string, before: .string("x\u{0}y"), after: .data(Data([1, 2, 3])), reason: "ab"),
        .sample(
            key: "limits/rate", at: Date(timeIntervalSince1970: 1_767_236_400), type: .double, before: .double(0.5),
            after: .double(1e300), reason: "abc"),
        .sample(
            key: "checkout/steps", at: Date(timeIntervalSince1970: 1_767_229_200), type: .array, before: nil,
            after: .array([.bool(true), .string("needle in it")])),
        .sample(type: .date, before: nil, after: .date(Date(timeIntervalSince1970: 0)), reason: "needle"),
    ]

    private func verdict(_ history: TemporaryHistory) throws -> HistoryVerdict {
        try HistoryStore(reading: history.url).verify()
    }

    @Test("It finds nothing wrong with texts of any letters and lengths, nor with an empty history")
    func sound() throws {
        let (history, store) = try TemporaryHistory.filled(Self.events)
        store.close()
        #expect(try verdict(history).isSound)
        let empty = try TemporaryHistory()
        try empty.open().close()
        #expect(try verdict(empty).isSound)
    }

    @Test(
        "A row that is missing, extra or different in it, a word without a row and an hour that was altered are found, and a new index mends each",
        arguments: [
            ("DELETE FROM history_search WHERE rowid = 4", "lacks row 4"),
            ("INSERT INTO history_search (rowid, \"key\") VALUES (77, 'more')", "has row 77"),
            ("UPDATE history_search SET reason = 'other' WHERE rowid = 3", "doesn't match the text of row 3"),
            ("UPDATE history_search_content SET c2 = 'other' WHERE id = 3", "doesn't match the text of row 3"),
            (
                """
                CREATE TABLE kept AS SELECT * FROM history_search_content WHERE id = 5;
                DELETE FROM history_search WHERE rowid = 5;
                INSERT INTO history_search_content SELECT * FROM kept; DROP TABLE kept;
                """, "doesn't match its rows"
            ),
            ("DELETE FROM history_hour", "hours"), ("UPDATE history_hour SET last = last + 1", "hours"),
            ("DROP TABLE history_search", "can't read"),
        ])
    func faults(tampering: String, finding: String) throws {
        let (history, store) = try TemporaryHistory.filled(Self.events)
        store.close()
        try history.tamperUnseen(tampering)
        guard case .wrongIndex(let coverage, let reason) = try verdict(history) else {
            Issue.record("not found: \(try verdict(history))")
            return
        }
        #expect(reason.contains(finding) && coverage.count == 5)
        let mended = try history.open()
        #expect(try mended.reindex() == 5)
        #expect(try mended.page(HistoryQuery(text: "NEEDLE")).records.map(\.id) == [5, 4])
        #expect(try mended.page(HistoryQuery(from: Date(timeIntervalSince1970: 1_767_229_200))).total == 2)
        mended.close()
        #expect(try verdict(history).isSound)
    }

    @Test("After a pruning the rest is in it, and nothing else")
    func pruned() throws {
        let (history, store) = try TemporaryHistory.filled(
            (0..<30).map { .sample(key: "flag_\($0)", at: Date(timeIntervalSince1970: Double($0 % 3) * 3600)) })
        _ = try store.prune(
            upTo: 20, recording: .sample(kind: .prune, provider: nil, type: nil, before: nil, after: nil))
        store.close()
        #expect(try verdict(history).isSound)
    }

    @Test("Rows that were altered are the graver finding")
    func altered() throws {
        let (history, store) = try TemporaryHistory.filled(Self.events)
        store.close()
        try history.tamperUnseen(
            "UPDATE history SET \"after\" = 'no value' WHERE id = 4; DELETE FROM history_search WHERE rowid = 2")
        guard case .broken(at: 4, _) = try verdict(history) else {
            Issue.record("found \(try verdict(history))")
            return
        }
    }
}
