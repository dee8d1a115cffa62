import FeatureFlags
import FlagChanges
import FlagHistory
import Foundation
import HTTPTypes
import Testing

@testable import Flagboard

@Suite("The last change of one's own")
struct OwnChangeTests {
    private func fixture(role: ChangeAuthor.Role = .editor) throws -> DashboardFixture {
        let flags =
            ["count", "limit"].map { DashboardFixture.flag($0, "integer") } + [
                DashboardFixture.flag("secret", "integer", "<key>internal</key><true/>")
            ]
        return try DashboardFixture(
            "<key>count</key><integer>1</integer><key>limit</key><integer>1</integer>", flags: flags, role: role)
    }

    /// Changes a flag as a person does on a page, or in another way.
    private func change(
        _ fixture: DashboardFixture, _ keys: [String], to value: Int128, by name: String = "ada",
        _ origin: HistoryRecord.Origin = .form
    ) async throws {
        _ = try await fixture.service.apply(
            ChangeRequest(
                keys.map { Change(key: Samples.key($0), action: .setValue(.integer(value))) },
                by: ChangeAuthor(name: name, role: .editor, origin: origin)))
    }

    /// What the foot of a page offers to undo: where the form goes, and what it sends.
    private func offer(_ page: String) -> (action: String, scope: String, meaning: String)? {
        let form =
            /<form class="own-change" method="post" action="([^"]*)"><input type="hidden" name="scope" value="(\w+)"><input type="hidden" name="confirm" value="no">.*aria-label="([^"]*)"/
        return page.firstMatch(of: form).map { (String($0.1), String($0.2), String($0.3)) }
    }

    @Test("Each page offers to undo it, after a look at that, and then the undoing")
    func offered() async throws {
        let fixture = try fixture()
        #expect(offer(try await fixture.get("/").body) == nil)
        #expect(try await fixture.post("/flags/count", ["action": "set", "value": "5"]).status == 303)
        for path in ["/", "/flags/limit", "/history", "/help", "/flags/none"] {
            let offer = try #require(offer(try await fixture.get(path).body), "\(path)")
            #expect(offer == ("/history/1/revert", "change", "Undo change 1 of Count"), "\(path)")
        }
        let list = try await fixture.get("/").body
        #expect(list.contains(#"Your last change here: <a href="/history/1"><bdi>Count</bdi></a>"#))
        let preview = try await fixture.preview("/history/1/revert", ["scope": "change", "confirm": "no"])
        #expect(preview.status == 200 && preview.body.contains("Revert change 1"))
        #expect(try fixture.rows().count == 1)
        #expect(try await fixture.post("/history/1/revert", ["scope": "change", "confirm": "yes"]).status == 303)
        #expect(offer(try await fixture.get("/").body)?.action == "/history/2/revert")
    }

    @Test("What others changed, and what came another way, is never offered, also where it came after")
    func others() async throws {
        let fixture = try fixture()
        try await change(fixture, ["count"], to: 5)
        try await change(fixture, ["limit"], to: 7, by: "bob")
        try await change(fixture, ["limit"], to: 8, .cli)
        try await change(fixture, ["limit"], to: 9, .api)
        #expect(offer(try await fixture.get("/").body)?.action == "/history/1/revert")
        // A later change in the way is named, and nothing is done.
        try await change(fixture, ["count"], to: 6, by: "bob")
        let own = try #require(offer(try await fixture.get("/").body))
        #expect(own.action == "/history/1/revert")
        let refused = try await fixture.preview(own.action, ["scope": "change", "confirm": "no"]).body
        #expect(refused.contains("was changed after change 1, so it won’t be reverted: change 5 by bob"))
        #expect(refused.contains(">No changes<"))
        #expect(try fixture.rows().count == 5)
        _ = try await fixture.service.apply(
            Change(key: Samples.key("limit"), action: .setValue(.integer(10))),
            by: ChangeAuthor(name: "ada", role: .admin, origin: .import))
        #expect(
            offer(try await fixture.get("/").body)?.action == "/history/6/revert", "an import is one's own change too")
    }

    @Test("Changes that were made together are undone together")
    func together() async throws {
        let fixture = try fixture()
        try await change(fixture, ["count", "limit"], to: 5)
        let page = try await fixture.get("/").body
        #expect(offer(page)?.scope == "batch" && offer(page)?.meaning == "Undo the batch of 2 changes")
        #expect(page.contains("<bdi>Batch of 2 changes</bdi>"))
    }

    @Test("A viewer has none, nor who may not undo it now, nor has an internal flag any")
    func none() async throws {
        let viewer = try fixture(role: .viewer)
        try await change(viewer, ["count"], to: 5)
        #expect(offer(try await viewer.get("/").body) == nil)
        let fixture = try fixture()
        try await change(fixture, ["count"], to: 5)
        let lock = Change(key: Samples.key("count"), action: .lock)
        _ = try await fixture.service.apply(lock, by: ChangeAuthor(name: "grace", role: .admin, origin: .form))
        #expect(offer(try await fixture.get("/").body) == nil)
    }
}
