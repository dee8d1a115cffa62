import FeatureFlags
import Foundation
import FlagHistory
import HTTPTypes
import Hummingbird
import Testing

@testable import Flagboard

@Suite("Requests that are refused")
struct RequestTests {
    private func fixture(host: String = "localhost") throws -> DashboardFixture {
        try DashboardFixture(
            "<key>count</key><integer>3</integer>",
            flags: [
                DashboardFixture.flag("count", "integer"),
                DashboardFixture.flag("hidden/secret", "bool", "<key>isInternal</key><true/>"),
            ],
            collections: [
                "<dict><key>key</key><string>hidden</string><key>name</key><string>Project Zebra</string></dict>"
            ], host: host)
    }

    /// Changes the file behind the server's back, which a look at the files would enter into the history.
    private func editOutside(_ fixture: DashboardFixture) throws {
        let text = try String(contentsOf: fixture.file, encoding: .utf8)
        try Data(text.replacing("3", with: "4").utf8).write(to: fixture.file)
    }

    @Test("A wrong host gets a page that tells nothing of the files, and no file is looked at")
    func wrongHost() async throws {
        let fixture = try fixture(host: "elsewhere")
        try editOutside(fixture)
        let answer = try await fixture.get("/flags/count")
        #expect(answer.status == 421)
        #expect(!answer.body.contains("flags.xml") && !answer.body.contains("Local"))
        #expect(try fixture.rows().isEmpty)
    }

    @Test("A second host is refused")
    func twoHosts() async throws {
        let answer = try await fixture().ask(.get, "/", [.host: "evil.example"])
        #expect(answer.status == 400)
        #expect(!answer.body.contains("flags.xml"))
    }

    @Test("A form of another site gets a page that tells nothing of the files, with what the form held")
    func crossSite() async throws {
        let fixture = try fixture()
        try editOutside(fixture)
        let body = DashboardFixture.encoded(["action": "set", "value": "<my> 9", "reason": "why"])
        let answer = try await fixture.ask(.post, "/flags/count", [.secFetchSite: "cross-site"], body: body)
        #expect(answer.status == 403)
        #expect(!answer.body.contains("flags.xml") && !answer.body.contains("Local"))
        #expect(answer.body.contains(">\n&lt;my&gt; 9</pre>") && answer.body.contains(">\nwhy</pre>"))
        #expect(try fixture.rows().isEmpty)
    }

    @Test(
        "A method that an address doesn't take is refused with those that it does",
        arguments: [
            (.delete, "/", "GET, HEAD"), (.post, "/history", "GET, HEAD"), (.put, "/flags/count", "GET, HEAD, POST"),
            (.options, "/export/flags.xml", "GET, HEAD"), (.post, "/export/flags.xml", "GET, HEAD"),
        ] as [(HTTPRequest.Method, String, String)])
    func methods(method: HTTPRequest.Method, path: String, allowed: String) async throws {
        let answer = try await fixture().ask(method, path)
        #expect(answer.status == 405)
        #expect(answer.headers[.allow] == allowed)
    }

    @Test("A path that no file can have is not found", arguments: ["/%00", "//.", "/.", "/%2e", "/x/../icon.svg"])
    func oddPaths(path: String) async throws {
        #expect(try await fixture().get(path).status == 404)
    }

    @Test("A file of the public folder is found by its name")
    func publicFile() async throws {
        #expect(try await fixture().get("/flagboard.css").status == 200)
    }

    @Test("A body that is too large is refused with the limit and the way back to the flag")
    func tooLarge() async throws {
        let fixture = try fixture()
        let value = String(repeating: "x", count: FlagRequest.maximumFormBytes)
        let answer = try await fixture.post("/flags/count", ["action": "set", "value": value])
        #expect(answer.status == 413)
        #expect(answer.body.contains("1 MB") && answer.body.contains("href=\"/flags/count\""))
        #expect(answer.body.utf8.count < 10_000)
    }

    @Test(
        "A text is measured as it is stored, however long it is on its way, and one that is too large stays in its field"
    )
    func largeText() async throws {
        let fixture = try DashboardFixture("", flags: [DashboardFixture.flag("motd", "string")])
        let fitting = String(repeating: "ä", count: FormFields.maximumBytes / 2)
        #expect(try await fixture.post("/flags/motd", ["action": "set", "value": fitting]).status == 303)
        let answer = try await fixture.post("/flags/motd", ["action": "set", "value": fitting + "!", "reason": "why"])
        #expect(answer.status == 413 && answer.body.contains("has 1048577 bytes; the limit is 1048576"))
        #expect(answer.body.contains("ä!</textarea>") && answer.body.contains("value=\"why\""))
        #expect(try fixture.rows().count == 1)
    }

    @Test("A group of internal flags alone answers like one that was never there")
    func hiddenGroup() async throws {
        let fixture = try fixture()
        let hidden = try await fixture.get("/?group=hidden")
        let never = try await fixture.get("/?group=nothing")
        #expect(!hidden.body.contains("Zebra"))
        #expect(hidden.body == never.body.replacing("nothing", with: "hidden").replacing("Nothing", with: "Hidden"))
    }

    @Test("The page of downloads survives a manifest that can't be read, and says so")
    func brokenManifest() async throws {
        let fixture = try fixture()
        try Data("<plist>".utf8).write(to: fixture.manifest)
        let answer = try await fixture.get("/export")
        #expect(answer.status == 200)
        #expect(answer.body.contains("This file can’t be read. Fix it to download it."))
        #expect(!answer.body.contains("href=\"/export/manifest.xml\""))
        #expect(answer.body.contains("href=\"/export/history.csv\""))
    }

    @Test("A file that can't be read is announced once, not under each flag, and the help agrees")
    func unreadable() async throws {
        let fixture = try fixture()
        try Data("<plist>".utf8).write(to: fixture.file)
        let list = try await fixture.get("/").body
        #expect(list.matches(of: /invalid XML/).count == 1)
        #expect(list.contains("data-notice><strong>Can’t read flags.xml:</strong> invalid XML at line 1"))
        let help = try await fixture.get("/help").body
        #expect(help.contains("<span class=\"access\">can’t be read</span>"))
        #expect(!list.contains("Read-only") && !list.contains("state-broken"))
    }
}
