import FeatureFlags
import FlagChanges
import FlagHistory
import Foundation
import HTTPTypes
import Testing

@testable import Flagboard

@Suite("Changing flags where they stand, and taking changes back")
struct ChangingInPlaceTests {
    private static let flags = [
        DashboardFixture.flag("shop/on", "bool", "<key>default</key><false/>"),
        DashboardFixture.flag("count", "integer", "<key>default</key><integer>5</integer>"),
        DashboardFixture.flag("words", "string", "<key>default</key><string>w</string>"),
        DashboardFixture.flag("day", "date"),
    ]

    private func fixture(
        _ values: String = "<key>count</key><integer>3</integer>", role: ChangeAuthor.Role = .editor
    ) throws -> DashboardFixture {
        try DashboardFixture(values, flags: Self.flags, role: role)
    }

    /// What a browser asks for after a redirect, which is all but the name of the place within the page.
    private func follow(_ answer: DashboardFixture.Answer, _ fixture: DashboardFixture) async throws -> String {
        let location = try #require(answer.headers[.location])
        return try await fixture.get(String(location.prefix { $0 != "#" })).body
    }

    /// The number of the change that the page offers to take back.
    private func undoable(_ page: String) -> String? {
        page.firstMatch(of: /name="change" value="(\d+)"/).map { String($0.1) }
    }

    @Test("A button of the list stores its value, and leads back to the row in the very same list")
    func list() async throws {
        let fixture = try fixture()
        let page = try await fixture.get("/?q=on")
        let fields: KeyValuePairs = [
            "provider": "Local", "revision": try #require(page.field("revision")), "back": "/?q=on&state=off",
            "action": "on",
        ]
        let answer = try await fixture.post("/flags/shop/on", fields)
        #expect(answer.status == 303)
        let location = try #require(answer.headers[.location])
        #expect(location.wholeMatch(of: /\/\?q=on&state=off&saved=\w+#row/) != nil)
        #expect(try fixture.rows().map(\.event.after) == [.bool(true)])
        let all = try await fixture.get("/").body
        #expect(all.contains(#"<button class="switch is-on" name="action" value="off" title="Turn off">On<"#))
        #expect(!all.contains("id=\"row\""))
        #expect(try await fixture.get("/?at=shop%2Fon").body.contains("id=\"row\" data-flag=\"shop/on\""))
        let again = try await fixture.post("/flags/shop/on", fields)
        #expect(again.status == 409)
    }

    @Test("`set` with a value does as the buttons do, and the list is the place of the notice")
    func setValue() async throws {
        let fixture = try fixture()
        let answer = try await fixture.post(
            "/flags/shop/on", ["provider": "Local", "action": "set", "value": "false", "back": "/"])
        let page = try await follow(answer, fixture)
        let row = try #require(page.firstMatch(of: /(?s)<li class="flag" id="row" data-flag="shop\/on".*?<\/li>/)?.0)
        #expect(row.contains("Turned off."))
        #expect(row.contains("aria-label=\"Undo change 1: reset Local\""))
        #expect(row.contains(Self.viewLink))
        #expect(try await !fixture.get("/").body.contains("Turned off."))
    }

    private static let viewLink =
        #"<a class="button button-small" href="/history/1" aria-label="View change 1">View change</a>"#

    @Test("The notice on the flag's page and at the top of a list leads to the change, and one of no change to none")
    func viewChange() async throws {
        let fixture = try fixture()
        let fields: KeyValuePairs = ["provider": "Local", "action": "on"]
        let made = try await follow(try await fixture.post("/flags/shop/on", fields), fixture)
        #expect(made.contains(Self.viewLink))
        let again = try await follow(try await fixture.post("/flags/shop/on", fields), fixture)
        #expect(again.contains("No changes: already set to that value.") && !again.contains(">View change</a>"))
    }

    @Test(
        "Wherever a form says to go back to, that is never off the site",
        arguments: ["//evil.example/", "https://evil.example/", "/\\evil.example", "javascript:alert(1)", "/sign-out"])
    func back(address: String) async throws {
        let fixture = try fixture()
        let answer = try await fixture.post("/flags/shop/on", ["action": "on", "back": "\(address)"])
        #expect(try #require(answer.headers[.location]).wholeMatch(of: /\/\?saved=\w+#row/) != nil)
    }

    @Test("Where the list no longer shows the flag, the notice stands at its top and names it")
    func notListed() async throws {
        let fixture = try fixture()
        let answer = try await fixture.post("/flags/shop/on", ["action": "on", "back": "/?state=off"])
        let page = try await follow(answer, fixture)
        #expect(page.contains("<strong><bdi>On</bdi>:</strong> Turned on.") && page.contains(Self.viewLink))
        #expect(undoable(page) == "1")
    }

