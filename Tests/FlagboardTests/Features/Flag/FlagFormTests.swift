import FeatureFlags
import FlagChanges
import Foundation
import FlagHistory
import HTTPTypes
import Hummingbird
import NIOCore
import Testing

@testable import Flagboard

@Suite("Form of a flag")
struct FlagFormTests {
    private static let flags = [
        DashboardFixture.flag("count", "integer", "<key>default</key><integer>5</integer>"),
        DashboardFixture.flag("on", "bool"),
        DashboardFixture.flag("fixed", "integer", "<key>isLocked</key><true/>"),
        DashboardFixture.flag("motd", "string"),
    ]

    private func fixture(
        _ values: String = "<key>count</key><integer>3</integer>", team: String? = nil
    ) throws -> DashboardFixture {
        try DashboardFixture(values, flags: Self.flags, team: team)
    }

    @Test("A refused form keeps the revision that the form was based on, so that nobody's change is lost")
    func revisionIsKept() async throws {
        let fixture = try fixture()
        let opened = try await fixture.get("/flags/count")
        let revision = try #require(opened.field("revision"))
        let theirs = try await fixture.post("/flags/count", ["action": "set", "value": "4", "revision": revision])
        #expect(theirs.status == 303)

        let long = String(repeating: "r", count: Change.longestReason + 1)
        let refused = try await fixture.post(
            "/flags/count", ["action": "set", "value": "6", "revision": revision, "reason": long])
        #expect(refused.status == 422)
        #expect(refused.field("revision") == revision)

        let corrected = try await fixture.post("/flags/count", ["action": "set", "value": "6", "revision": revision])
        #expect(corrected.status == 409)
        #expect(corrected.field("revision") != revision)
    }

    @Test("A conflict shows what the form started from, who changed the flag, and both changes")
    func conflict() async throws {
        let fixture = try fixture()
        let revision = try #require(try await fixture.get("/flags/count").field("revision"))
        _ = try await fixture.post("/flags/count", ["action": "set", "value": "4", "provider": "Local"])
        let mine: KeyValuePairs = ["action": "set", "value": "6", "revision": revision, "provider": "Local"]
        let answer = try await fixture.post("/flags/count", mine)
        #expect(answer.status == 409)
        let rows = answer.body.matches(of: /<dt>([^<]*)<\/dt><dd><code[^>]*>([^<]*)<\/code>/).map {
            "\($0.1): \($0.2)"
        }
        #expect(rows == ["Original: 3", "Current: 4", "Yours: 6"])
        #expect(answer.body.contains(/\(set by ada <time [^>]*>(just now|\d+ (second|minute)s? ago)<\/time>\)/))
        let reset = try await fixture.post("/flags/count", ["action": "reset", "revision": revision])
        #expect(reset.status == 409)
        #expect(reset.body.contains("reset to its default, 5"))
    }

    @Test("A form without a value comes back with what is missing and what was typed", arguments: ["on", "count"])
    func noValue(key: String) async throws {
        let fixture = try fixture()
        let answer = try await fixture.post("/flags/\(key)", ["action": "set", "reason": "I <forgot>"])
        #expect(answer.status == 422)
        #expect(answer.body.contains("<strong>Not saved.</strong> Choose or enter a value."))
        #expect(answer.body.contains("id=\"value-problem\""))
        #expect(answer.body.contains("value=\"I &lt;forgot&gt;\""))
    }

    @Test("A Boolean's buttons ask for a choice, and a reset goes without one")
    func required() async throws {
        let answer = try await fixture().get("/flags/on")
        #expect(answer.body.matches(of: /type="radio"[^>]* required/).count == 2)
        #expect(answer.body.contains("value=\"reset\" formnovalidate"))
    }

    @Test("A reason that is too long is refused beside its field and comes back whole")
    func longReason() async throws {
        let fixture = try fixture()
        let reason = String(repeating: "r", count: Change.longestReason + 1)
        let answer = try await fixture.post("/flags/count", ["action": "set", "value": "6", "reason": reason])
        #expect(answer.status == 422)
        #expect(answer.body.contains("id=\"reason-problem\""))
        #expect(answer.body.contains("value=\"\(reason)\""))
        #expect(answer.body.contains("value=\"6\""))
        let shorter = String(reason.dropLast())
        let taken = try await fixture.post("/flags/count", ["action": "set", "value": "6", "reason": shorter])
        #expect(taken.status == 303)
    }

    @Test("A form that asks for nothing resets no flag, even where its lock is lifted meanwhile")
    func nothingAsked() async throws {
        let fixture = try fixture()
        let catalogue = try await fixture.service.shownFlags().catalogue
        for key in catalogue.entries.map(\.key) + [Samples.key("unknown")] {
            for body in ["action=set", "action=sett", "action=undo", ""] {
                let head = HTTPRequest(
                    method: .post, scheme: "http", authority: "localhost", path: "/flags",
                    headerFields: [.contentType: "application/x-www-form-urlencoded"])
                let request = Request(head: head, body: RequestBody(buffer: ByteBuffer(string: body)))
                let edit = try await FlagRequest(request, takesFile: false)
                #expect(throws: FormError<FlagForm.Place>.self) { try edit.change(of: key, in: catalogue) }
            }
        }
    }

