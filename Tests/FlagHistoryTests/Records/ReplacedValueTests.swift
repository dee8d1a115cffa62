import FeatureFlags
import FlagHistory
import Testing

@Suite("What changes replaced")
struct ReplacedValueTests {
    private let store: (folder: TemporaryHistory, history: HistoryStore)

    init() throws {
        store = try TemporaryHistory.filled([
            .sample(key: "a", before: .integer(1), after: .integer(2)),
            .sample(key: "b", before: nil, after: .integer(1)),
            .sample(key: "a", before: .integer(2), after: .integer(3)),
            .sample(key: "a", provider: "second.xml", before: .string("x"), after: nil),
            .sample(key: "a", kind: .redefine, provider: nil, before: .string("old"), after: .string("new")),
            .sample(key: "c", kind: .denied, before: .integer(8), after: .integer(9)),
        ])
    }

    /// The key, the row and what was replaced, newest row first.
    private func replaced(after row: Int64, in provider: String? = "flags.xml") throws -> [String] {
        try store.history.replacedValues(after: row, in: provider).map {
            "\($0.key) \($0.row) \($0.value.map { FlagJSON.text($0) } ?? "nothing")"
        }
    }

    @Test("The first change of each flag after a row counts, newest first, of one provider alone")
    func first() throws {
        #expect(try replaced(after: 0) == ["b 2 nothing", "a 1 1"])
        #expect(try replaced(after: 1) == ["a 3 2", "b 2 nothing"])
        #expect(try replaced(after: 3).isEmpty)
        #expect(try replaced(after: 0, in: "second.xml") == [#"a 4 "x""#])
        #expect(try replaced(after: 0, in: nil) == [#"a 5 "old""#])
        #expect(try replaced(after: 0, in: "third.xml").isEmpty)
    }

    @Test("What was changed since the last look is found too, few rows or many", arguments: [1, 3000])
    func since(_ count: Int) throws {
        #expect(try replaced(after: 2) == ["a 3 2"])
        let many = (0..<count).map { number in
            HistoryEvent.sample(key: "n/\(number)", before: .integer(Int128(number)), after: nil)
        }
        try store.history.append(many + [.sample(key: "a", before: .integer(3), after: .integer(4))], head: nil)
        let found = try replaced(after: 2)
        #expect(found.count == count + 1)
        #expect(found.first == "n/\(count - 1) \(count + 6) \(count - 1)")
        #expect(found.last == "a 3 2")
        #expect(try replaced(after: Int64(count) + 6) == ["a \(count + 7) 3"])
    }

    @Test("What another connection wrote is found too")
    func elsewhere() throws {
        #expect(try replaced(after: 2) == ["a 3 2"])
        try store.folder.open().append([.sample(key: "d", before: .bool(true), after: nil)], head: nil)
        #expect(try replaced(after: 2) == ["d 7 true", "a 3 2"])
    }

    @Test("A key in another spelling is the same flag")
    func spelling() throws {
        try store.history.append(
            [.sample(key: "ui/Größe", before: .integer(1)), .sample(key: "ui/Gro\u{0308}ße", before: .integer(2))],
            head: nil)
        #expect(try replaced(after: 6) == ["ui/Größe 7 1"])
    }
}
