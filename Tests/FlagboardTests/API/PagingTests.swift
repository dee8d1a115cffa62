import FlagChanges
import Foundation
import HTTPTypes
import Testing

@testable import Flagboard

@Suite("Lists in parts")
struct PagingTests {
    private static let keys = ["a", "b/one", "b/two", "c", "d", "e"]

    private func fixture() throws -> DashboardFixture {
        try DashboardFixture("<key>c</key><true/>", flags: Self.keys.map { DashboardFixture.flag($0, "bool") })
    }

    private func json(_ fixture: DashboardFixture, _ path: String) async throws -> [String: Any] {
        let answer = try await fixture.get(path)
        #expect(answer.status == 200, "\(path): \(answer.body)")
        return try #require(try JSONSerialization.jsonObject(with: Data(answer.body.utf8)) as? [String: Any])
    }

    private func keys(_ list: [String: Any]) throws -> [String] {
        try #require(list["flags"] as? [[String: Any]]).compactMap { $0["key"] as? String }
    }

    @Test(
        "The parts of a list are the list, whatever their size, order and filter",
        arguments: ["sort=order", "sort=key", "sort=changed", "group=b&sort=key", "state=no-value"], [1, 2, 4, 6, 1000])
    func parts(query: String, limit: Int) async throws {
        let fixture = try fixture()
        for key in ["d", "a"] {
            #expect(try await fixture.post("/flags/\(key)", ["action": "set", "value": "true"]).status == 303)
        }
        let all = try keys(try await json(fixture, "/api/v1/flags?\(query)"))
        var found: [String] = []
        var after: String? = ""
        while let last = after {
            let part = try await json(
                fixture, "/api/v1/flags?\(query)&limit=\(limit)\(last.isEmpty ? "" : "&after=\(PageLink.encode(last))")"
            )
            let some = try keys(part)
            #expect(!some.isEmpty && some.count <= limit)
            found += some
            after = part["after"] as? String
            #expect(after == nil || after == some.last)
        }
        #expect(found == all && !all.isEmpty)
    }

    @Test(
        "A list goes on behind a flag that it does not hold any more, and says so where it can't be told where that was"
    )
    func gone() async throws {
        let fixture = try fixture()
        // The flag c is on, so that this list holds it no more.
        #expect(
            try keys(try await json(fixture, "/api/v1/flags?state=no-value&after=c")) == ["d", "e", "b/one", "b/two"])
        #expect(try keys(try await json(fixture, "/api/v1/flags?sort=key&after=bb")) == ["c", "d", "e"])
        #expect(try keys(try await json(fixture, "/api/v1/flags?sort=key&after=z")) == [])
        let answer = try await fixture.get("/api/v1/flags?after=bb")
        #expect(answer.status == 400 && answer.body.contains("sort=key"))
    }

    @Test(
        "What can't be read of a query, or means nothing, is refused",
        arguments: [
            "flags?limit=0", "flags?limit=1001", "flags?limit=x", "flags?limit=1.0", "flags?after=~2", "flags?after=",
            "flags?state=", "history?kind=", "flags?sate=on",
            "flags?page=2", "definitions?limit=-1", "history?limit=0", "history?kinds=set", "history?limit=x",
        ])
    func refused(path: String) async throws {
        let answer = try await fixture().get("/api/v1/\(path)")
        #expect(answer.status == 400)
        #expect(answer.headers[.contentType] == "application/problem+json")
    }

    @Test("The history comes in parts of the size that is asked for")
    func history() async throws {
        let fixture = try fixture()
        for value in ["true", "false", "true"] {
            #expect(try await fixture.post("/flags/a", ["action": "set", "value": value]).status == 303)
        }
        let first = try await json(fixture, "/api/v1/history?limit=2")
        #expect((first["changes"] as? [[String: Any]])?.compactMap { $0["id"] as? Int } == [3, 2])
        #expect(first["before"] as? Int == 2)
        let last = try await json(fixture, "/api/v1/history?limit=2&before=2")
        #expect((last["changes"] as? [[String: Any]])?.compactMap { $0["id"] as? Int } == [1])
        #expect(last["before"] == nil)
    }

    @Test("Each provider tells its name, what it is, whether it can be changed, and how many flags it holds")
    func providers() async throws {
        let fixture = try DashboardFixture(
            "<key>on</key><true/><key>n</key><string>x</string><key>hidden</key><true/>",
            flags: [
                DashboardFixture.flag("on", "bool"), DashboardFixture.flag("n", "integer"),
                DashboardFixture.flag("hidden", "bool", "<key>isInternal</key><true/>"),
            ], team: "<key>on</key><false/>")
        let list = try #require(try await json(fixture, "/api/v1/providers")["providers"] as? [[String: Any]])
        #expect(list.map { $0["name"] as? String } == ["Local", "Team"])
        #expect(list.map { $0["count"] as? Int } == [2, 1])
        #expect(list.allSatisfy { $0["kind"] as? String == "file" && $0["isWritable"] as? Bool == true })
    }

    @Test("Each download of the export page is to be had by its name, with the same bytes, and no other name")
    func exports() async throws {
        let fixture = try fixture()
        #expect(try await fixture.post("/flags/a", ["action": "set", "value": "true"]).status == 303)
        for route in Route.downloads {
            let page = try await fixture.get(route.path)
            let answer = try await fixture.get("/api/v1/export/\(route.fileName)")
            #expect(answer.status == 200 && answer.body == page.body, "\(route.path)")
            #expect(answer.headers[.contentType] == page.headers[.contentType])
        }
        #expect(try await fixture.get("/api/v1/export/flags.xml?state=on").body.contains("<key>a</key>"))
        let refused = try await fixture.get("/api/v1/export/flags.yaml")
        #expect(refused.status == 404 && refused.body.contains("history.jsonl"))
        #expect(try await fixture.get("/api/v1/export/flags.xml?state=odd").status == 400)
    }
}
