import FeatureFlags
import FlagChanges
import FlagHistory
import Foundation
import HTTPTypes
import Testing

@testable import Flagboard

@Suite("Reverting and undoing by programs")
struct RevertAPITests {
    private func fixture(role: ChangeAuthor.Role = .admin) throws -> DashboardFixture {
        try DashboardFixture(
            "<key>speed</key><integer>3</integer>",
            flags: [
                DashboardFixture.flag("speed", "integer"), DashboardFixture.flag("dark", "bool"),
                DashboardFixture.flag("secret", "bool", "<key>isInternal</key><true/>"),
            ], role: role)
    }

    private func post(
        _ fixture: DashboardFixture, _ path: String, _ body: String, key: String? = nil
    ) async throws -> DashboardFixture.Answer {
        var headers: HTTPFields = [.contentType: "application/json"]
        if let key { headers[.idempotencyKey] = key }
        return try await fixture.ask(.post, path, headers, body: body)
    }

    private func set(_ fixture: DashboardFixture, _ key: String, _ value: String) async throws -> Int64 {
        let headers: HTTPFields = [.contentType: "application/json", .ifMatch: "*"]
        let answer = try await fixture.ask(.put, "/api/v1/flags/\(key)", headers, body: "{\"value\": \(value)}")
        #expect(answer.status == 200)
        return try #require(try fixture.rows().first).id
    }

