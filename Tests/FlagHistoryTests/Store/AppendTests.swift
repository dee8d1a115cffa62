import FeatureFlags
import FlagHistory
import Foundation
import GRDB
import Testing

@Suite("Appending rows")
struct AppendTests {
    private static let values: [FlagValue] = [
        .bool(true), .integer(FlagValue.integerRange.lowerBound), .integer(FlagValue.integerRange.upperBound),
        .double(.nan), .double(-0.0), .double(.infinity), .double(0.1), .string(""), .string("a\0b\"\\\u{1F600}"),
        .string("e\u{301}"), .date(Date(timeIntervalSince1970: -1.5)), .data(Data([0, 255])),
        .array([.bool(false), .array([])]), .dictionary(["k/~": .dictionary(["": .integer(1)])]),
    ]

    @Test("A value of every kind reads back as it was", arguments: values)
    func value(_ value: FlagValue) throws {
        let history = try TemporaryHistory()
        let store = try history.open()
        let event = HistoryEvent.sample(type: FlagType(inferredFrom: value), before: value, after: value)
        let appended = try store.append([event], head: nil)
        #expect(appended.map(\.event) == [event])
        #expect(try store.record(1, hiddenKeys: []) == appended.first)
        #expect(try store.verifyChain() == .sound(count: 1, head: try store.chainHead().hash))
    }

    @Test("Every field reads back as it was, and those that are absent stay so")
    func fields() throws {
        let history = try TemporaryHistory()
        let full = HistoryEvent.sample(reason: "Größe ✓\nline", idempotencyKey: "once")
        let bare = HistoryEvent(
            batch: UUID(), at: .distantPast, actor: "", role: "", origin: .external, kind: .denied, provider: nil,
            key: FlagKeyPath(components: ["a/b", "~"]), type: nil, before: nil, after: nil)
        let records = try history.open().append([full, bare], head: nil)
        let reopened = try history.open()
        #expect(try reopened.page(HistoryQuery()).records == records.reversed())
        #expect(records.map(\.event) == [full, bare])
        #expect(records.map(\.id) == [1, 2])
        #expect(records[0].previousHash == Data(repeating: 0, count: 32))
        #expect(records[1].previousHash == records[0].hash)
    }

    @Test("Every origin, kind and type can be stored")
    func enumerations() throws {
        let history = try TemporaryHistory()
        let store = try history.open()
        let events =
            HistoryRecord.Origin.allCases.map { HistoryEvent.sample(origin: $0) }
            + HistoryRecord.Kind.allCases.map { HistoryEvent.sample(kind: $0) }
            + FlagType.allCases.map { HistoryEvent.sample(type: $0) }
        try store.append(events, head: nil)
        #expect(try store.page(HistoryQuery(limit: 100)).records.map(\.event) == events.reversed())
    }

    @Test(
        "A time is kept to the nearest microsecond and then stays",
        arguments: [
            (0.0, 0), (0.0000014, 1), (-0.0000014, -1), (-1.5, -1_500_000),
            (1_767_225_600.123456, 1_767_225_600_123_456),
            (4_102_444_799.999999, 4_102_444_799_999_999), (-62_135_769_600, -62_135_769_600_000_000),
        ] as [(TimeInterval, Int64)])
    func microseconds(_ seconds: TimeInterval, _ expected: Int64) throws {
        let history = try TemporaryHistory()
        let store = try history.open()
        let first = try store.append([.sample(at: Date(timeIntervalSince1970: seconds))], head: nil)
        try store.append(first.map(\.event), head: nil)
        let stored = try history.raw().read { try Int64.fetchAll($0, sql: "SELECT at FROM history") }
        #expect(stored == [expected, expected])
        #expect(try store.record(2, hiddenKeys: [])?.event == first.first?.event)
    }

    @Test("A thousand odd microseconds each read back and write again as themselves")
    func microsecondsAreStable() throws {
        let history = try TemporaryHistory()
        let store = try history.open()
        let fractions = (0..<1000).map { $0 * 7919 % 1_000_000 }
        let events = fractions.map {
            HistoryEvent.sample(at: Date(timeIntervalSince1970: 1_767_225_600 + Double($0) / 1e6))
        }
        let first = try store.append(events, head: nil)
        try store.append(first.map(\.event), head: nil)
        let stored = try history.raw().read { try Int64.fetchAll($0, sql: "SELECT at FROM history ORDER BY id") }
        let expected = fractions.map { Int64(1_767_225_600_000_000 + $0) }
        #expect(stored == expected + expected)
    }

    @Test("A NUL, at which SQLite's text would end, is kept as U+FFFD and leaves the chain sound")
    func nul() throws {
        let history = try TemporaryHistory()
        let store = try history.open()
        // As a `Character`, a NUL with a combining mark behind it is no NUL.
        let record = try store.append([.sample(actor: "a\0b\0\u{301}c", reason: "\0")], head: nil).first
        #expect(record?.event.actor == "a\u{FFFD}b\u{FFFD}\u{301}c")
        #expect(try store.record(1, hiddenKeys: []) == record)
        #expect(try store.verifyChain() == .sound(count: 1, head: record?.hash ?? Data()))
    }

    @Test("Of rows that can't be stored, none is")
    func allOrNone() throws {
        let history = try TemporaryHistory()
        let store = try history.open()
        var wrongHash = HistoryEvent.sample()
        wrongHash.fileHashAfter = Data([1])
        var tooDeep = HistoryEvent.sample()
        tooDeep.after = (0..<300).reduce(FlagValue.bool(true)) { value, _ in .array([value]) }
        for bad in [wrongHash, tooDeep] {
            let error = #expect(throws: HistoryStoreError.self) { try store.append([.sample(), bad], head: .new) }
            #expect(error?.isFull == false)
        }
        #expect(try store.page(HistoryQuery()).total == 0)
        #expect(try store.head(of: .values, at: FileHead.old.path) == nil)
    }

    @Test("The rows of a batch are found in order, without the hidden ones")
    func batches() throws {
        let history = try TemporaryHistory()
        let store = try history.open()
        let batch = UUID()
        let records = try store.append(
            [
                .sample(key: "a", idempotencyKey: "once", batch: batch), .sample(key: "b"),
                .sample(key: "secret", idempotencyKey: "once", batch: batch),
            ], head: nil)
        #expect(try store.records(batch: batch, hiddenKeys: []) == [records[0], records[2]])
        #expect(try store.records(batch: batch, hiddenKeys: [.make("secret")]) == [records[0]])
    }
}
