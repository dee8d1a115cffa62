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
}
