import FeatureFlags
import FeatureFlagsRemote
import FlagChanges
import FlagHistory
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Logging
import Testing

@testable import Flagboard

@Suite("What each way out of a server says while a values file is broken")
struct BrokenSourceTests {
    /// A row of the table: what the file holds before and after, and what is said of the flag `stop` then.
    struct Case: CustomTestStringConvertible, Sendable {
        let testDescription: String
        var sound: String? = "<key>stop</key><true/><key>other</key><integer>1</integer>"
        /// What the file holds afterwards, `nil` where it is gone.
        let after: String?
        var flags: [String]? = [DashboardFixture.flag("stop", "bool", "<key>default</key><false/>")]
        var value: Bool?
        var reason: String?
    }

    private static let mistyped = DashboardFixture.plist(
        "<dict><key>stop</key><string>x</string><key>other</key><integer>1</integer></dict>")
    private static let cut = "<plist version=\"1.0\"><dict><key>stop</key>"

    static let cases = [
        Case(testDescription: "unreadable", after: cut, value: true, reason: "STALE"),
        Case(testDescription: "unreadable, without a manifest", after: cut, flags: nil, value: true, reason: "STALE"),
        Case(testDescription: "missing", after: nil, value: true, reason: "STALE"),
        Case(testDescription: "mistyped", after: mistyped, value: true, reason: "STALE"),
        Case(testDescription: "never good", sound: "", after: mistyped, value: false, reason: "DEFAULT"),
        Case(
            testDescription: "absent when it could last be read", sound: "<key>other</key><true/>", after: cut,
            value: false, reason: "DEFAULT"),
        Case(
            testDescription: "nothing known of the flag", sound: "", after: mistyped,
            flags: [DashboardFixture.flag("stop", "bool")]),
    ]

    private func fixture(_ row: Case) async throws -> DashboardFixture {
        let fixture = try DashboardFixture(row.sound ?? "", flags: row.flags)
        #expect(try await evaluate(fixture).status == 200)
        if let after = row.after {
            try Data(after.utf8).write(to: fixture.file, options: .atomic)
        } else {
            try FileManager.default.removeItem(at: fixture.file)
        }
        return fixture
    }

    private func evaluate(_ fixture: DashboardFixture, _ key: String = "") async throws -> DashboardFixture.Answer {
        try await fixture.ask(
            .post, "/ofrep/v1/evaluate/flags\(key)", [.secFetchSite: "same-origin", .contentType: "application/json"],
            body: "{}")
    }

