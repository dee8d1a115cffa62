import FlagChanges
import FlagHistory
import Foundation
import HTTPTypes
import Synchronization
import Testing

@testable import Flagboard

@Suite("What is new since the last visit")
struct VisitTests {
    /// A clock that a test sets.
    private final class Hands: Sendable {
        private let time = Mutex(Date(timeIntervalSince1970: 1_800_000_000))

        var now: Date { time.withLock { $0 } }

        func pass(minutes: Double) { time.withLock { $0 += minutes * 60 } }
    }

    /// A browser that keeps the cookies of a dashboard.
    private final class Browser {
        let fixture: DashboardFixture
        let hands: Hands
        var cookie: String?

        init(role: ChangeAuthor.Role = .editor) throws {
            let hands = Hands()
            self.hands = hands
            let flags = [
                DashboardFixture.flag("count", "integer"), DashboardFixture.flag("limit", "integer"),
                DashboardFixture.flag("mode", "integer", "<key>requiresRestart</key><true/>"),
            ]
            fixture = try DashboardFixture(
                "<key>count</key><integer>1</integer><key>limit</key><integer>1</integer>", flags: flags, role: role,
                clock: { hands.now })
        }

        /// Asks for a page, and keeps its cookie.
        @discardableResult func get(_ path: String, _ headers: HTTPFields = [:]) async throws -> DashboardFixture.Answer
        {
            var headers = headers
            headers[.cookie] = cookie
            let answer = try await fixture.ask(.get, path, headers)
            if let header = answer.headers[.setCookie] { cookie = String(header.prefix { $0 != ";" }) }
            return answer
        }

        /// The value of the cookie.
        var kept: String { cookie.map { String($0.drop { $0 != "=" }.dropFirst()) } ?? "" }

        /// Changes a flag by a form.
        func set(_ key: String, _ value: String) async throws {
            #expect(try await fixture.post("/flags/\(key)", ["action": "set", "value": value]).status == 303)
        }

        /// Changes the values as another program does.
        func edit(_ old: String, _ new: String) throws {
            let text = try String(contentsOf: fixture.file, encoding: .utf8)
            #expect(text.contains(old))
            try Data(text.replacing(old, with: new).utf8).write(to: fixture.file)
        }
    }

    private static let link = #"href="/history?since=visit""#

    @Test(
        "While a person asks for pages, what was seen on the last visit stays; after half an hour it is what was seen then"
    )
    func boundary() {
        let start = Date(timeIntervalSince1970: 1_800_000_000.5)
        func minutes(_ number: Double) -> Date { start.addingTimeInterval(number * 60) }
        var visit = ViewerVisit(latest: .init(row: 3, at: start))
        for (minute, row) in [(20.0, Int64(4)), (45, 6), (74, 7)] { visit = visit.next(row: row, at: minutes(minute)) }
        #expect(visit.before == nil && visit.latest.row == 7)
        let second = visit.next(row: 9, at: minutes(105))
        #expect(second.before == visit.latest)
        #expect(second.next(row: 12, at: minutes(130)).before == visit.latest)
        #expect(second.next(row: 12, at: minutes(140)).before == second.latest)
        // A clock that is set back begins no visit.
        #expect(second.next(row: 12, at: start).before == visit.latest)
    }

    @Test("The history tells what came since the last visit, by a link, as a filter, and by a line between its rows")
    func history() async throws {
        let browser = try Browser()
        try await browser.set("count", "2")
        let first = try await browser.get("/history")
        let header = try #require(first.headers[.setCookie])
        #expect(
            header.contains(
                /^flagboard-visit-[0-9a-f]{8}=1\.1800000000; Path=\/; HttpOnly; SameSite=Lax; Max-Age=31536000$/))
        #expect(!first.body.contains(Self.link))

