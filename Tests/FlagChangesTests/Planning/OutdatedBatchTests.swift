import FeatureFlags
import FlagHistory
import Foundation
import Synchronization
import Testing

@testable import FlagChanges

@Suite("A batch that was worked out from what the files held")
struct OutdatedBatchTests {
    let project: Project
    private let limit = FlagKeyPath.of("checkout", "limit")
    private let enabled = FlagKeyPath.of("checkout", "enabled")
    private let batch = [Change(key: .of("checkout", "limit"), action: .setText("6"))]

    init() throws { project = try Project() }

    private var turnsOff: Change { Change(key: enabled, action: .setText("false")) }

    /// A service, and what the files held before a change that is there by now.
    private func changed() async throws -> (service: ChangeService, version: FilesVersion) {
        let service = try project.service()
        let version = try await service.overview().version
        _ = try await service.apply(turnsOff, by: Project.author)
        return (service, version)
    }

    /// Begins something that is to wait in a service's queue; goes on when it does, or when it is done without.
    private func begin<Value: Sendable>(
        with service: ChangeService, _ body: @escaping @Sendable () async throws -> Value
    ) async -> Task<Value, any Error> {
        let ends = Counter()
        let task = Task {
            defer { ends.add() }
            return try await body()
        }
        await until { await !service.queue.waiting.isEmpty || ends.value > 0 }
        return task
    }

    @Test("It is made without a question where nothing was changed since, be it that an attempt was refused")
    func upToDate() async throws {
        let service = try project.service()
        _ = try await service.apply(turnsOff, by: Project.author)
        let version = try await service.overview().version
        let locked = Change(key: .of("checkout", "region"), action: .setText("south"))
        await #expect(throws: ChangeError.self) { try await service.apply(locked, by: Project.author) }
        let outcomes = try await service.apply(ChangeRequest(batch, by: Project.author, asOf: version)) {
            Issue.record("asked")
            return false
        }
        #expect(outcomes?.count == 1)
        #expect(try service.rows().map(\.event.kind) == [.set, .denied, .set])
    }

    @Test("Where something was changed since, it is made if it is still wanted so", arguments: [true, false])
    func outdated(isStillSo: Bool) async throws {
        let (service, version) = try await changed()
        let outcomes = try await service.apply(ChangeRequest(batch, by: Project.author, asOf: version)) { isStillSo }
        #expect(outcomes?.count == (isStillSo ? 1 : nil))
        #expect(try service.rows().map(\.event.key) == (isStillSo ? [enabled, limit] : [enabled]))
    }

    @Test("An edit from outside that nobody has looked at yet counts")
    func outside() async throws {
        let service = try project.service()
        let version = try await service.overview().version
        try project.write(try project.text().replacing("<true/>", with: "<false/>"))
        #expect(try await service.apply(ChangeRequest(batch, by: Project.author, asOf: version)) { false } == nil)
        #expect(try service.rows().map(\.event.kind) == [.external])
    }

    @Test(
        "A change that is settled in the same round before it counts, and one that comes to nothing does not",
        arguments: [("false", true), ("true", false)])
    func sameRound(text: String, isOutdated: Bool) async throws {
        let service = try project.service()
        let version = try await service.overview().version
        var round = ChangeRound(
            context: service.context, workspace: Workspace(service.files), deniedAttempts: DenialLimit(limit: 60))
        let first = Change(key: enabled, action: .setText(text))
        let answers = try round.run([
            ChangeRequest([first], by: Project.author),
            ChangeRequest(batch, by: Project.author, asOf: version),
        ])
        let refusal: BatchError? = if case .failure(let refusal) = answers[1] { refusal } else { nil }
        #expect(refusal?.isOutdated == (isOutdated ? true : nil))
        #expect(try service.rows().map(\.event.key) == [isOutdated ? enabled : limit])
    }

    @Test("A refusal of one of its changes comes before the question, and is recorded")
    func refused() async throws {
        let (service, version) = try await changed()
        let locked = Change(key: .of("checkout", "region"), action: .setText("south"))
        let refusal = try await #require(throws: BatchError.self) {
            try await service.apply(ChangeRequest(batch + [locked], by: Project.author, asOf: version)) {
                Issue.record("asked")
                return false
            }
        }
        #expect(refusal.cause.reason == .locked && refusal.changes.count == 2)
        #expect(try service.rows().map(\.event.kind) == [.set, .denied])
    }

    @Test("A repetition gets the first answer without a question, whatever was changed since")
    func repeated() async throws {
        let service = try project.service()
        var author = Project.author
        author.idempotencyKey = "k"
        let version = try await service.overview().version
        let first = try await service.apply(ChangeRequest(batch, by: author, asOf: version)) { false }
        _ = try await service.apply(turnsOff, by: Project.author)
        #expect(try await service.apply(ChangeRequest(batch, by: author, asOf: version)) { false } == first)
        #expect(first != nil)
        #expect(try service.rows().count == 2)
    }

    @Test("Who asks for the same at the same time gets the same answer, though the first changed what is asked about")
    func twice() async throws {
        let (service, version) = try await changed()
        var author = Project.author
        author.idempotencyKey = "k"
        let (batch, named) = (batch, author)
        let second = Mutex<Task<[ChangeOutcome]?, any Error>?>(nil)
        let first = try await service.apply(ChangeRequest(batch, by: named, asOf: version)) {
            let again = await begin(with: service) {
                try await service.apply(ChangeRequest(batch, by: named, asOf: version)) { false }
            }
            second.withLock { $0 = again }
            return true
        }
        let again = try await #require(second.withLock { $0 }).value
        #expect(first?.count == 1 && again == first)
    }

    @Test("Nothing is changed through the service as long as the question is open")
    func alone() async throws {
        let (service, version) = try await changed()
        let turnsOn = Change(key: enabled, action: .setText("true"))
        let other = Mutex<Task<ChangeOutcome, any Error>?>(nil)
        let outcomes = try await service.apply(ChangeRequest(batch, by: Project.author, asOf: version)) {
            let task = await begin(with: service) { try await service.apply(turnsOn, by: Project.author) }
            other.withLock { $0 = task }
            return try service.rows().map(\.event.key) == [enabled]
        }
        #expect(outcomes?.count == 1)
        _ = try await #require(other.withLock { $0 }).value
        #expect(try service.rows().map(\.event.key) == [enabled, limit, enabled])
    }

    @Test("A program that edits the file at each question is refused to at last, and said to be the cause")
    func endless() async throws {
        let (service, version) = try await changed()
        let asked = Counter()
        let project = project
        let refusal = try await #require(throws: BatchError.self) {
            try await service.apply(ChangeRequest(batch, by: Project.author, asOf: version)) {
                let (old, new) = asked.add() % 2 == 1 ? ("false", "true") : ("true", "false")
                try project.write(try project.text().replacing("<\(old)/>", with: "<\(new)/>"))
                return true
            }
        }
        #expect(asked.value == WriteQueue.maximumTries)
        #expect(refusal.description.contains("Another program keeps changing the file"))
        #expect(try service.rows().allSatisfy { $0.event.key == enabled })
    }

    @Test("Where the file can't be read, that is what is said")
    func unreadable() async throws {
        let service = try project.service()
        let version = try await service.overview().version
        try project.write("<plist>")
        let refusal = try await #require(throws: BatchError.self) {
            try await service.apply(ChangeRequest(batch, by: Project.author, asOf: version)) { false }
        }
        #expect(refusal.cause.reason == .unavailable && !refusal.isOutdated)
    }
}