    private func object(_ answer: DashboardFixture.Answer) throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: Data(answer.body.utf8)) as? [String: Any])
    }

    /// Holds an evaluation against the row.
    private func expect(_ evaluation: [String: Any], _ row: Case) {
        #expect(evaluation["value"] as? Bool == row.value)
        #expect(evaluation["reason"] as? String == row.reason)
        #expect((evaluation["errorCode"] as? String) == (row.value == nil ? "GENERAL" : nil))
        let metadata = evaluation["metadata"] as? [String: Any]
        #expect(metadata?["brokenSource"] as? String == "Local")
        #expect((metadata?["problem"] as? String)?.isEmpty == false)
    }

    @Test("By OpenFeature's protocol: one flag, all flags", arguments: cases)
    func evaluations(_ row: Case) async throws {
        let fixture = try await fixture(row)
        let one = try await evaluate(fixture, "/stop")
        #expect(one.status == (row.value == nil ? 503 : 200))
        expect(try object(one), row)
        let all = try await evaluate(fixture)
        #expect(all.status == 200)
        let flags = try #require(try object(all)["flags"] as? [[String: Any]])
        expect(try #require(flags.first { $0["key"] as? String == "stop" }), row)
    }

    @Test("By the API: the flag, the list, and the effective values", arguments: cases)
    func documents(_ row: Case) async throws {
        let fixture = try await fixture(row)
        let flag = try object(try await fixture.get("/api/v1/flags/stop"))
        let listed = try #require(try object(try await fixture.get("/api/v1/flags"))["flags"] as? [[String: Any]])
        for document in [flag, try #require(listed.first { $0["key"] as? String == "stop" })] {
            #expect(document["value"] as? Bool == row.value)
            #expect(document["isStale"] as? Bool == (row.reason == "STALE" ? true : nil))
            #expect(document["brokenSources"] as? [String] == ["Local"])
            let reading = try #require((document["providers"] as? [[String: Any]])?.first)
            #expect(reading["answer"] as? String == "broken" && reading["problem"] as? String != nil)
            #expect(reading["lastGood"] as? Bool == (row.reason == "STALE" ? true : nil))
        }
        for format in ["json", "xml"] {
            let export = try await fixture.get("/api/v1/export/effective.\(format)")
            #expect(export.status == 200 && export.headers[.brokenSources]?.hasPrefix("{\"Local\":\"") == true)
            let value = row.value.map { format == "xml" ? "<\($0)/>" : "\"stop\": \($0)" }
            if let value { #expect(export.body.contains(value)) } else { #expect(!export.body.contains("stop")) }
        }
    }

    @Test("By what a replica takes", arguments: cases)
    func snapshot(_ row: Case) async throws {
        let fixture = try await fixture(row)
        let answer = try await fixture.get("/api/v1/snapshot")
        #expect(answer.status == 200 && answer.headers[.eTag] != nil)
        let document = try object(answer)
        #expect((document["broken"] as? [String: String])?["stop"]?.isEmpty == false)
        #expect((document["values"] as? String)?.contains("<key>stop</key>") == (row.reason == "STALE"))
        let again = try await fixture.ask(.get, "/api/v1/snapshot", [.ifNoneMatch: try #require(answer.headers[.eTag])])
        #expect(again.status == 304)
    }

    @Test("On its pages", arguments: cases)
    func pages(_ row: Case) async throws {
        let fixture = try await fixture(row)
        let (list, page) = (try await fixture.get("/").body, try await fixture.get("/flags/stop").body)
        let start = try #require(list.range(of: "data-flag=\"stop\""))
        let end = try #require(list[start.upperBound...].range(of: "</li>"))
        #expect(list[start.upperBound..<end.lowerBound].contains("Local (old)") == (row.reason == "STALE"))
        #expect(page.contains("Last good value from Local") == (row.reason == "STALE"))
        #expect(try await fixture.get("/export/flags.txt").headers[.brokenSources]?.contains("Local") == true)
    }

    @Test("A provider of an app that follows the server has the value of each row, marked alike", arguments: cases)
    func follower(_ row: Case) async throws {
        let fixture = try await fixture(row)
        let (hosts, service) = (HostAllowList(), fixture.service)
        let dashboard = try Dashboard(
            service: service, access: .open(as: Dashboard.Person(name: "ada", role: .editor)), hosts: hosts)
        try await Application(router: dashboard.router(logger: Logger(label: "test"))).test(.live) { client in
            let port = try #require(client.port)
            hosts.allow(host: "127.0.0.1", port: port)
            let provider = try RemoteProvider("http://127.0.0.1:\(port)", shape: .ofrep)
            try await provider.setUp()
            let flags = FlagsLoader(Followed.self, providers: [provider])
            // Its own default stands where the server knows nothing.
            #expect(flags.stop == row.value ?? true)
            let resolution = flags.$stop.explain().resolution
            #expect(resolution.isStale == (row.reason == "STALE"))
            #expect(resolution.brokenSources.isEmpty == (row.reason == "DEFAULT"))
            await provider.tearDown()
        }
        withExtendedLifetime(fixture) {}
    }

    @Test("The default of a sound file is a default, and what a provider holds is not", arguments: [nil, true, false])
    func sound(_ held: Bool?) async throws {
        let fixture = try DashboardFixture(
            held.map { "<key>stop</key><\($0)/>" } ?? "",
            flags: [DashboardFixture.flag("stop", "bool", "<key>default</key><false/>")])
        let found = try object(try await evaluate(fixture, "/stop"))
        #expect(found["reason"] as? String == (held == nil ? "DEFAULT" : "STATIC"))
        #expect((found["metadata"] as? [String: Any])?["brokenSource"] == nil)
        let document = try object(try await fixture.get("/api/v1/flags/stop"))
        #expect(document["isStale"] == nil && document["brokenSources"] == nil)
        #expect(try await fixture.get("/api/v1/export/effective.json").headers[.brokenSources] == nil)
        #expect(try await fixture.get("/export/flags.txt").headers[.brokenSources] == nil)
    }

    @Test("Where no flag is known, all evaluations and the list are refused rather than empty")
    func nothingKnown() async throws {
        let fixture = try DashboardFixture("", flags: nil)
        try Data(Self.cut.utf8).write(to: fixture.file, options: .atomic)
        let all = try await evaluate(fixture)
        #expect(try all.status == 503 && object(all)["errorCode"] as? String == "GENERAL")
        #expect(try await fixture.get("/api/v1/flags").status == 503)
        try Data(DashboardFixture.plist("<dict/>").utf8).write(to: fixture.file, options: .atomic)
        #expect(try await evaluate(fixture).status == 200)
    }
}

private struct Followed: FlagCollectionProtocol {
    @Flag(default: true, description: "Whether orders are stopped")
    var stop: Bool
}
