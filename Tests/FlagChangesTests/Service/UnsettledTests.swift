import FeatureFlags
import FlagHistory
import Foundation
import GRDB
import TestClock
import Testing

@testable import FlagChanges

@Suite("Changes that can't be settled for a while")
struct UnsettledTests {
    let project: Project
    private let log = Log()
    private let key = FlagKeyPath.of("checkout", "limit")

    init() throws { project = try Project() }

    /// Makes the history keep its intents, so that a change can be neither completed nor cleared away, or lets them go again.
    private func keepIntents(_ isKeeping: Bool) throws {
        let queue = try DatabaseQueue(path: project.folder.appending(path: "flags.history.sqlite").path)
        try queue.write { db in
            try db.execute(
                sql: isKeeping
                    ? "CREATE TRIGGER keep BEFORE DELETE ON intent BEGIN SELECT RAISE(ABORT, 'intents stay'); END"
                    : "DROP TRIGGER keep")
        }
        try queue.close()
    }

    private func refusal(_ service: ChangeService, _ text: String) async throws -> ChangeError {
        try await #require(throws: ChangeError.self) { try await set(service, text) }
    }

    @discardableResult
    private func set(_ service: ChangeService, _ text: String) async throws -> ChangeOutcome {
        try await service.apply(Change(key: key, action: .setText(text)), by: Project.author)
    }

    /// A service with a change that its history could neither keep nor clear away.
    private func unsettled(_ clock: any Clock<Duration> = ManualClock()) async throws -> ChangeService {
        var options = ChangeService.Options(clock: { Project.now }, log: log.add)
        options.waitingClock = clock
        options.halfWrittenPatience = .zero
        let service = try project.service(options)
        try keepIntents(true)
        let refusal = try await refusal(service, "6")
        #expect(refusal.description.contains("intents stay"))
        #expect(refusal.remedy.contains("restored"))
        #expect(try project.text() == Project.values)
        return service
    }

    @Test("Pages say since when nothing can be changed, why, and that nothing needs to be done but to remove the cause")
    func saysSinceWhen() async throws {
        let service = try await unsettled()
        let text = try await service.fileProblems().map(\.description).joined()
        #expect(text.contains("A change has been pending since 2026-09-21 14:13:20 UTC"))
        #expect(text.contains("intents stay"))
        #expect(text.contains("Fix the cause"))
        #expect(!text.contains("estart"))
        #expect(!text.contains(".."))
        let refusal = try await refusal(service, "7")
        #expect(refusal.description.contains("since 2026-09-21 14:13:20 UTC"))
        #expect(refusal.remedy.hasPrefix("Nothing was changed"))
        #expect(try project.text() == Project.values)
    }

    @Test(
        "The flags don't follow from the files alone while nothing can be changed, so no tag of the files stands for them"
    )
    func tag() async throws {
        let service = try await unsettled()
        #expect(try await service.shownFlags().wholeVersion == nil)
        try keepIntents(false)
        try await set(service, "7")
        #expect(try await service.shownFlags().wholeVersion != nil)
    }

    @Test("The next change settles it, without a restart, and is made")
    func nextChangeSettles() async throws {
        let service = try await unsettled()
        try keepIntents(false)
        try await set(service, "7")
        #expect(try project.text().contains("<integer>7<"))
        let rows = try service.rows()
        #expect(rows.map(\.event.kind) == [.aborted, .set])
        #expect(rows.first?.event.reason.contains("the file was restored") == true)
        #expect(try await service.fileProblems().isEmpty)
        #expect(try project.names().allSatisfy { !$0.hasSuffix(".tmp") })
    }

    @Test("The next look settles it")
    func nextLookSettles() async throws {
        let service = try await unsettled()
        try keepIntents(false)
        #expect(try await service.fileProblems().isEmpty)
        #expect(try service.history.openIntents().isEmpty)
        #expect(try service.rows().map(\.event.kind) == [.aborted])
    }

    @Test("Where nobody asks, the service settles it after a few seconds, and tells those who follow")
    func settlesByItself() async throws {
        let clock = ManualClock()
        let service = try await unsettled(clock)
        var updates = try await service.updates().makeAsyncIterator()
        var sleeps = clock.sleeps.makeAsyncIterator()
        #expect(await sleeps.next() == WriteQueue.pauseOfSettling)
        clock.advance(by: WriteQueue.pauseOfSettling)
        // The cause is still there, so it goes on trying.
        #expect(await sleeps.next() == WriteQueue.pauseOfSettling)
        try keepIntents(false)
        clock.advance(by: WriteQueue.pauseOfSettling)
        #expect(await updates.next()?.changesObstacles == true)
        #expect(try service.history.openIntents().isEmpty)
    }

    @Test("An edit by another program meanwhile is kept, and recorded after the change is settled")
    func keepsOutsideEdit() async throws {
        let service = try await unsettled()
        try project.write(Project.values.replacingOccurrences(of: "<integer>5<", with: "<integer>8<"))
        #expect(try await service.overview().catalogue[key]?.resolution.effectiveValue == .integer(8))
        #expect(try service.rows().isEmpty)
        try keepIntents(false)
        try await set(service, "9")
        let rows = try service.rows()
        #expect(rows.map(\.event.kind) == [.aborted, .external, .set])
        #expect(rows.last?.event.before == .integer(8))
    }

    @Test("A start after it settles it too")
    func startSettles() async throws {
        do { _ = try await unsettled() }
        try keepIntents(false)
        let service = try project.service()
        #expect(try service.rows().map(\.event.kind) == [.aborted])
        try await set(service, "7")
    }
}