    @Test(
        "Undo puts back what was there, byte by byte, and says in the history what it is",
        arguments: [
            ("<key>count</key><integer>3</integer>", "/flags/count", ["action": "set", "value": "8"]),
            ("<key>count</key><integer>3</integer>", "/flags/count", ["action": "reset"]),
            ("<key>count</key><string>3</string>", "/flags/count", ["action": "set", "value": "8"]),
            ("<key>words</key><string></string>", "/flags/words", ["action": "reset"]),
            (
                "<key>day</key><date>2026-01-02T03:04:05Z</date>", "/flags/day",
                ["action": "set", "value": "2027-01-01"]
            ),
        ] as [(String, String, KeyValuePairs<String, String>)])
    func undo(values: String, path: String, fields: KeyValuePairs<String, String>) async throws {
        let fixture = try fixture(values)
        let stored = try await fixture.service.overview().catalogue.entries.map(\.revisions)
        let page = try await follow(try await fixture.post(path, fields), fixture)
        #expect(undoable(page) == "1")
        let answer = try await fixture.post(path, ["action": "undo", "change": "1"])
        #expect(answer.status == 303)
        #expect(try await fixture.service.overview().catalogue.entries.map(\.revisions) == stored)
        let rows = try fixture.rows()
        #expect(rows.map(\.event.reason) == ["Undo change 1", ""])
        let (undone, made) = (try #require(rows.first), try #require(rows.last))
        #expect(undone.event.after == made.event.before && undone.event.before == made.event.after)
        // What was undone can be done again.
        let after = try await follow(answer, fixture)
        #expect(undoable(after) == "2" && after.contains(#"<p role="status" dir="auto">Undone."#))
    }

    @Test("Undo of a first value removes it")
    func undoFirst() async throws {
        let fixture = try fixture("")
        let before = try Data(contentsOf: fixture.file)
        _ = try await fixture.post("/flags/words", ["action": "set", "value": "x"])
        _ = try await fixture.post("/flags/words", ["action": "undo", "change": "1", "back": "/"])
        #expect(try fixture.rows().first?.event.kind == .reset)
        let after = try Data(contentsOf: fixture.file)
        #expect(after == before || !String(decoding: after, as: UTF8.self).contains("words"))
    }

    @Test("Undo of a group, or of a flag that isn't there, says so", arguments: ["shop", "none", "%00", "shop//"])
    func undoOfNone(key: String) async throws {
        let fixture = try fixture()
        _ = try await fixture.post("/flags/count", ["action": "set", "value": "8"])
        for change in ["1", "99", "x", ""] {
            let answer = try await fixture.post("/flags/\(key)", ["action": "undo", "change": change])
            #expect(answer.status == 404 && answer.body.contains("not found"))
        }
        #expect(try await fixture.post("/flags/\(key)", ["action": "undo"]).status == 404)
        #expect(try fixture.rows().count == 1)
    }

    @Test("Undo of a flag that was made internal while its page was open finds it no more than one that never was")
    func undoOfInternal() async throws {
        let fixture = try fixture()
        _ = try await fixture.post("/flags/count", ["action": "set", "value": "8"])
        let manifest = try String(contentsOf: fixture.manifest, encoding: .utf8)
        try Data(
            manifest.replacing("<string>count</string>", with: "<string>count</string><key>isInternal</key><true/>")
                .utf8
        ).write(to: fixture.manifest)
        let answer = try await fixture.post("/flags/count", ["action": "undo", "change": "1"])
        let absent = try await fixture.post("/flags/other", ["action": "undo", "change": "1"])
        #expect(answer.status == 404 && answer.body.contains("Flag “count” not found"))
        #expect(answer.body.replacing("count", with: "other") == absent.body)
    }

    @Test("Undo of a change that another flag had, of a flag that was deleted, says what became of the flag")
    func undoOfGone() async throws {
        let fixture = try fixture(role: .admin)
        _ = try await fixture.post("/flags/count", ["action": "set", "value": "8"])
        _ = try await fixture.post("/flags/words", ["action": "set", "value": "v"])
        let gone = try await fixture.post("/definitions/words", ["action": "delete", "confirmation": "words"])
        #expect(gone.status == 303)
        let answer = try await fixture.post("/flags/words", ["action": "undo", "change": "1"])
        #expect(answer.status == 404 && answer.body.contains("The flag words no longer exists."))
    }

    @Test("Undo is refused where somebody changed the flag since, and shows both values")
    func undoTooLate() async throws {
        let fixture = try fixture()
        _ = try await fixture.post("/flags/count", ["action": "set", "value": "8"])
        _ = try await fixture.post("/flags/count", ["action": "set", "value": "9"])
        let answer = try await fixture.post("/flags/count", ["action": "undo", "change": "1", "back": "/"])
        #expect(answer.status == 409)
        #expect(answer.body.contains("This flag changed while you were editing. Choose which value to keep."))
        #expect(answer.body.contains("value=\"Undo change 1\"") && answer.body.contains("value=\"3\""))
        #expect(try fixture.rows().count == 2)
    }

    @Test("Only a change of the very flag can be undone there", arguments: ["2", "99", "x", "", nil] as [String?])
    func undoOther(number: String?) async throws {
        let fixture = try fixture()
        _ = try await fixture.post("/flags/count", ["action": "set", "value": "8"])
        _ = try await fixture.post("/flags/words", ["action": "set", "value": "8"])
        let fields: KeyValuePairs =
            number.map { ["action": "undo", "change": $0] } ?? ["action": "undo", "reason": ""]
        let answer = try await fixture.post("/flags/count", fields)
        #expect(
            answer.status == 422
                && answer.body.contains("Change “\(number ?? "")” of this flag can’t be undone."))
        #expect(try fixture.rows().count == 2)
    }

