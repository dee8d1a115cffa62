import FeatureFlags
import FlagChanges
import Foundation
import HTTPTypes
import Testing

@testable import Flagboard

@Suite("Flags that an app does not read from a file")
struct ExcludedProvidersTests {
    private static let path = EmbeddedFixture.path
    private static let headers: HTTPFields = [.contentType: "application/json", .ifMatch: "*"]

    /// An app with two files, both of which hold values of flags that are not read from the first, or from either.
    private func app() async throws -> EmbeddedFixture {
        let values = "<dict><key>page_size</key><integer>%</integer><key>theme</key><string>dark</string></dict>"
        return try await EmbeddedFixture(hasTeam: true) { folder in
            for (name, size) in [("flags.xml", "50"), ("team.xml", "20")] {
                try Data(DashboardFixture.plist(values.replacing("%", with: size)).utf8)
                    .write(to: folder.appending(path: name))
            }
        }
    }

    private func document(_ app: EmbeddedFixture, _ key: String) async throws -> [String: Any] {
        let body = try await app.ask("\(Self.path)/api/v1/flags/\(key)").body
        return try #require(try JSONSerialization.jsonObject(with: Data(body.utf8)) as? [String: Any])
    }

    @Test("What wins is what wins in the app, and what is not read is told as absent")
    func winner() async throws {
        let app = try await app()
        #expect(app.flags.pageSize == 20 && app.flags.theme == "plain")
        let size = try await document(app, "page_size")
        #expect(size["value"] as? Int == 20 && size["source"] as? String == "Team")
        let readings = try #require(size["providers"] as? [[String: Any]])
        let local = try #require(readings.first { $0["name"] as? String == "Local" })
        #expect(local["answer"] as? String == "absent" && local["revision"] == nil)
        let theme = try await document(app, "theme")
        #expect(theme["value"] as? String == "plain" && theme["source"] as? String == "default")
        let evaluation = try await app.ask(.post, "\(Self.path)/ofrep/v1/evaluate/flags/page_size", body: "{}")
        #expect(evaluation.body.contains("\"value\":20"))
    }

    @Test("An edit of such a value by another program changes nothing that is told")
    func edit() async throws {
        let app = try await app()
        #expect(try await document(app, "page_size")["value"] as? Int == 20)
        let local = try String(contentsOf: app.values, encoding: .utf8)
        try Data(local.replacing(">50<", with: ">60<").utf8).write(to: app.values)
        let size = try await document(app, "page_size")
        #expect(size["value"] as? Int == 20 && size["source"] as? String == "Team")
        #expect(try await app.ask("\(Self.path)/history").body.contains("page_size"))
        let then = try await app.ask("\(Self.path)/api/v1/compare?before=1&left=Local&show=all").body
        #expect(then.contains("\"difference\":\"neither\",\"key\":\"page_size\""))
    }

    @Test("A change that names no provider goes to the first that the flag is read from, and its page shows that one")
    func usual() async throws {
        let app = try await app()
        let flag = "\(Self.path)/flags/page_size"
        let page = try await app.ask(flag)
        #expect(page.field("provider") == "Team")
        #expect(page.body.contains("<span class=\"verdict\">Not read by the app</span>"))
        let note = "The app doesn’t read this flag from Local, so this form edits Team."
        #expect(try await app.ask("\(flag)?provider=Local").body.contains(note))
        let tag = try #require(try await app.ask("\(Self.path)/api/v1/flags/page_size").headers[.eTag])
        let change = try await app.ask(
            .put, "\(Self.path)/api/v1/flags/page_size", [.contentType: "application/json", .ifMatch: tag],
            body: "{\"value\":30}")
        #expect(change.status == 200)
        let team = try #require(app.manager.providers.first { $0.name == "Team" })
        try await team.refresh()
        #expect(app.flags.pageSize == 30)
        #expect(try String(contentsOf: app.values, encoding: .utf8).contains(">50<"))
    }

    @Test("A change in a provider that the flag is not read from is refused, with what would come of it")
    func refused() async throws {
        let app = try await app()
        let before = try Data(contentsOf: app.values)
        for (key, provider) in [("page_size", "Local"), ("theme", "Local"), ("theme", "Team")] {
            let answer = try await app.ask(
                .put, "\(Self.path)/api/v1/flags/\(key)?provider=\(provider)", Self.headers, body: "{\"text\":\"7\"}")
            #expect(answer.status == 422 && answer.body.contains("doesn't read \(key) from \(provider)"))
        }
        #expect(try Data(contentsOf: app.values) == before)
        #expect(try await app.ask("\(Self.path)/flags/theme").field("provider") == "Sale")
        let anywhere = try await app.ask(
            .put, "\(Self.path)/api/v1/flags/theme", Self.headers, body: "{\"text\":\"light\"}")
        #expect(anywhere.status == 200 && app.flags.theme == "light")
        #expect(try Data(contentsOf: app.values) == before)
    }

    @Test("An import leaves out such a flag where it may, and copying all that differ does too")
    func many() async throws {
        let app = try await app()
        let values = "{\"page_size\": 70, \"quick_checkout\": true}"
        let address = "\(Self.path)/api/v1/import?provider=Local&partial=true"
        let imported = try await app.ask(.post, address, [.contentType: "application/json"], body: values)
        #expect(imported.status == 200 && imported.body.contains("doesn't read page_size from Local"))
        #expect(app.flags.quickCheckout && app.flags.pageSize == 20)
        let page = try await app.ask("\(Self.path)/compare?left=Team&right=Local")
        #expect(page.body.contains("Can’t be copied to Local: the app doesn’t read it from there."))
        try app.flags.$deliveryFee.set(2.5, in: "Team")
        let copied = try await app.ask(
            .post, "\(Self.path)/compare", body: "left=Team&right=Local&show=different&copy=all-right")
        let preview = try await app.ask(try #require(copied.headers[.location])).body
        #expect(preview.contains("delivery_fee") && !preview.contains("page_size"))
    }
}
