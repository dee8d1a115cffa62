import FlagChanges
import Foundation
import HTTPTypes
import Testing

@testable import Flagboard

@Suite("What a dashboard says of the sources that it follows")
struct FollowedSourceTests {
    private static let now = Date(timeIntervalSince1970: 1_790_000_000)
    private static let address = "https://flags.example.org/team.json"
    private static let problem = ServiceProblem(text: "the response is not JSON", since: now.addingTimeInterval(-60))

    /// Serves a flag of the source's provider.
    private func fixture(_ sources: FollowedSource...) throws -> DashboardFixture {
        try DashboardFixture(
            "", flags: [DashboardFixture.flag("stop", "bool", "<key>default</key><false/>")],
            team: "<key>stop</key><true/>", isLocal: true, clock: { Self.now }
        ) { $0.sources = sources }
    }

    private func source(_ problem: ServiceProblem? = nil, isBroken: Bool = false) -> FollowedSource {
        FollowedSource(provider: "Team") {
            SourceStatus(
                source: Self.address, confirmed: Self.now.addingTimeInterval(-90), problem: problem,
                isBroken: isBroken)
        }
    }

    private func object(_ answer: DashboardFixture.Answer) throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: Data(answer.body.utf8)) as? [String: Any])
    }

    private func health(_ fixture: DashboardFixture) async throws -> [String: Any] {
        try object(try await fixture.get("/healthz"))
    }

    private func evaluation(_ fixture: DashboardFixture) async throws -> [String: Any] {
        try object(
            try await fixture.ask(
                .post, "/ofrep/v1/evaluate/flags/stop",
                [.secFetchSite: "same-origin", .contentType: "application/json"], body: "{}"))
    }

    @Test("A source that works needs no notice")
    func sound() async throws {
        let fixture = try fixture(source())
        #expect(try await !fixture.get("/").body.contains(Self.address + ":"))
        let health = try await health(fixture)
        #expect(health["status"] as? String == "ready")
        let state = try #require(health["replica"] as? [String: Any])
        #expect(state["age"] as? Int == 90 && state["failing"] as? Bool == false)
        let metrics = try await fixture.get("/metrics").body
        #expect(metrics.contains("flagboard_replica_failing{provider=\"Team\"} 0"))
        #expect(metrics.contains("flagboard_replica_age_seconds{provider=\"Team\"} 90"))
    }

    @Test("One that can't be reached has a notice, and its values stay good")
    func unreachable() async throws {
        let fixture = try fixture(source(Self.problem))
        let page = try await fixture.get("/").body
        #expect(page.contains("Can’t reach \(Self.address):") && page.contains("90 seconds ago"))
        let health = try await health(fixture)
        #expect(health["status"] as? String == "ready")
        let state = try #require(health["replica"] as? [String: Any])
        #expect(state["failing"] as? Bool == true && state["problem"] as? String == Self.problem.text)
        #expect(try await fixture.get("/metrics").body.contains("flagboard_replica_failing{provider=\"Team\"} 1"))
        #expect(try await evaluation(fixture)["reason"] as? String == "STATIC")
    }

    @Test("One without valid flags is a broken source everywhere")
    func broken() async throws {
        let fixture = try fixture(source(Self.problem, isBroken: true))
        let page = try await fixture.get("/").body
        #expect(page.contains("Can’t read \(Self.address):") && page.contains("until it has valid flags."))
        #expect(!page.contains("Can’t reach") && page.contains("Team (old)"))
        #expect(try await fixture.get("/flags/stop").body.contains("Last good value from Team"))
        let health = try await health(fixture)
        #expect(health["status"] as? String == "degraded" && health["unreadableFiles"] as? Int == 1)
        #expect(try await fixture.get("/metrics").body.contains("flagboard_unreadable_files 1"))
        let evaluation = try await evaluation(fixture)
        #expect(evaluation["value"] as? Bool == true && evaluation["reason"] as? String == "STALE")
        #expect((evaluation["metadata"] as? [String: Any])?["brokenSource"] as? String == "Team")
    }

    @Test("Beside a replica, each has its own notice and metrics, and /healthz has the one that fails")
    func replica() async throws {
        let server = "https://flags.example.org/"
        let replica = FollowedSource(provider: "main", definingServer: server) {
            SourceStatus(source: server, confirmed: Self.now)
        }
        let fixture = try fixture(replica, source(Self.problem))
        let page = try await fixture.get("/").body
        #expect(page.contains("Replica of \(server):") && page.contains("Can’t reach \(Self.address):"))
        let metrics = try await fixture.get("/metrics").body
        #expect(metrics.contains("flagboard_replica_failing 0"))
        #expect(metrics.contains("flagboard_replica_failing{provider=\"Team\"} 1"))
        #expect((try await health(fixture)["replica"] as? [String: Any])?["failing"] as? Bool == true)
    }
}
