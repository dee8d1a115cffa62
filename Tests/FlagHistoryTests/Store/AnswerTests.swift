import FlagHistory
import Foundation
import GRDB
import Testing

@Suite("Answers to requests")
struct AnswerTests {
    private func answer(_ actor: String, _ key: String, _ events: [Int?], request: UInt8 = 1) -> RequestAnswer {
        RequestAnswer(
            actor: actor, idempotencyKey: key, request: Data(repeating: request, count: 32), events: events)
    }

    @Test("An answer names its own rows among those that are written with it, and is there after a restart")
    func namesRows() throws {
        let history = try TemporaryHistory()
        let store = try history.open()
        try store.append([.sample()], head: nil)
        var intent = ChangeIntent.sample(events: [.sample(), .sample(key: "b"), .sample(key: "c")])
        intent.answers = [answer("ann", "k", [2, nil, 0]), answer("bo", "k", [1])]
        let records = try store.finish(try store.begin(intent), appending: intent.events)
        let kept = try #require(try history.open().answer(to: "ann", idempotencyKey: "k"))
        #expect(kept.records == [records[2], nil, records[0]])
        #expect(kept.request == Data(repeating: 1, count: 32))
        #expect(try store.answer(to: "bo", idempotencyKey: "k")?.records == [records[1]])
        #expect(try store.answer(to: "ann", idempotencyKey: "other") == nil)
    }

    @Test("The first answer stands, and an abandoned one is none")
    func firstStands() throws {
        let history = try TemporaryHistory()
        let store = try history.open()
        var intent = ChangeIntent.sample()
        intent.answers = [answer("ann", "k", [0])]
        try store.abandon(try store.begin(intent), appending: [])
        #expect(try store.answer(to: "ann", idempotencyKey: "k") == nil)
        try store.append([], head: nil, answers: [answer("ann", "k", [nil])])
        try store.append([.sample()], head: nil, answers: [answer("ann", "k", [0], request: 2)])
        #expect(try store.answer(to: "ann", idempotencyKey: "k")?.records == [nil])
    }
}