    private func json(_ answer: DashboardFixture.Answer) throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: Data(answer.body.utf8)) as? [String: Any])
    }

    private func items(_ answer: DashboardFixture.Answer, _ name: String) throws -> [[String: Any]] {
        try #require(try json(answer)[name] as? [[String: Any]])
    }

    private func effective(_ fixture: DashboardFixture, _ key: String) async throws -> Any? {
        try json(try await fixture.get("/api/v1/flags/\(key)"))["value"]
    }

    @Test("A change is reverted by its number, after a preview that changes nothing")
    func revert() async throws {
        let fixture = try fixture()
        let id = try await set(fixture, "speed", "8")
        let path = "/api/v1/history/\(id)/revert"
        let preview = try await post(fixture, path, #"{"preview": true}"#)
        let planned = try #require(try items(preview, "changes").first)
        #expect(planned["before"] as? Int == 8 && planned["after"] as? Int == 3)
        #expect(try await effective(fixture, "speed") as? Int == 8)
        let answer = try await post(fixture, path, #"{"reason": "too fast"}"#)
        #expect(answer.status == 200)
        #expect(try items(answer, "outcomes").first?["outcome"] as? String == "applied")
        let row = try #require(try fixture.rows().first?.event)
        #expect(row.origin == .revert && row.reason == "Revert change \(id): too fast" && row.after == .integer(3))
    }

    @Test("A change that another came after is refused with 412 and what the flag is now")
    func conflict() async throws {
        let fixture = try fixture()
        let id = try await set(fixture, "speed", "8")
        _ = try await set(fixture, "speed", "9")
        let answer = try await post(fixture, "/api/v1/history/\(id)/revert", "{}")
        #expect(answer.status == 412)
        let conflict = try #require(try json(answer)["conflict"] as? [String: Any])
        #expect((conflict["theirs"] as? [String: Any])?["value"] as? Int == 9)
        #expect(try await effective(fixture, "speed") as? Int == 9)
    }

    @Test("With the scope batch, all changes are reverted that were made together")
    func batch() async throws {
        let fixture = try fixture()
        let changes = #"""
            {"changes": [{"key": "speed", "action": "set", "value": 5, "revision": "*"},
             {"key": "dark", "action": "set", "value": true, "revision": "*"}]}
            """#
        #expect(try await post(fixture, "/api/v1/batches", changes).status == 200)
        let id = try #require(try fixture.rows().first).id
        let one = try await post(fixture, "/api/v1/history/\(id)/revert", #"{"preview": true}"#)
        #expect(try items(one, "changes").map { $0["key"] as? String } == ["dark"])
        let answer = try await post(fixture, "/api/v1/history/\(id)/revert", #"{"scope": "batch"}"#)
        #expect(try items(answer, "outcomes").count == 2)
        #expect(try await effective(fixture, "speed") as? Int == 3)
        #expect(try await effective(fixture, "dark") == nil)
    }

    @Test("Undo reverts the sender's last change alone, and undone once more it is made again")
    func undo() async throws {
        let fixture = try fixture()
        #expect(try await post(fixture, "/api/v1/undo", "{}").status == 404)
        _ = try await set(fixture, "dark", "true")
        _ = try await set(fixture, "speed", "6")
        let other = ChangeAuthor(name: "grace", role: .admin, origin: .api)
        _ = try await fixture.service.apply(
            Change(key: Samples.key("dark"), action: .setText("false")), by: other)
        #expect(try await post(fixture, "/api/v1/undo", #"{"reason": "slip"}"#).status == 200)
        #expect(try await effective(fixture, "speed") as? Int == 3)
        #expect(try await effective(fixture, "dark") as? Bool == false)
        #expect(try await post(fixture, "/api/v1/undo", "{}").status == 200)
        #expect(try await effective(fixture, "speed") as? Int == 6)
    }

    @Test("An undo that is sent once more under its idempotency key is made once")
    func repeated() async throws {
        let fixture = try fixture()
        _ = try await set(fixture, "speed", "6")
        let first = try await post(fixture, "/api/v1/undo", "{}", key: "one")
        let again = try await post(fixture, "/api/v1/undo", "{}", key: "one")
        #expect(again.status == 200 && again.body == first.body)
        #expect(try await effective(fixture, "speed") as? Int == 3)
        #expect(try await post(fixture, "/api/v1/undo", #"{"reason": "x"}"#, key: "one").status == 422)
    }

    @Test("The rules of every change hold: role and lock; and what can't be reverted is 409")
    func rules() async throws {
        let fixture = try fixture()
        let id = try await set(fixture, "speed", "6")
        let lock = #"{"changes": [{"key": "speed", "action": "lock"}]}"#
        #expect(try await post(fixture, "/api/v1/batches", lock).status == 200)
        #expect(try await post(fixture, "/api/v1/history/\(id)/revert", "{}").status == 423)
        let denied = try #require(try fixture.rows().first)
        #expect(denied.event.kind == .denied)
        #expect(try await post(fixture, "/api/v1/history/\(denied.id)/revert", "{}").status == 409)
        #expect(try await post(fixture, "/api/v1/history/99/revert", "{}").status == 404)
        #expect(try await post(fixture, "/api/v1/history/\(id)/revert", #"{"scope": "all"}"#).status == 400)
        let viewer = try DashboardFixture(
            "<key>speed</key><integer>3</integer>", flags: [DashboardFixture.flag("speed", "integer")], role: .viewer)
        let author = ChangeAuthor(name: "grace", role: .admin, origin: .api)
        _ = try await viewer.service.apply(Change(key: Samples.key("speed"), action: .setText("4")), by: author)
        #expect(try await post(viewer, "/api/v1/history/1/revert", "{}").status == 403)
    }

    @Test("A flag that isn't there is answered with the one that was likely meant, and never with an internal one")
    func likely() async throws {
        let fixture = try DashboardFixture(
            "",
            flags: [
                DashboardFixture.flag("checkout/express_pay", "bool"), DashboardFixture.flag("ui/dark_mode", "bool"),
                DashboardFixture.flag("ui/secret_menu", "bool", "<key>isInternal</key><true/>"),
            ])
        let wanted = [
            "checkout/expres_pay": "Did you mean checkout/express_pay?", "dark_mode": "Did you mean ui/dark_mode?",
            "UI/darkMode": "Did you mean ui/dark_mode?",
        ]
        for (key, words) in wanted {
            let problem = try json(try await fixture.get("/api/v1/flags/\(key)"))
            #expect((problem["remedy"] as? String)?.hasPrefix(words) == true, "\(key)")
        }
        for key in ["ui/secret_men", "secret_menu", "nothing/like_it"] {
            let answer = try await fixture.get("/api/v1/flags/\(key)")
            #expect(answer.status == 404 && !answer.body.contains("Did you mean"), "\(key)")
        }
        let change = #"{"changes": [{"key": "ui/dark_mod", "action": "set", "value": true, "revision": "*"}]}"#
        let batch = try await post(fixture, "/api/v1/batches", change)
        #expect(batch.status == 404 && batch.body.contains("Did you mean ui/dark_mode?"))
    }
}
