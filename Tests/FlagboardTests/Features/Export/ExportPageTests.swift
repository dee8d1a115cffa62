import FlagChanges
import Foundation
import HTTPTypes
import Testing

@testable import Flagboard

@Suite("Exports of a search, and as JSON")
struct ExportPageTests {
    private func fixture() throws -> DashboardFixture {
        try DashboardFixture(
            "<key>a</key><true/><key>ui</key><dict><key>x</key><integer>4</integer></dict><key>hidden</key><true/>",
            flags: [
                DashboardFixture.flag("a", "bool"), DashboardFixture.flag("ui/x", "integer"),
                DashboardFixture.flag("ui/y", "double", "<key>default</key><real>2</real>"),
                DashboardFixture.flag("hidden", "bool", "<key>isInternal</key><true/>"),
            ])
    }

    @Test(
        "A query limits an export to what the list shows for it",
        arguments: [
            ("/export/flags.json?group=ui", "{\n  \"ui\": {\n    \"x\": 4\n  }\n}\n"),
            ("/export/effective.json?group=ui", "{\n  \"ui\": {\n    \"x\": 4,\n    \"y\": 2.0\n  }\n}\n"),
            ("/export/effective.json?q=hidden", "{}\n"), ("/export/flags.json?state=on", "{\n  \"a\": true\n}\n"),
            ("/export/flags.json", "{\n  \"a\": true,\n  \"ui\": {\n    \"x\": 4\n  }\n}\n"),
        ])
    func limited(path: String, expected: String) async throws {
        let answer = try await fixture().get(path)
        #expect(answer.status == 200 && answer.body == expected)
        #expect(answer.headers[.contentType] == "application/json")
        let name = try #require(path.split(separator: "/").last?.prefix { $0 != "?" })
        #expect(answer.headers[.contentDisposition] == "attachment; filename=\"\(name)\"")
    }

    @Test("The flags of a search are lines of text, as Override shares them")
    func text() async throws {
        let all = try await fixture().get("/export/flags.txt")
        #expect(all.body == "A [ON by override]\nUi → X [integer 4 by override]\nUi → Y [real 2.0 by default]\n")
        #expect(all.headers[.contentType] == "text/plain; charset=utf-8")
        #expect(try await fixture().get("/export/flags.txt?q=ui/y").body == "Ui → Y [real 2.0 by default]\n")
        #expect(try await fixture().get("/export").body.contains("/export/flags.txt"))
    }

    @Test("The XML of a search is a property list of its flags alone")
    func xml() async throws {
        let body = try await fixture().get("/export/flags.xml?q=ui&page=2").body
        #expect(body.contains("<key>x</key>") && !body.contains("<key>a</key>") && !body.contains("hidden"))
    }

    @Test(
        "A search that can't be is refused rather than taken for none",
        arguments: [
            "/export/flags.xml?state=odd", "/export/manifest.xml?state=odd", "/export/effective.json?group=~x",
            "/export/flags.txt?state=odd",
            "/export?state=odd",
        ])
    func odd(path: String) async throws {
        let answer = try await fixture().get(path)
        #expect(answer.status == 400 && answer.body.contains("Invalid search"))
    }

    @Test("The manifest of a search defines its flags alone, whichever form it has", arguments: ["json", "xml"])
    func manifestOfSearch(ending: String) async throws {
        let body = try await fixture().get("/export/manifest.\(ending)?type=double").body
        #expect(body.contains("ui/y") && body.contains("version"))
        #expect(!body.contains("ui/x") && !body.contains("hidden") && !body.contains("bool"))
    }

    @Test("The manifest as JSON names no internal flag, and there is none without a manifest")
    func manifest() async throws {
        let answer = try await fixture().get("/export/manifest.json")
        #expect(answer.body.contains("\"key\": \"ui/y\"") && !answer.body.contains("hidden"))
        #expect(try await DashboardFixture("").get("/export/manifest.json").status == 404)
    }

    @Test("The values of every provider can be had, each from a file of its own name")
    func providers() async throws {
        let fixture = try DashboardFixture(
            "<key>a</key><true/>",
            flags: [
                DashboardFixture.flag("a", "bool"), DashboardFixture.flag("b", "integer"),
                DashboardFixture.flag("c", "bool", "<key>isInternal</key><true/>"),
            ], team: "<key>b</key><integer>7</integer><key>c</key><true/>")
        let page = try await fixture.get("/export?q=b").body
        #expect(page.contains("<h2><bdi>Values of Team</bdi></h2>"))
        #expect(page.contains("href=\"/export/flags.json?of=Team&amp;q=b\" download=\"team.json\""))
        let answer = try await fixture.get("/export/flags.json?of=Team")
        #expect(answer.body == "{\n  \"b\": 7\n}\n")
        #expect(answer.headers[.contentDisposition] == "attachment; filename=\"team.json\"")
        let unmatched = try await fixture.get("/export/flags.xml?of=Team&q=a").body
        #expect(unmatched.contains("<dict></dict>"))
        #expect(try await fixture.get("/export/flags.xml?of=Nobody").status == 404)
    }

    @Test("A search in the list leads to the export of its flags, and that to its downloads")
    func links() async throws {
        let fixture = try fixture()
        let list = try await fixture.get("/?q=ui").body
        #expect(list.contains("<a href=\"/export?q=ui\">Export 2 flags</a>"))
        #expect(try await !fixture.get("/").body.contains("href=\"/export?"))
        let page = try await fixture.get("/export?q=ui").body
        #expect(page.contains("2 flags") && page.contains("href=\"/export/effective.xml?q=ui\""))
        #expect(page.contains("href=\"/export/manifest.json?q=ui\"") && !page.contains("history.csv"))
        #expect(try await fixture.get("/export").body.contains("href=\"/export/flags.json\""))
    }
}