        browser.hands.pass(minutes: 31)
        try await browser.set("count", "3")
        try await browser.set("limit", "4")
        let page = try await browser.get("/history").body
        #expect(page.contains(Self.link) && page.contains("Changes above are new since your last visit"))
        #expect(browser.kept == "3.1800001860.1.1800000000")
        let order = page.matches(of: /data-change="(\d+)"|class="seen-line"/).map { $0.1.map(String.init) ?? "line" }
        #expect(order == ["3", "2", "line", "1"])

        // Further pages of the visit, and further changes, leave the line where it is.
        browser.hands.pass(minutes: 29)
        try await browser.set("limit", "5")
        let since = try await browser.get("/history?since=visit").body
        #expect(since.matches(of: /data-change="(\d+)"/).map { String($0.1) } == ["4", "3", "2"])
        #expect(since.contains("your last visit, 2027-01-15 08:00:00 UTC"))
        #expect(since.contains(#"name="since" value="visit""#) && !since.contains("seen-line"))
        // What another person gets does not depend on who looks.
        #expect(since.contains("http://localhost/history?since=1<") && since.contains("/api/v1/history?since=1"))
        let fixed = try await browser.fixture.get("/history?since=1").body
        #expect(fixed.matches(of: /data-change="(\d+)"/).count == 3 && fixed.contains("change 1"))
        let file = try await browser.get("/export/history.csv?since=visit").body
        #expect(file.split(separator: "\r\n").count == 4)
        let document = try await browser.fixture.get("/api/v1/history?since=3").body
        #expect(document.contains(#""total":1"#))
    }

    @Test(
        "Nothing is counted as seen by a page that asks for itself, by a refused page, by a download, or by a program")
    func unseen() async throws {
        let browser = try Browser()
        try await browser.set("count", "2")
        for path in ["/flags/none", "/export/flags.xml", "/api/v1/flags", "/comfort.css"] {
            try await browser.get(path)
            #expect(browser.cookie == nil, "\(path)")
        }
        try await browser.get("/", [.unattended: "1"])
        #expect(browser.cookie == nil)
        try await browser.get("/help")
        #expect(browser.kept == "1.1800000000")
        // A page that stays open for long asks for itself, and shows what is new to the visit that it belongs to.
        browser.hands.pass(minutes: 31)
        try await browser.set("count", "3")
        try await browser.get("/history")
        let kept = browser.kept
        browser.hands.pass(minutes: 100)
        try await browser.set("count", "4")
        let page = try await browser.get("/history", [.unattended: "1"]).body
        #expect(
            page.matches(of: /data-change="(\d+)"|seen-line/).map { $0.1.map(String.init) ?? "line" } == [
                "3", "2", "line", "1",
            ])
        #expect(browser.kept == kept)
    }

    @Test(
        "What is no visit of this dashboard counts as none",
        arguments: [
            "", "1", "1.2.3", "x.1800000000", "-1.1800000000", "99.1800000000", "1.1900000000",
            "1.1800000000.2.1800000000",
            "1.1800000000.1.1800000001", "1.1800000000.0.0.0", "9223372036854775808.1", "1.1.0.1%00",
            "-1.1800000000.0.0", "-1.1800000000.-1.1800000000", "-1.1800000000.-2.0", "1.1800000000.-1.0",
            "1.1800000000.0.-9223372036854775808", "1.-9223372036854775808", "1.9223372036854775807",
            "9223372036854775807.1800000000.9223372036854775807.0",
            "9223372036854775807.9223372036854775807.9223372036854775807.9223372036854775807",
        ])
    func foreign(value: String) async throws {
        let browser = try Browser()
        try await browser.set("count", "2")
        try await browser.get("/")
        let name = try #require(browser.cookie).prefix { $0 != "=" }
        browser.cookie = "\(name)=\(value)"
        let page = try await browser.get("/history")
        #expect(page.status == 200 && !page.body.contains(Self.link))
        #expect(browser.kept == "1.1800000000")
    }

    @Test("A filter by a visit or a change that is none says so")
    func problems() async throws {
        let browser = try Browser()
        let unknown = try await browser.get("/history?since=visit").body
        #expect(
            unknown.contains("Since: “visit” is unknown: this is the first visit from this browser.")
        )
        #expect(unknown.contains(">No results</p>"))
        for text in ["soon", "-1", "1.5"] {
            let page = try await browser.get("/history?since=\(text)").body
            #expect(page.contains("Since: “\(text)” is not a change number or visit."), "\(text)")
        }
        #expect(try await browser.fixture.get("/api/v1/history?since=visit").status == 400)
        #expect(try await browser.fixture.get("/api/v1/flags?state=edited").status == 400)
    }

    @Test(
        "The list says which flags were edited outside since the last visit, and leads to just those and to the edits")
    func editedOutside() async throws {
        let browser = try Browser()
        try browser.edit("<key>count</key><integer>1<", "<key>count</key><integer>2<")
        #expect(!(try await browser.get("/").body.contains("edited externally")))
        browser.hands.pass(minutes: 31)
        try await browser.set("count", "3")
        #expect(!(try await browser.get("/").body.contains("edited externally")))
        try browser.edit("<key>limit</key><integer>1<", "<key>limit</key><integer>7<")
        let list = try await browser.get("/").body
        #expect(
            list.contains(
                #"<a class="look-item look-edited" href="/?state=edited">1 edited externally since your last visit</a>"#
            ))
        #expect(list.contains(#"<a href="/history?origin=external&amp;since=visit">View edits</a>"#))
        try browser.edit("<key>limit</key><integer>7<", "<key>limit</key><integer>8<")
        #expect(try await browser.get("/").body.contains("1 edited externally since your last visit"))
        let edited = try await browser.get("/?state=edited").body
        #expect(edited.matches(of: /<li class="flag"[^>]* data-flag="(\w+)"/).map { String($0.1) } == ["limit"])
        #expect(!edited.contains("flagboard list"))
        let edits = try await browser.get("/history?origin=external&since=visit").body
        #expect(edits.matches(of: /data-change="(\d+)"/).map { String($0.1) } == ["4", "3"])
        // The next visit begins with what was seen on this one.
        browser.hands.pass(minutes: 31)
        #expect(!(try await browser.get("/").body.contains("edited externally")))
    }

    @Test("What waits for a restart is told by the banner of every page, and not again by the list")
    func waiting() async throws {
        let browser = try Browser(role: .editor)
        try await browser.get("/")
        try browser.edit("<dict>", "<dict><key>mode</key><integer>3</integer>")
        let page = try await browser.get("/").body
        #expect(page.contains("1 change pending app restart"))
        let panel = page.firstMatch(of: /(?s)<details class="look".*?<\/details>/)?.output
        #expect(panel?.contains("restart") != true)
        #expect(page.matches(of: /Mark as restarted/).count == 1)
        let list = try await browser.get("/?state=waiting").body
        #expect(list.matches(of: /<li class="flag"[^>]* data-flag="(\w+)"/).map { String($0.1) } == ["mode"])
    }

    @Test("Dashboards of other files or at other ports, and a dashboard below a path, keep cookies of their own")
    func names() throws {
        func tag(_ path: String, _ authority: String?, _ scheme: Dashboard.Scheme = .http) -> String {
            ViewerCookie.tag(of: URL(filePath: path), at: authority, scheme)
        }
        let tags = [
            tag("/data/flags.xml", "box:8080"), tag("/data/flags.xml", "box:8081"), tag("/srv/flags.xml", "box:8080"),
        ]
        #expect(Set(tags).count == 3 && tags.allSatisfy { $0.count == 8 })
        #expect(tag("/data/flags.xml", "other:8080") == tags[0])
        #expect(tag("/data/flags.xml", "box", .https) == tag("/data/flags.xml", "box:443", .https))
        let cookie = ViewerCookie("visit", tag: "1a2b3c4d", scheme: .https, below: try MountPath("/admin/flags"))
        #expect(
            cookie.setting("1.2")
                == "flagboard-visit-1a2b3c4d=1.2; Path=/admin/flags/; HttpOnly; SameSite=Lax; Max-Age=31536000; Secure"
        )
    }
}
