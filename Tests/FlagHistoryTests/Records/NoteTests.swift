import FeatureFlags
import FlagHistory
import Foundation
import Testing

@Suite("Reasons that are given later")
struct NoteTests {
    private static let start = Date(timeIntervalSince1970: 1_767_225_600)
    private let history: TemporaryHistory
    private let store: HistoryStore

    init() throws {
        history = try TemporaryHistory()
        store = try history.open()
    }

    private func give(_ reason: String, to id: Int64, by actor: String = "bob", at: Date = start + 60) throws
        -> HistoryRecord
    {
        let record = try #require(try store.record(id, hiddenKeys: []))
        let event = HistoryEvent.note(on: record, reason: reason, at: at, actor: actor)
        return try #require(try store.append([event], head: nil).first)
    }

    @Test("A reason is a row of its own about the same flag, which names its change and no value")
    func row() throws {
        try store.append([.sample(key: "a", type: .integer, before: .integer(1), after: .integer(2))], head: nil)
        let note = try give("Asked for by sales.", to: 1)
        #expect(note.event.kind == .note && note.event.notedRow == 1 && note.event.reason == "Asked for by sales.")
        #expect(note.event.key == .make("a") && note.event.provider == "flags.xml" && note.event.type == .integer)
        #expect(note.event.before == nil && note.event.fileHashBefore == nil && note.event.fileHashAfter == nil)
        #expect(try store.verifyChain().firstBadRow == nil)
        #expect(try store.record(1, hiddenKeys: [])?.event.notedRow == nil)
    }