    @Test("A locked flag shows what was typed, to be copied")
    func locked() async throws {
        let fixture = try fixture()
        let answer = try await fixture.post("/flags/fixed", ["action": "set", "value": "my 7", "reason": "my reason"])
        #expect(answer.status == 423)
        #expect(answer.body.contains("<strong>Not saved.</strong>"))
        #expect(answer.body.contains(">\nmy 7</pre>") && answer.body.contains(">\nmy reason</pre>"))
        #expect(!answer.body.contains("name=\"value\""))
    }

    @Test("While the file can't be read, the form keeps what was typed and the revision, to be saved once it can")
    func unreadable() async throws {
        let fixture = try fixture()
        let sound = try Data(contentsOf: fixture.file)
        let revision = try #require(try await fixture.get("/flags/count").field("revision"))
        try Data(sound.dropLast(20)).write(to: fixture.file)
        let mine: KeyValuePairs = [
            "action": "set", "value": "77", "reason": "my reason", "revision": revision, "provider": "Local",
        ]
        let answer = try await fixture.post("/flags/count", mine)
        #expect(answer.status == 503)
        #expect(answer.body.contains("<strong>Not saved.</strong>"))
        #expect(answer.body.contains("value=\"77\"") && answer.body.contains("value=\"my reason\""))
        #expect(answer.field("revision") == revision)
        try sound.write(to: fixture.file)
        #expect(try await fixture.post("/flags/count", mine).status == 303)
    }

    @Test("A provider that can't be changed is named, and what was typed for it is not put into another one's form")
    func unknownProvider() async throws {
        let fixture = try fixture(team: "")
        let answer = try await fixture.post("/flags/count", ["action": "set", "value": "6123", "provider": "Nobody"])
        #expect(answer.status == 403)
        #expect(answer.body.contains(">\n6123</pre>"))
        #expect(!answer.body.contains("value=\"6123\""))
        #expect(try await fixture.get("/flags/count?provider=Nobody").body.contains("so this form edits Local"))
    }

    @Test(
        "A Boolean that is stored as text is preselected as it is read, and the text is told",
        arguments: [
            ("<string>yes</string>", "string", true), ("<integer>0</integer>", "integer", false),
        ])
    func storedAsAnother(stored: String, kind: String, isOn: Bool) async throws {
        let answer = try await fixture("<key>on</key>\(stored)").get("/flags/on")
        #expect(answer.body.contains("value=\"\(isOn)\" required checked"))
        #expect(answer.body.contains("Stored as the \(kind)"))
        #expect(answer.body.contains("and read as \(isOn ? "on" : "off")."))
    }

    @Test("Saving a text unchanged leaves its line ends, and an edit takes them up", arguments: ["&#13;\n", "&#13;"])
    func lineEnds(end: String) async throws {
        let fixture = try fixture("<key>motd</key><string>one\(end)two\(end)</string>")
        let before = try Data(contentsOf: fixture.file)
        let unchanged = try await fixture.post("/flags/motd", ["action": "set", "value": "one\r\ntwo\r\n"])
        #expect(unchanged.status == 303)
        #expect(try Data(contentsOf: fixture.file) == before)
        #expect(try fixture.rows().isEmpty)

        _ = try await fixture.post("/flags/motd", ["action": "set", "value": "one\r\n2\r\n"])
        let raw = end.replacing("&#13;", with: "\r")
        #expect(try fixture.rows().first?.event.after == .string("one\(raw)2\(raw)"))
    }

    @Test("What was done is said once, where it was done, and of the provider that it was done in")
    func savedOnce() async throws {
        let fixture = try fixture(team: "")
        let answer = try await fixture.post("/flags/count", ["action": "set", "value": "8", "provider": "Team"])
        let address = try #require(answer.headers[.location])
        #expect(address.hasPrefix("/flags/count?provider=Team&saved="))
        let other = address.replacing("/flags/count", with: "/flags/motd")
        #expect(try await !fixture.get(other).body.contains("Set to 8"))
        let page = try await fixture.get(address)
        #expect(page.body.contains("Set to 8 in Team. The value in use is still 3, from Local."))
        #expect(page.field("provider") == "Team")
        #expect(try await !fixture.get(address).body.contains("Set to 8"))
    }

    @Test("A flag whose key is empty has a page and a form")
    func emptyKey() async throws {
        let fixture = try fixture("<key></key><string>nameless</string>")
        #expect(try await fixture.get("/").body.contains("href=\"/flags?key=\""))
        let page = try await fixture.get("/flags?key=")
        #expect(page.status == 200 && page.body.contains("action=\"/flags?key=\""))
        #expect(try await fixture.post("/flags?key=", ["action": "set", "value": "still"]).status == 303)
        #expect(try fixture.rows().first?.event.after == .string("still"))
    }

    @Test("A refused form is kept by the browser, every other page is not")
    func caching() async throws {
        let fixture = try fixture()
        let refused = try await fixture.post("/flags/count", ["action": "set", "value": "x"])
        #expect(refused.headers[.cacheControl] == "private, no-cache")
        #expect(try await fixture.get("/flags/count").headers[.cacheControl] == "no-store")
    }
}
