import FeatureFlags
import Foundation
import Synchronization
import Testing

@testable import FlagChanges

@Suite("A provider whose file is kept up to date from another machine")
struct FollowedSourceTests {
    private static let source = "https://flags.example.org/team.json"
    private static let problem = ServiceProblem(text: "the response is not JSON", since: Project.now)
    private static let fee = FlagKeyPath.of("fee")

    private let project: Project
    private let log = Log()
    private let service: ChangeService
    private let status = Status()

    /// What a follower says.
    private final class Status: Sendable {
        private let current = Mutex(SourceStatus(source: FollowedSourceTests.source))

        var value: SourceStatus {
            get { current.withLock(\.self) }
            set { current.withLock { $0 = newValue } }
        }
    }

    init() throws {
        project = try Project(
            values: Project.plist(""),
            manifest: Project.manifest([("fee", "integer", "<key>default</key><integer>1</integer>")]))
        let copy = project.folder.appending(path: "flags.Team.json.xml")
        try Data(Project.plist("<key>fee</key><integer>7</integer>").utf8).write(to: copy)
        var options = ChangeService.Options(clock: { Project.now }, log: log.add)
        options.sources = [FollowedSource(provider: "Team") { [status] in status.value }]
        service = try ChangeService(
            files: FlagFiles(
                values: project.file,
                others: [.init(name: "Team", url: copy, isWritable: false, origin: Self.source)]),
            options: options)
    }

    private func resolution() async throws -> FlagResolution {
        try #require(try await service.overview().catalogue[Self.fee]?.resolution)
    }

    @Test("If its answers hold no flags, the last good ones count, marked as stale, until it has some again")
    func broken() async throws {
        let sound = try await service.overview()
        #expect(try await resolution().isStale == false && sound.fileProblems.isEmpty)
        status.value = SourceStatus(source: Self.source, problem: Self.problem, isBroken: true)
        let stale = try await resolution()
        #expect(stale.effectiveValue == .integer(7) && stale.isStale)
        #expect(stale.brokenSources.map(\.provider) == ["Team"])
        let overview = try await service.overview()
        #expect(
            overview.fileProblems.map(\.description) == ["Can't read \(Self.source): the response is not JSON."])
        #expect(overview.version != sound.version && overview.flags.wholeVersion == nil)
        #expect(await service.health().unreadableFiles == 1)
        // The follower has logged it.
        #expect(log.lines.isEmpty)
        status.value = SourceStatus(source: Self.source)
        #expect(try await resolution().isStale == false)
        #expect(try await service.overview().version == sound.version)
    }

    @Test("If it can't be reached, its flags stay good")
    func unreachable() async throws {
        status.value = SourceStatus(source: Self.source, problem: Self.problem)
        let reached = try await resolution()
        #expect(reached.effectiveValue == .integer(7) && !reached.isStale)
        #expect(await service.health().unreadableFiles == 0)
    }

    @Test("Other changes are made meanwhile")
    func change() async throws {
        status.value = SourceStatus(source: Self.source, problem: Self.problem, isBroken: true)
        _ = try await service.apply(Change(key: Self.fee, action: .setText("3")), by: Project.author)
        let local = try await resolution()
        #expect(local.effectiveValue == .integer(3) && !local.isStale)
    }

    @Test("Pages hear of a source that breaks while its file stays as it is", .timeLimit(.minutes(1)))
    func updates() async throws {
        var updates = try await service.updates().makeAsyncIterator()
        let watch = Task { await service.watch() }
        status.value = SourceStatus(source: Self.source, problem: Self.problem, isBroken: true)
        await service.lookSoon()
        #expect(await updates.next()?.changesObstacles == true)
        watch.cancel()
        await watch.value
    }
}
