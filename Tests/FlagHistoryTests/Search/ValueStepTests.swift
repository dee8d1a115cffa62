import FeatureFlags
import FlagHistory
import Foundation
import Testing

@Suite("The steps of a flag's values")
struct ValueStepTests {
    @Test(
        "The steps are what the rows tell of changed values, and nothing of attempts, definitions, and what is hidden")
    func steps() throws {
        let store = try TemporaryHistory.filled([
            .sample(key: "ui/size", provider: "Local", before: nil, after: .double(1)),
            .sample(key: "ui/size", kind: .denied, provider: "Local", before: .double(1), after: .string("denied")),
            .sample(key: "ui/size", kind: .redefine, provider: nil, before: .string("a"), after: .string("b")),
            .sample(key: "ui/other", provider: "Local", after: .string("elsewhere")),
            .sample(
                key: "ui/size", kind: .external, provider: "Other", type: .dictionary,
                before: .dictionary(["a": .integer(1)]), after: nil),
            .sample(key: "ui/size", kind: .reset, provider: "Local", before: .double(1), after: nil),
        ])
        let key = FlagKeyPath.make("ui/size")
        let (page, walk) = try store.history.pageWithSteps(HistoryQuery(key: key, limit: 2), stepLimit: 10)
        #expect(page == (try store.history.page(HistoryQuery(key: key, limit: 2))))
        let rows = try store.history.page(HistoryQuery(key: key)).records
        let told = rows.filter { ![.denied, .redefine].contains($0.event.kind) }.map { row in
            ValueSteps.Step(
                id: row.id, at: row.event.at, provider: row.event.provider ?? "", before: row.event.before,
                after: row.event.after)
        }
        #expect(told.count == 3 && walk == ValueSteps(steps: told, rowCount: 5, cutOff: nil))
        let hidden = HistoryQuery(key: key, hiddenKeys: [key])
        #expect(
            try store.history.pageWithSteps(hidden, stepLimit: 10).steps
                == ValueSteps(steps: [], rowCount: 0, cutOff: nil))
    }

    @Test("A limit cuts the steps off, and tells when the oldest row was written that was looked at")
    func cut() throws {
        let history = try TemporaryHistory()
        let store = try history.open()
        let rows = try store.append(
            (0..<1500).map { number in
                .sample(
                    key: "a", at: Date(timeIntervalSince1970: 1_767_225_600 + Double(number)),
                    before: .integer(Int128(number)), after: .integer(Int128(number + 1)))
            }, head: nil)
        let query = HistoryQuery(key: .make("a"), olderThan: 7, limit: 20)
        for limit in [1, 200, 1200, 1499] {
            let (page, walk) = try store.pageWithSteps(query, stepLimit: limit)
            #expect(page.records == Array(rows.suffix(20).reversed()) && page.hasOlder)
            // As many as are always looked at, and more as far as the time allows.
            let count = walk.rowCount
            #expect(count == limit || (500..<limit).contains(count))
            #expect(walk.steps.map(\.id) == rows.suffix(count).reversed().map(\.id))
            #expect(walk.cutOff == rows[rows.count - count].event.at)
        }
        let whole = try store.pageWithSteps(query, stepLimit: 1500).steps
        #expect((whole.cutOff == nil) == (whole.rowCount == 1500))
    }
}
