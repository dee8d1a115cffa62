import FeatureFlags
import FlagHistory
import Foundation
import Testing

@testable import Flagboard

@Suite("Page of a change")
struct ChangePageTests {
    @Test("Changes that were applied together are listed with each other, internal ones left out")
    func batch() async throws {
        let secret = DashboardFixture.flag("secret", "integer", "<key>isInternal</key><true/>")
        let fixture = try DashboardFixture(
            "<key>a</key><integer>1</integer><key>b</key><integer>1</integer><key>secret</key><integer>1</integer>",
            flags: [secret])
        let text = try String(contentsOf: fixture.file, encoding: .utf8)
        try Data(text.replacing("<integer>1", with: "<integer>2").utf8).write(to: fixture.file)
        _ = try await fixture.get("/")
        let first = try #require(try fixture.rows().last)
        #expect(first.event.key.text == "a")
        let page = try await fixture.get("/history/\(first.id)").body
        #expect(page.contains("Same batch"))
        #expect(page.contains("href=\"/flags/b\"") && !page.contains("secret"))
    }

    @Test("What only a check of the history needs is folded away")
    func details() throws {
        let page = ChangePage(frame: Samples.frame(), record: Samples.history[0], view: Samples.view())
        let html = try Samples.pageSet.templates.html(of: page)
        let fold = try #require(html.firstRange(of: "<summary>Technical details</summary>")).lowerBound
        let hash = try #require(html.firstRange(of: Samples.history[0].hash.hexadecimal)).lowerBound
        #expect(fold < hash)
        #expect(!page.facts.contains { $0.text == Samples.history[0].event.batch.uuidString })
    }

    @Test("A change of what the manifest says is called that, and one of a group is no link to a flag")
    func manifest() async throws {
        let group = "<dict><key>key</key><string>list</string><key>name</key><string>List</string></dict>"
        let fixture = try DashboardFixture(
            "<key>list</key><dict><key>a</key><true/></dict>", flags: [DashboardFixture.flag("list/a", "bool")],
            collections: [group])
        let text = try String(contentsOf: fixture.manifest, encoding: .utf8)
        try Data(text.replacing("<string>List<", with: "<string>Lists<").utf8).write(to: fixture.manifest)
        let page = try await fixture.get("/history").body
        #expect(page.contains("changed the definition of <code dir=\"auto\">list</code>"))
        #expect(!page.contains("href=\"/flags/list\""))
    }

    @Test("The history says once that and why a flag is deprecated, and that this ended")
    func deprecation() async throws {
        let fixture = try DashboardFixture("<key>a</key><true/>", flags: [DashboardFixture.flag("a", "bool")])
        func edit(_ old: String, _ new: String) async throws -> String {
            let text = try String(contentsOf: fixture.manifest, encoding: .utf8)
            try Data(text.replacing(old, with: new).utf8).write(to: fixture.manifest)
            return try await fixture.get("/history").body
        }
        let retired = "<key>retired</key><string>Everybody has it</string>"
        let deprecated = try await edit("<key>type</key>", retired + "<key>type</key>")
        #expect(deprecated.contains("</bdi> deprecated <a"))
        #expect(deprecated.matches(of: /<bdi>Everybody has it<\/bdi>/).count == 1)
        #expect(!deprecated.contains("side-after") && !deprecated.contains("change-field"))
        let other = HistoryRow(
            Samples.record(
                3, "a", .redefine, before: .dictionary([:]), after: .dictionary(["retired": .string("Old")]),
                reason: "Spring cleaning", provider: nil))
        #expect(other.reason == "Spring cleaning" && other.field == "retired")
        #expect(other.after?.plain.contains("Old") == true)
        let ended = try await edit(retired, "")
        #expect(ended.contains("</bdi> ended the deprecation of <a"))
    }
}
