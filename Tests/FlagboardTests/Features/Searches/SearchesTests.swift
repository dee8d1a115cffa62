import DurableFiles
import FlagChanges
import Foundation
import HTTPTypes
import Testing

@testable import Flagboard

@Suite("Saved searches")
struct SearchesTests {
    private static let save: KeyValuePairs = ["action": "save", "name": "What is on", "query": "state=on&q=a"]

    @Test("A saved search is a tab of the list, in the palette of every page, and in no history")
    func saving() async throws {
        let fixture = try DashboardFixture("<key>a</key><true/>")
        let saved = try await fixture.post("/searches", Self.save)
        #expect(saved.status == 303)
        let address = try #require(saved.headers[.location])
        #expect(address.hasPrefix("/?q=a&state=on&noted="))
        #expect(try await fixture.get(address).body.contains("Saved as “What is on”."))
        for path in ["/history", "/settings", "/flags/a", "/nowhere"] {
            let page = try await fixture.get(path).body
            let palette = try #require(page.firstMatch(of: /<template id="further-pages">.*<\/template>/)?.output)
            #expect(palette.contains(#"<a href="/?q=a&amp;state=on">What is on</a>"#), "\(path)")
        }
        let view = #"<a class="tab" href="/?q=a&amp;state=on" dir="auto">What is on</a>"#
        #expect(try await fixture.get("/").body.contains(view))
        let list = try await fixture.get("/?q=a&state=on").body
        #expect(list.contains(#"<span class="tab" aria-current="true" dir="auto">What is on</span>"#))
        #expect(!list.contains(view) && !list.contains("Save this search"))
        #expect(try await fixture.get("/?q=a&state=off").body.contains("Save this search"))
        #expect(try fixture.rows().isEmpty)
        let mode = try AtomicFile.readIfThere(fixture.service.files.searches, maximumSize: 1000)?.signature.mode
        #expect(mode.map { $0 & 0o777 } == 0o600)
    }

    @Test("The page lists what each search asks for, and removes one")
    func removing() async throws {
        let fixture = try DashboardFixture("")
        _ = try await fixture.post("/searches", Self.save)
        let page = try await fixture.get("/searches").body
        #expect(page.contains("“a”, state: on") && page.contains("Saved by <bdi>ada</bdi>"))
        let removed = try await fixture.post("/searches", ["action": "remove", "name": "What is on"])
        #expect(removed.status == 303)
        let after = try await fixture.get("/searches").body
        #expect(after.contains("<h2>No saved searches yet</h2>") && !after.contains("state=on"))
        #expect(try await fixture.post("/searches", ["action": "remove", "name": "What is on"]).status == 404)
    }

    @Test("Searches of a file that was edited by hand are in the order of their names")
    func order() async throws {
        let fixture = try DashboardFixture("")
        for name in ["b", "a"] {
            _ = try await fixture.post("/searches", ["action": "save", "name": name, "query": "q=b"])
        }
        let url = fixture.service.files.searches
        let text = try String(contentsOf: url, encoding: .utf8)
        try Data(text.replacing("\"a\"", with: "\"c\"").utf8).write(to: url)
        #expect(try SearchesFile(url).searches().map(\.name) == ["b", "c"])
    }

    @Test(
        "A name that can't be is refused beside its field, with the search kept",
        arguments: [
            ("", "Enter a name."), (String(repeating: "a", count: 61), "Use 60 characters or fewer."),
            ("What is on", "A search named “What is on” already exists."),
            ("a\u{202E}b", "The name contains an invisible character."),
        ])
    func names(name: String, problem: String) async throws {
        let fixture = try DashboardFixture("")
        _ = try await fixture.post("/searches", Self.save)
        let answer = try await fixture.post("/searches", ["action": "save", "name": name, "query": "q=b"])
        #expect(answer.status == 422 && answer.body.contains(problem))
        #expect(answer.body.contains(#"name="query" value="q=b""#) && answer.body.contains("aria-invalid"))
    }

    @Test(
        "What is no search is not saved",
        arguments: ["", "page=2", "open=a&at=b", "sort=order", "state=odd", "type=none", "%", "q=a&q=b", "unknown=1"])
    func noSearch(query: String) async throws {
        let fixture = try DashboardFixture("")
        let answer = try await fixture.post("/searches", ["action": "save", "name": "A", "query": query])
        #expect([400, 422].contains(answer.status))
        #expect(try fixture.dashboard.searches.searches() == [])
        #expect(try await fixture.post("/searches", ["action": "odd", "name": "A", "query": "q=a"]).status == 422)
    }

    @Test("There is room for 50 searches, in the order of their names")
    func room() async throws {
        let fixture = try DashboardFixture("")
        let file = fixture.dashboard.searches
        for number in (1...SearchesFile.maximumCount).reversed() {
            try await file.add(
                SavedSearch(
                    name: "Search \(number)", query: "q=\(number)", actor: "ada", made: Date(timeIntervalSince1970: 0)))
        }
        #expect(try file.searches().prefix(3).map(\.name) == ["Search 1", "Search 2", "Search 3"])
        let answer = try await fixture.post("/searches", Self.save)
        #expect(answer.status == 422 && answer.body.contains("which is the limit"))
    }

    @Test(
        "A file that can't be read is told on every page, and nothing else is lost",
        arguments: ["{", "{\"version\":2,\"searches\":[]}"])
    func broken(text: String) async throws {
        let fixture = try DashboardFixture("<key>a</key><true/>")
        try Data(text.utf8).write(to: fixture.service.files.searches)
        let page = try await fixture.get("/")
        #expect(page.status == 200 && page.body.contains("The saved searches can’t be read."))
        #expect(try await fixture.post("/searches", Self.save).status == 503)
        #expect(try String(contentsOf: fixture.service.files.searches, encoding: .utf8) == text)
    }

    @Test("Viewers use saved searches and neither save nor remove them")
    func viewers() async throws {
        let fixture = try DashboardFixture("<key>a</key><true/>", role: .viewer)
        let search = SavedSearch(name: "On", query: "state=on", actor: "ada", made: Date(timeIntervalSince1970: 0))
        try await fixture.dashboard.searches.add(search)
        let page = try await fixture.get("/searches?q=a").body
        #expect(page.contains(">On</a>") && !page.contains("Remove") && !page.contains("Save this search</h2>"))
        #expect(try await !fixture.get("/?q=a").body.contains("Save this search</a>"))
        #expect(try await fixture.post("/searches", Self.save).status == 403)
    }

    @Test("The list offers to save what it is narrowed by")
    func offer() async throws {
        let fixture = try DashboardFixture("<key>a</key><true/>")
        #expect(
            try await fixture.get("/?state=on&page=1").body.contains(#"href="/searches?state=on">Save this search</a>"#)
        )
        #expect(try await !fixture.get("/").body.contains("Save this search</a>"))
    }
}
