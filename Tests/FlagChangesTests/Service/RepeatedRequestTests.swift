import DurableFiles
import FeatureFlags
import FeatureFlagsXML
import FlagHistory
import Foundation
import Testing

@testable import FlagChanges

@Suite("Repeated requests")
struct RepeatedRequestTests {
    let project: Project
    private let limit = FlagKeyPath.of("checkout", "limit")
    private let enabled = FlagKeyPath.of("checkout", "enabled")

    init() throws { project = try Project() }

    private func author(_ key: String?, _ name: String = "ada") -> ChangeAuthor {
        ChangeAuthor(name: name, role: .editor, origin: .api, idempotencyKey: key)
    }

    private func set(_ service: ChangeService, _ text: String, _ author: ChangeAuthor) async throws -> ChangeOutcome {
        try await service.apply(Change(key: limit, action: .setText(text)), by: author)
    }

    @Test("A repeated request gets the first answer and no second row, whatever was done since, and after a restart")
    func answersAgain() async throws {
        let first: ChangeOutcome
        do {
            let service = try project.service()
            first = try await set(service, "6", author("k"))
            _ = try await set(service, "7", author(nil))
            #expect(try await set(service, "6", author("k")) == first)
        }
        let service = try project.service()
        #expect(try await set(service, "6", author("k")) == first)
        #expect(try service.rows().map(\.event.after) == [.integer(6), .integer(7)])
        #expect(try service.rows().map(\.event.idempotencyKey) == ["k", nil])
        #expect(try project.text().contains("<integer>7<"))
    }

    @Test("A request that had nothing to do has nothing to do when it is repeated")
    func answersUnchanged() async throws {
        let service = try project.service()
        #expect(try await set(service, "5", author("k")) == .unchanged)
        _ = try await set(service, "6", author(nil))
        #expect(try await set(service, "5", author("k")) == .unchanged)
        #expect(try service.rows().count == 1)
    }

    @Test("The same key with anything else to do is refused; another actor's key is another one")
    func refusesOther() async throws {
        let service = try project.service()
        _ = try await set(service, "6", author("k"))
        let others = [
            Change(key: limit, action: .setText("7")), Change(key: limit, action: .setValue(.integer(6))),
            Change(key: enabled, action: .setText("6")), Change(key: limit, action: .setText("6"), provider: "Local"),
            Change(key: limit, action: .setText("6"), reason: "why"),
            Change(key: limit, action: .setText("6"), revision: FlagRevision(rawValue: "absent")),
        ]
        for change in others {
            let refusal = try await #require(throws: ChangeError.self) {
                try await service.apply(change, by: author("k"))
            }
            #expect(refusal.reason == .keyReused)
        }
        _ = try await set(service, "7", author("k", "bo"))
        #expect(try service.rows().map(\.event.after) == [.integer(6), .integer(7)])
    }

    @Test("A refused request is judged anew when it is made again")
    func judgesRefusedAnew() async throws {
        let service = try project.service()
        await #expect(throws: ChangeError.self) { try await set(service, "60", author("k")) }
        #expect(try await set(service, "6", author("k")) != .unchanged)
    }

    @Test("Of two that arrive at once one is made, and both get its row")
    func answersBoth() async throws {
        let gate = Gate()
        var options = ChangeService.Options(clock: { Project.now })
        options.actions.exchange = { temporary, url throws(FileAccessError) in
            gate.pass()
            try AtomicFile.exchange(temporary, with: url)
        }
        let service = try project.service(options)
        let first = Task {
            try await service.apply(Change(key: enabled, action: .setText("false")), by: author(nil))
        }
        await gate.waitUntilReached()
        let tasks = [("6", "k"), ("6", "k"), ("7", "k"), ("6", "other")].map { text, key in
            Task { try await set(service, text, author(key)) }
        }
        await until { await service.queue.waiting.count == 4 }
        gate.open()
        _ = try await first.value
        var results: [Result<ChangeOutcome, any Error>] = []
        for task in tasks { results.append(await task.result) }
        let rows = try service.rows().filter { $0.event.idempotencyKey == "k" }
        #expect(rows.count == 1)
        let row = try #require(rows.first)
        #expect(results.filter { (try? $0.get()) == .applied(row) }.count >= 1)
        let refused = results.filter { if case .failure = $0 { true } else { false } }.count
        let wanted = row.event.after == .integer(6) ? (2, 1) : (1, 2)
        #expect((results.filter { (try? $0.get()) == .applied(row) }.count, refused) == wanted)
    }

    @Test("A repeated batch gets all of its answers again")
    func answersBatchAgain() async throws {
        let service = try project.service()
        let batch = [
            Change(key: limit, action: .setText("6")), Change(key: enabled, action: .setText("true")),
            Change(key: .of("stray"), action: .reset),
        ]
        let first = try await service.apply(ChangeRequest(batch, by: author("k")))
        #expect(first[1] == .unchanged)
        #expect(try await service.apply(ChangeRequest(batch, by: author("k"))) == first)
        #expect(try service.rows().count == 2)
        let refusal = try await #require(throws: BatchError.self) {
            try await service.apply(ChangeRequest(Array(batch.dropLast()), by: author("k")))
        }
        #expect(refusal.cause.reason == .keyReused)
    }

    @Test("A flag that has become internal does not show by an answer of before")
    func hidesInternal() async throws {
        let service = try project.service()
        _ = try await set(service, "6", author("k"))
        try project.writeManifest(
            Project.manifest.replacingOccurrences(
                of: "<key>minimum</key>", with: "<key>isInternal</key><true/><key>minimum</key>"))
        let refusal = try await #require(throws: ChangeError.self) { try await set(service, "6", author("k")) }
        #expect(refusal == .unknown(limit))
    }
}
