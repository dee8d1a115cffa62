import FeatureFlags
import GRDB
import Testing

@testable import FlagHistory

@Suite("The newest change of an actor")
struct NewestChangeTests {
    @Test("It is of the actor, came in one of the ways, took effect, and may be seen")
    func newest() throws {
        let history = try TemporaryHistory()
        let store = try history.open()
        let rows: [(key: String, actor: String, origin: HistoryRecord.Origin, kind: HistoryRecord.Kind)] = [
            ("a", "ann", .form, .set), ("b", "ann", .revert, .reset), ("c", "bob", .form, .set),
            ("d", "ann", .cli, .set),
            ("e", "ann", .form, .denied), ("f", "ann", .form, .aborted),
        ]
        try store.append(
            rows.map { .sample(key: $0.key, actor: $0.actor, origin: $0.origin, kind: $0.kind) }, head: nil)
        func newest(_ actor: String, _ origins: [HistoryRecord.Origin], _ hidden: HiddenKeys = []) throws -> Int64? {
            try store.newestChange(by: actor, through: origins, hiddenKeys: hidden)?.id
        }
        #expect(try newest("ann", [.form, .revert]) == 2)
        #expect(try newest("ann", [.form]) == 1)
        #expect(try newest("bob", [.form, .revert]) == 3)
        #expect(try newest("cleo", [.form]) == nil)
        #expect(try newest("ann", [.form, .revert], [.make("b")]) == nil)
    }

    @Test("It is hidden where a page of the history hides it")
    func hidden() throws {
        let history = try TemporaryHistory()
        let store = try history.open()
        let secret = FlagValue.dictionary(["secret": .bool(true)])
        let events: [HistoryEvent] = [
            .sample(key: "secret"), .sample(key: "secret/below"), .sample(key: "open"), .sample(key: "secrets"),
            .sample(key: "group", type: .json, before: nil, after: secret),
            .sample(key: "group", type: .json, before: secret, after: .integer(1)),
            .sample(key: "group", type: .json, before: .integer(1), after: .integer(2)),
            .sample(key: "closed", kind: .define, provider: nil, type: nil, before: nil, after: secret),
            .sample(key: "closed/below", kind: .define, provider: nil, type: nil, before: nil, after: nil),
            .sample(key: "closed/below"), .sample(key: "ui/Gro\u{308}\u{DF}e"),
        ]
        let hidden = HiddenKeys(
            flags: [.make("secret"), .make("group/secret"), .make("ui/Gr\u{F6}\u{DF}e")], groups: [.make("closed")])
        for (place, event) in events.enumerated() {
            try store.append([event], head: nil)
            let row = try #require(try store.newest(HistoryQuery()).first)
            #expect(row.id == Int64(place + 1))
            let shown = try store.record(row.id, hiddenKeys: hidden)
            let newest = try store.newestChange(by: row.event.actor, through: [row.event.origin], hiddenKeys: hidden)
            // The rows of a kind that came before are older.
            #expect(newest == shown, "\(event.key)")
        }
    }
}
