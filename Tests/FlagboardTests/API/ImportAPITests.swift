import FeatureFlags
import FlagChanges
import FlagHistory
import Foundation
import HTTPTypes
import Testing

@testable import Flagboard

@Suite("Imports by programs")
struct ImportAPITests {
    private func fixture(_ role: ChangeAuthor.Role = .admin) throws -> DashboardFixture {
        try DashboardFixture(
            "<key>count</key><integer>3</integer><key>old</key><integer>1</integer>",
            flags: [
                DashboardFixture.flag("count", "integer"), DashboardFixture.flag("other", "integer"),
                DashboardFixture.flag("old", "integer"),
                DashboardFixture.flag("fixed", "integer", "<key>isLocked</key><true/>"),
            ], role: role)
    }

    private func send(
        _ fixture: DashboardFixture, _ body: String, _ query: String = "", key: String? = nil
    ) async throws -> DashboardFixture.Answer {
        var headers: HTTPFields = [.contentType: "application/json"]
        if let key { headers[.idempotencyKey] = key }
        return try await fixture.ask(.post, "/api/v1/import\(query)", headers, body: body)
    }

    @Test("An import that is sent once more under its key gets the first answer, whatever the flags are by then")
    func repeated() async throws {
        let fixture = try fixture()
        let body = #"{"count": 9, "other": 4}"#
        let first = try await send(fixture, body, "?mode=replace", key: "one")
        #expect(first.status == 200 && first.body.contains(#""fate":"removed""#))
        #expect(try await fixture.post("/flags/count", ["action": "set", "value": "5"]).status == 303)
        let rows = try fixture.rows().count
        let again = try await send(fixture, body, "?mode=replace", key: "one")
        #expect(again.status == 200)
        func fates(_ answer: DashboardFixture.Answer) throws -> Set<String> {
            let document = try JSONSerialization.jsonObject(with: Data(answer.body.utf8)) as? [String: Any]
            let flags = try #require(document?["flags"] as? [[String: Any]])
            return Set(flags.map { "\($0["key"] ?? "") \($0["fate"] ?? "")" })
        }
        #expect(try fates(first) == ["count changed", "other added", "old removed"])
        #expect(try fates(again) == fates(first))
        #expect(try fixture.rows().count == rows)
        #expect(try await fixture.get("/api/v1/flags/count").body.contains("\"value\":5"))
    }

    @Test(
        "Under a key that named another import, nothing is imported",
        arguments: [
            (#"{"count": 8}"#, ""), (#"{"count": 9}"#, "?mode=create"), (#"{"count": 9}"#, "?reason=why"),
        ])
    func reused(body: String, query: String) async throws {
        let fixture = try fixture()
        #expect(try await send(fixture, #"{"count": 9}"#, key: "one").status == 200)
        let answer = try await send(fixture, body, query, key: "one")
        #expect(answer.status == 422 && answer.body.contains("Idempotency-Key already used"))
        #expect(try fixture.rows().count == 1)
    }

    @Test("An import that changes nothing has its answer kept too")
    func nothing() async throws {
        let fixture = try fixture()
        #expect(try await send(fixture, #"{"count": 3}"#, key: "one").status == 200)
        #expect(try await fixture.post("/flags/count", ["action": "set", "value": "5"]).status == 303)
        let again = try await send(fixture, #"{"count": 3}"#, key: "one")
        #expect(again.body.contains(#""fate":"same""#))
        #expect(try fixture.rows().count == 1)
    }

    @Test(
        "A refused import is in the history: by its author's role, flag by flag, and by a lock",
        arguments: [
            ChangeAuthor.Role.viewer, .editor, .admin,
        ])
    func denied(role: ChangeAuthor.Role) async throws {
        let fixture = try fixture(role)
        let answer = try await send(fixture, #"{"count": 9, "fixed": 4, "none": 1}"#, "?reason=mine")
        #expect(answer.status == (role == .admin ? 423 : 403))
        let rows = try fixture.rows().map(\.event)
        #expect(rows.allSatisfy { $0.kind == .denied && $0.origin == .import && $0.reason.contains("mine") })
        #expect(Set(rows.map(\.key.text)) == (role == .admin ? ["fixed"] : ["count", "fixed"]))
        #expect(try await send(fixture, #"{"count": 9}"#, "?preview=true").status == (role == .admin ? 200 : 403))
        #expect(try fixture.rows().count == rows.count)
    }
}
