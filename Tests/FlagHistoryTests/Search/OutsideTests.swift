import FeatureFlags
import GRDB
import Testing

@testable import FlagHistory

@Suite("What edits from outside have touched")
struct OutsideTests {
    @Test("The key paths of the rows after one are told once each, and nothing else")
    func keys() throws {
        let history = try TemporaryHistory()
        let store = try history.open()
        let rows: [(key: String, origin: HistoryRecord.Origin, kind: HistoryRecord.Kind)] = [
            ("old", .external, .external), ("a", .external, .external), ("b", .form, .set), ("a", .external, .external),
            ("c", .external, .define), ("d", .external, .denied), ("e", .external, .external),
        ]
        try store.append(rows.map { .sample(key: $0.key, origin: $0.origin, kind: $0.kind) }, head: nil)
        #expect(try store.keysEditedOutside(after: 1, through: 6).keys.sorted() == [.make("a"), .make("c")])
        #expect(
            Set(try store.keysEditedOutside(after: 0, through: 7).keys) == [
                .make("old"), .make("a"), .make("c"), .make("e"),
            ])
        #expect(try store.keysEditedOutside(after: 7, through: 7).isEmpty)
    }
}