    @Test("Each change has its own, oldest first, also where two flags are spelled canonically alike")
    func several() throws {
        try store.append(
            [.sample(key: "ui/Größe"), .sample(key: "b"), .sample(key: "ui/Größe"), .sample(key: "b", kind: .denied)],
            head: nil)
        let first = try give("one", to: 1)
        let other = try give("two", to: 2, by: "cy")
        let second = try give("three", to: 1, by: "cy")
        let records = try (1...4).map { try #require(try store.record($0, hiddenKeys: [])) }
        #expect(try store.notes(on: records, hiddenKeys: []) == [1: [first, second], 2: [other]])
        #expect(try store.notes(on: [records[2]], hiddenKeys: []).isEmpty)
        #expect(try store.notes(on: [], hiddenKeys: []).isEmpty)
    }

    @Test("It is no change: not the last one, nothing at a moment, no step of a value, and no neighbour of a moment")
    func noChange() throws {
        try store.append([.sample(key: "a", at: Self.start, before: nil, after: .bool(true))], head: nil)
        let (moment, value) = (try store.moment(at: Self.start + 1), FlagValue.bool(true))
        _ = try give("late", to: 1)
        #expect(!HistoryRecord.Kind.note.changesFlags)
        #expect(try store.lastChanges(of: [.make("a")], hiddenKeys: []).values.map(\.id) == [1])
        #expect(try store.unchanged([.make("a")], since: Self.start + 30) == [.make("a"): .some(Self.start)])
        #expect(try store.replacedValues(after: 1, in: "flags.xml").isEmpty)
        #expect(try store.replacedValues(after: 0, in: "flags.xml").map(\.row) == [1])
        #expect(try store.lastValue(of: .make("a"), in: "flags.xml") == value)
        #expect(try !store.hasRecorded(.integer(1), at: .make("a"), in: "flags.xml"))
        #expect(try store.pageWithSteps(HistoryQuery(key: .make("a")), stepLimit: 10).steps.steps.map(\.id) == [1])
        #expect(try store.neighbours(ofMomentAfter: moment.lastRow, hiddenKeys: []).next == nil)
        #expect(try store.neighbours(ofMomentAfter: 2, hiddenKeys: []).previous?.id == 1)
        #expect(try store.providersWithChanges() == ["flags.xml"])
    }

    @Test("It is found by its kind, its text and its flag like any other row")
    func found() throws {
        try store.append([.sample(key: "a"), .sample(key: "b")], head: nil)
        let note = try give("Asked for by sales.", to: 1)
        #expect(try store.page(HistoryQuery(kind: .note)).records == [note])
        #expect(try store.page(HistoryQuery(text: "by sales")).records == [note])
        #expect(try store.page(HistoryQuery(key: .make("a"))).records.map(\.id) == [3, 1])
        #expect(try store.records(matching: HistoryQuery(), after: 2) == [note])
    }

    @Test(
        "It is hidden with its change: of an internal flag, of one inside it, and of a dictionary that such a flag stood in"
    )
    func hidden() throws {
        try store.append(
            [
                .sample(key: "secret"), .sample(key: "secret/below"),
                .sample(key: "group", type: .dictionary, before: nil, after: .dictionary(["secret": .bool(true)])),
                .sample(key: "open"),
                .sample(key: "group", kind: .external, provider: nil, type: nil, before: nil, after: nil),
            ], head: nil)
        for id in Int64(1)...5 { _ = try give("because \(id)", to: id) }
        let hidden: HiddenKeys = [.make("secret"), .make("group/secret")]
        let records = try (1...5).map { try #require(try store.record($0, hiddenKeys: [])) }
        #expect(try store.notes(on: records, hiddenKeys: hidden).keys.sorted() == [4, 5])
        #expect(try store.page(HistoryQuery(kind: .note, hiddenKeys: hidden)).records.map(\.id) == [10, 9])
        #expect(try store.record(8, hiddenKeys: hidden) == nil)
        let closed = HiddenKeys(flags: hidden.flags, groups: [.make("group")])
        #expect(try store.notes(on: records, hiddenKeys: closed).keys.sorted() == [4])
    }

    @Test("It is seen where its change is: of another value above an internal flag, and not where that is pruned")
    func seenWithItsChange() throws {
        try store.append(
            [
                .sample(key: "group", type: .json, before: nil, after: .integer(7)),
                .sample(key: "group", type: .json, before: .integer(7), after: .dictionary(["secret": .bool(true)])),
                .sample(key: "group", type: .json, before: .dictionary(["secret": .bool(true)]), after: nil),
            ], head: nil)
        for id in Int64(1)...3 { _ = try give("because \(id)", to: id) }
        let hidden: HiddenKeys = [.make("group/secret")]
        #expect(try store.page(HistoryQuery(hiddenKeys: hidden)).records.map(\.id) == [4, 1])
        let change = try #require(try store.record(1, hiddenKeys: hidden))
        #expect(try store.notes(on: [change], hiddenKeys: hidden).keys.sorted() == [1])
        _ = try store.prune(
            upTo: 1, recording: .sample(kind: .prune, provider: nil, type: nil, before: nil, after: nil))
        #expect(try store.record(4, hiddenKeys: hidden) == nil)
    }

    @Test("It is left out where changes alone are asked for, and counts as no change of a day or an actor")
    func leftOut() throws {
        try store.append([.sample(key: "a"), .sample(key: "a"), .sample(key: "b")], head: nil)
        for number in 1...30 { _ = try give("because \(number)", to: 1, by: "cy") }
        #expect(
            try store.newest(HistoryQuery(key: .make("a"), exceptKind: .note, limit: 3)).map(\.id) == [2, 1])
        #expect(try store.page(HistoryQuery(exceptKind: .note)).total == 3)
        #expect(try store.newest(HistoryQuery(kind: .note, exceptKind: .note)).isEmpty)
        let (page, summary) = try store.pageWithSummary(HistoryQuery())
        #expect(page.total == 33 && summary.count == 3 && summary.isComplete)
        #expect(summary.quarters.map(\.count) == [3] && !summary.actors.map(\.name).contains("cy"))
    }

    @Test("It stays when its change is pruned")
    func pruned() throws {
        try store.append([.sample(key: "a"), .sample(key: "b"), .sample(key: "c")], head: nil)
        let note = try give("late", to: 1)
        _ = try store.prune(
            upTo: 2, recording: .sample(kind: .prune, provider: nil, type: nil, before: nil, after: nil))
        #expect(try store.record(note.id, hiddenKeys: []) == note)
        #expect(try store.verify().isSound)
    }
}
