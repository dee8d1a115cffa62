import FeatureFlags
import FlagHistory
import Foundation
import GRDB
import Testing

@Suite("Last changes")
struct LastChangeTests {
    private static let start = Date(timeIntervalSince1970: 1_767_225_600)

    @Test("Each flag's newest change counts, in any canonically equivalent spelling")
    func newest() throws {
        let store = try TemporaryHistory.filled([
            .sample(key: "a", at: Self.start, actor: "ann"), .sample(key: "ui/Größe", actor: "bob"),
            .sample(key: "a", at: Self.start + 60, actor: "cy"), .sample(key: "a/b", actor: "dan"),
        ])
        let decomposed = FlagKeyPath.make("ui/Gro\u{0308}ße")
        let changes = try store.history.lastChanges(
            of: [.make("a"), decomposed, .make("never")], hiddenKeys: [])
        #expect(changes[.make("a")] == LastChange(id: 3, at: Self.start + 60, actor: "cy"))
        #expect(changes[decomposed]?.actor == "bob")
        #expect(changes.count == 2)
    }

    @Test(
        "What was refused, aborted or pruned is no change", arguments: ["denied", "aborted", "prune", "accept", "note"])
    func noChange(_ kind: String) throws {
        let kind = try #require(HistoryRecord.Kind(rawValue: kind))
        let store = try TemporaryHistory.filled([
            .sample(key: "a", actor: "ann"), .sample(key: "a", actor: "eve", kind: kind), .sample(key: "b", kind: kind),
        ])
        let changes = try store.history.lastChanges(of: [.make("a"), .make("b")], hiddenKeys: [])
        #expect(changes.mapValues(\.actor) == [.make("a"): "ann"])
    }

    @Test("Nothing of a hidden flag appears, asked for or not")
    func hidden() throws {
        let store = try TemporaryHistory.filled([
            .sample(key: "secret", actor: "eve"), .sample(key: "secret/below", actor: "eve"),
            .sample(key: "open", actor: "ann"),
        ])
        let keys = Set(["secret", "secret/below", "open"].map { FlagKeyPath.make($0) })
        #expect(try store.history.lastChanges(of: keys, hiddenKeys: [.make("secret")]).keys.map(\.text) == ["open"])
    }

    @Test("The index of paths finds them, so that no row is looked at but the newest of each flag")
    func index() throws {
        let store = try TemporaryHistory.filled([.sample(key: "a")])
        let plan = try store.folder.raw().read { db in
            try Row.fetchAll(
                db,
                sql: """
                    EXPLAIN QUERY PLAN SELECT h.id FROM json_each('["a/"]') AS k CROSS JOIN history AS h ON h.id =
                    (SELECT id FROM history INDEXED BY history_by_path_alone
                    WHERE path = k.value AND kind NOT IN ('denied') ORDER BY id DESC LIMIT 1)
                    """
            ).map { $0["detail"] as String }
        }
        #expect(plan.contains { $0.contains("USING INDEX history_by_path_alone (path=?)") }, "\(plan)")
        #expect(!plan.contains { $0.contains("SCAN h") || $0.contains("TEMP B-TREE") }, "\(plan)")
    }
}

extension TemporaryHistory {
    /// A history that holds these events, and the folder that it lives as long as.
    static func filled(
        _ events: [HistoryEvent]
    ) throws -> (folder: TemporaryHistory, history: HistoryStore) {
        let folder = try TemporaryHistory()
        let history = try folder.open()
        try history.append(events, head: nil)
        return (folder, history)
    }
}