    @Test("A lock is undone by who may lift it")
    func undoLock() async throws {
        let fixture = try fixture(role: .admin)
        let page = try await follow(try await fixture.post("/flags/count", ["action": "lock"]), fixture)
        #expect(page.contains("aria-label=\"Undo change 1: unlock the flag\""))
        #expect(try await fixture.post("/flags/count", ["action": "undo", "change": "1"]).status == 303)
        #expect(try fixture.rows().map(\.event.kind) == [.unlock, .lock])
    }

    @Test("What was broken before is put back by an undo of its replacement")
    func undoBroken() async throws {
        let fixture = try fixture("<key>count</key><string>many</string>")
        let page = try await follow(try await fixture.post("/flags/count", ["action": "set", "value": "8"]), fixture)
        #expect(page.contains("Set to 8") && undoable(page) == "1")
        #expect(try await fixture.post("/flags/count", ["action": "undo", "change": "1"]).status == 303)
        #expect(try fixture.rows().first?.event.after == .string("many"))
    }

    @Test("Where nothing is left of a flag, its reset leads to the list, which says so")
    func gone() async throws {
        let fixture = try fixture("<key>stray</key><true/>")
        let answer = try await fixture.post("/flags/stray", ["action": "reset"])
        #expect(try #require(answer.headers[.location]).wholeMatch(of: /\/\?saved=\w+/) != nil)
        let page = try await follow(answer, fixture)
        #expect(page.contains("<bdi>stray</bdi>:</strong> Reset. The flag had no definition, so it’s gone."))
        #expect(undoable(page) == "1")
        #expect(try await fixture.post("/flags/stray", ["action": "undo", "change": "1"]).status == 303)
        #expect(try await fixture.get("/flags/stray").status == 200)
    }

    @Test("A viewer sees no control, and is refused")
    func viewer() async throws {
        let fixture = try fixture(role: .viewer)
        let page = try await fixture.get("/").body
        #expect(!page.contains("class=\"switching\"") && !page.contains("action=\"/flags/"))
        #expect(page.components(separatedBy: "View only").count == 2, "it is said once")
        let answer = try await fixture.post("/flags/shop/on", ["action": "on", "back": "/"])
        #expect(answer.status == 403)
    }

    @Test("An empty field stores the empty text, and the page says so beforehand")
    func empty() async throws {
        let fixture = try fixture()
        let page = try await fixture.get("/flags/words").body
        #expect(page.contains("Leave empty to store an empty string."))
        let answer = try await fixture.post("/flags/words", ["action": "set", "value": "", "back": "/"])
        #expect(answer.status == 303)
        #expect(try fixture.rows().first?.event.after == .string(""))
        #expect(try await follow(answer, fixture).contains("Set to empty text"))
        #expect(try await !fixture.get("/flags/count").body.contains("Leave empty to store"))
    }

    @Test("The bytes of data are downloaded as bytes, and of nothing else")
    func download() async throws {
        let fixture = try fixture("<key>a~b</key><dict><key>key one</key><data>AAECAw==</data></dict>")
        let answer = try await fixture.get("/data?key=a~0b%2Fkey%20one")
        #expect(answer.status == 200 && Data(answer.body.utf8) == Data([0, 1, 2, 3]))
        #expect(answer.headers[.contentType] == "application/octet-stream")
        #expect(answer.headers[.contentDisposition] == "attachment; filename=\"keyOne.bin\"")
        for path in ["/data?key=count", "/data?key=nothing", "/data?key=~", "/data"] {
            #expect(try await fixture.get(path).status == 404, "\(path)")
        }
    }

    @Test("A day and time that were picked take the place of the text, in the zone that was chosen")
    func picked() async throws {
        let fixture = try fixture()
        let answer = try await fixture.post(
            "/flags/day",
            ["action": "set", "value": "2020-01-01", "picked": "2026-07-01T12:30", "zone": "Europe/Berlin"])
        #expect(answer.status == 303)
        #expect(try fixture.rows().first?.event.after == .string("2026-07-01T10:30:00Z"))
        let gap = try await fixture.post(
            "/flags/day", ["action": "set", "value": "", "picked": "2026-03-29T02:30", "zone": "Europe/Berlin"])
        #expect(gap.status == 422 && gap.body.contains("2026-03-29 02:30 doesn’t exist in Europe/Berlin"))
        #expect(gap.field("picked") == "2026-03-29T02:30" && gap.field("value") == "")
        #expect(gap.body.contains("<option value=\"Europe/Berlin\" selected>"))
    }
}
