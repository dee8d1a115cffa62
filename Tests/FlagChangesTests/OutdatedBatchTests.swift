import FeatureFlags
import FlagHistory
import Foundation
import Testing

@testable import FlagChanges

@Suite("A batch that was worked out up to a row of the history")
struct OutdatedBatchTests {
    let project: Project
    private let limit = FlagKeyPath.of("checkout", "limit")
    private let enabled = FlagKeyPath.of("checkout", "enabled")
    private let batch = [Change(key: .of("checkout", "limit"), action: .setText("6"))]

    init() throws { project = try Project() }

    private var turnsOff: Change { Change(key: enabled, action: .setText("false")) }

    @Test("It is made where nothing came since")
    func upToDate() async throws {
        let service = try project.service()
        _ = try await service.apply(turnsOff, by: Project.author)
        let row = try #require(try await service.overview().lastRow)
        #expect(try await service.apply(batch: batch, asOf: row, by: Project.author).count == 1)
        #expect(try service.rows().map(\.event.key) == [enabled, limit])
    }

    @Test("Where something came since, whatever it is, nothing is made, and the refusal says so")
    func outdated() async throws {
        let service = try project.service()
        let row = try await service.overview().lastRow
        _ = try await service.apply(turnsOff, by: Project.author)
        let before = try project.text()
        let refusal = try await #require(throws: BatchRefusal.self) {
            try await service.apply(batch: batch, asOf: row, by: Project.author)
        }
        #expect(refusal.isOutdated && refusal.changes.isEmpty && refusal.cause.reason == .unavailable)
        #expect(refusal.description == "Something else was changed while these changes were worked out.")
        #expect(try project.text() == before)
        #expect(try service.rows().map(\.event.key) == [enabled])
    }

    @Test("An edit from outside that nobody has looked at yet counts")
    func outside() async throws {
        let service = try project.service()
        let row = try await service.overview().lastRow
        try project.write(try project.text().replacing("<true/>", with: "<false/>"))
        let refusal = try await #require(throws: BatchRefusal.self) {
            try await service.apply(batch: batch, asOf: row, by: Project.author)
        }
        #expect(refusal.isOutdated)
        #expect(try service.rows().map(\.event.kind) == [.external])
    }

    @Test(
        "A change that is settled in the same round before it counts, and one that comes to nothing does not",
        arguments: [("false", true), ("true", false)])
    func sameRound(text: String, isOutdated: Bool) async throws {
        let service = try project.service()
        let row = try service.history.chainHead().id
        var round = ChangeRound(
            context: service.context, workspace: Workspace(service.files), deniedAttempts: DeniedAttempts(limit: 60))
        let first = Change(key: enabled, action: .setText(text))
        let result = round.run([
            ChangeRequest([first], by: Project.author, patience: .seconds(1)),
            ChangeRequest(batch, asOf: row, by: Project.author, patience: .seconds(1)),
        ])
        guard case .settled(let answers) = result else { throw BatchRefusal(changes: [], cause: .outdated) }
        let refusal: BatchRefusal? = if case .refused(let refusal) = answers[1] { refusal } else { nil }
        #expect(refusal?.isOutdated == (isOutdated ? true : nil))
        #expect(try service.rows().map(\.event.key) == [isOutdated ? enabled : limit])
    }

    @Test("A repetition gets the first answer, whatever came since and up to whichever row it was worked out")
    func repeated() async throws {
        let service = try project.service()
        var author = Project.author
        author.idempotencyKey = "k"
        let row = try await service.overview().lastRow
        let first = try await service.apply(batch: batch, asOf: row, by: author)
        _ = try await service.apply(turnsOff, by: Project.author)
        for again in [row, row.map { $0 + 1 }, nil] {
            #expect(try await service.apply(batch: batch, asOf: again, by: author) == first)
        }
        #expect(try service.rows().count == 2)
        author.idempotencyKey = "l"
        let refusal = try await #require(throws: BatchRefusal.self) {
            try await service.apply(batch: batch, asOf: row, by: author)
        }
        #expect(refusal.isOutdated)
    }

    @Test("Where the file can't be read, that is what is said")
    func unreadable() async throws {
        let service = try project.service()
        let row = try await service.overview().lastRow
        try project.write("<plist>")
        let refusal = try await #require(throws: BatchRefusal.self) {
            try await service.apply(batch: batch, asOf: row, by: Project.author)
        }
        #expect(refusal.cause.reason == .unavailable && !refusal.isOutdated)
    }
}
