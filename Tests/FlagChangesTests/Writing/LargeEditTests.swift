import FeatureFlags
import FlagHistory
import Foundation
import Testing

@testable import FlagChanges

@Suite("Large edits from outside", .timeLimit(.minutes(10)))
struct LargeEditTests {
    let project: Project
    private static let limit = FlagKeyPath.of("checkout", "limit")
    private static let edited = Project.values.replacingOccurrences(of: "<integer>5<", with: "<integer>8<")

    init() throws { project = try Project() }

    /// A service to which every edit is a large one.
    private func service(
        recorded: @escaping @Sendable () -> Void = {}, halfWrittenPatience: Duration = .zero,
        patienceOfReaders: Duration = .zero, busyTimeout: Duration = .seconds(5)
    ) throws -> ChangeService {
        var options = ChangeService.Options(clock: { Project.now })
        (options.largestEditAtOnce, options.patienceOfReaders) = (0, patienceOfReaders)
        (options.halfWrittenPatience, options.busyTimeout) = (halfWrittenPatience, busyTimeout)
        options.recorded = { _ in recorded() }
        return try project.service(options)
    }

    private func value(_ service: ChangeService) async throws -> FlagValue? {
        try await service.shownFlags().catalogue[Self.limit]?.resolution.effectiveValue
    }

    private func set(_ service: ChangeService, _ key: FlagKeyPath, _ text: String) async throws -> ChangeOutcome {
        try await service.apply(Change(key: key, action: .setText(text)), by: Project.author)
    }

    @Test("Until it is recorded, everybody sees the last state and is told so, and afterwards the new one")
    func showsLastState() async throws {
        let gate = Gate()
        let service = try service(recorded: gate.pass)
        try project.write(Self.edited)
        #expect(try await value(service) == .integer(5))
        await gate.waitUntilReached()
        // The rows are in the history by now, and are no one's to see yet.
        #expect(try service.history.chainHead().id == 1)
        for _ in 1...2 {
            let overview = try await service.overview()
            #expect(overview.catalogue[Self.limit]?.resolution.effectiveValue == .integer(5))
            #expect(overview.lastRow == 0)
            #expect(overview.fileProblems == [LargeEdit.fileProblem])
            #expect(try await service.lastShownRow() == 0)
        }
        let health = await service.health()
        #expect(health.isReady && !health.takesChanges && health.unreadableFiles == 0)
        gate.open()
        try await until { try await value(service) == .integer(8) }
        #expect(try await service.fileProblems().isEmpty)
        #expect(await service.health().takesChanges)
        #expect(try service.rows().map(\.event.after) == [.integer(8)])
    }

    @Test("A reader with patience sees the new state at once, as of a small edit")
    func waitsALittle() async throws {
        let service = try service(patienceOfReaders: .seconds(600))
        try project.write(Self.edited)
        #expect(try await value(service) == .integer(8))
        try project.write(Self.edited.replacingOccurrences(of: "<integer>8<", with: "<integer>9<"))
        #expect(try await service.overview().catalogue[Self.limit]?.resolution.effectiveValue == .integer(9))
        #expect(try service.rows().map(\.event.before) == [.integer(5), .integer(8)])
    }

    @Test("A change waits for it, and is made on top of it")
    func changesOnTop() async throws {
        let gate = Gate()
        let service = try service(recorded: gate.pass)
        try project.write(Self.edited)
        _ = try await value(service)
        await gate.waitUntilReached()
        async let outcome = set(service, .of("checkout", "enabled"), "false")
        gate.open()
        #expect(try await outcome != .unchanged)
        #expect(try project.text().contains("<integer>8<") && project.text().contains("<false/>"))
        #expect(try service.rows().map(\.event.kind) == [.external, .set])
    }

    @Test("A change that has waited for long enough is refused with the reason, and can be made later")
    func refusesChange() async throws {
        let gate = Gate()
        let service = try service(recorded: gate.pass, busyTimeout: .zero)
        try project.write(Self.edited)
        _ = try await value(service)
        await gate.waitUntilReached()
        let refusal = try await #require(throws: ChangeError.self) { try await set(service, Self.limit, "6") }
        #expect(refusal.reason == .unavailable && refusal.description.contains("still being recorded"))
        #expect(try project.text() == Self.edited)
        gate.open()
        await until { await service.health().takesChanges }
        _ = try await set(service, Self.limit, "6")
    }

    @Test("A file that is half written is waited for, and taken up once it is whole")
    func halfWritten() async throws {
        let service = try service(halfWrittenPatience: .seconds(600), patienceOfReaders: .seconds(600))
        try Data(Self.edited.prefix(200).utf8).write(to: project.file)
        async let seen = value(service)
        let watching = Task { await service.watch() }
        defer { watching.cancel() }
        await until { await service.served.awaited != nil }
        try Data(Self.edited.utf8).write(to: project.file)
        #expect(try await seen == .integer(8))
        #expect(try service.rows().map(\.event.after) == [.integer(8)])
    }

    @Test("An edit that leaves the size as it is, soon after a change, is a large one too")
    func sameSize() async throws {
        let service = try service(patienceOfReaders: .seconds(600))
        _ = try await set(service, Self.limit, "6")
        #expect(try await value(service) == .integer(6))
        #expect(try service.rows().map(\.event.kind) == [.set])
        try project.write(project.text().replacingOccurrences(of: "<integer>6<", with: "<integer>7<"))
        #expect(try await value(service) == .integer(7))
        #expect(try service.rows().map(\.event.kind) == [.set, .external])
    }

    @Test("Thousands of flags that come with one edit are rows of one batch, sound, and found by what they say")
    func thousands() async throws {
        let service = try service(patienceOfReaders: .seconds(600))
        let count = 1_234
        let added = (1...count).map { "<key>added\(String(format: "%05d", $0))</key><string>word\($0)</string>" }
        try project.write(Project.plist(added.joined(separator: "\n")))
        let overview = try await service.overview()
        #expect(overview.catalogue[.of("added01234")]?.resolution.effectiveValue == .string("word1234"))
        for (word, key) in [("word1000", "added01000"), ("word1001", "added01001"), ("word1234", "added01234")] {
            let found = try service.history.page(HistoryQuery(text: word, limit: 10)).records
            #expect(found.map(\.event.key.text) == [key])
        }
        let rows = try service.history.records(matching: HistoryQuery(), after: 0, limit: 2 * count)
        #expect(rows.count(where: { $0.event.before == nil }) == count)
        #expect(Set(rows.map(\.event.batch)).count == 1)
        let audit = try HistoryAudit.run(service.files)
        guard case .sound = audit else {
            Issue.record("\(audit)")
            return
        }
    }
}
