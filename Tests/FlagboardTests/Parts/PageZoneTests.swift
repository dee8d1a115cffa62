import FeatureFlags
import Foundation
import HTTPTypes
import Testing

@testable import Flagboard

@Suite("Times in the zone of their page")
struct PageZoneTests {
    @Test(
        "A time is told by the clocks of the zone, with how far they are ahead of UTC, and in UTC beside it",
        arguments: [
            ("UTC", "2026-11-21 23:05:09 UTC"), ("Europe/Berlin", "2026-11-22 00:05:09 UTC+1"),
            ("Asia/Kathmandu", "2026-11-22 04:50:09 UTC+5:45"), ("America/New_York", "2026-11-21 18:05:09 UTC−5"),
            ("Etc/UTC", "2026-11-21 23:05:09 UTC"), ("Europe/London", "2026-11-21 23:05:09 UTC"),
        ])
    func zones(zone: String, text: String) throws {
        let date = try #require(FlagDate.parse("2026-11-21T23:05:09Z"))
        let known = try #require(TimeZone(identifier: zone))
        let told = PageZone.$current.withValue(known) { TimeText(date) }
        #expect(told.text == text)
        #expect(told.utc == "2026-11-21 23:05:09 UTC" && told.machine == "2026-11-21T23:05:09Z")
    }

    @Test("In summer the clocks of a zone are further ahead, and a time of no year is told in UTC")
    func summer() throws {
        let date = try #require(FlagDate.parse("2026-07-01T10:00:00Z"))
        PageZone.$current.withValue(Samples.berlin) {
            #expect(TimeText(date).text == "2026-07-01 12:00:00 UTC+2")
            let never = Date(timeIntervalSince1970: 1e15)
            #expect(TimeText(never).text == TimeText(never).utc)
        }
    }

    @Test("A page tells times in the zone that the viewer chose, else in the browser's; programs are told them in UTC")
    func requests() async throws {
        let fixture = try DashboardFixture("<key>count</key><integer>3</integer>")
        _ = try await fixture.post("/flags/count", ["action": "set", "value": "4"])
        let browser = "flagboard-zone=Asia%2FKathmandu"
        let page = try await fixture.ask(.get, "/history", [.cookie: browser]).body
        #expect(page.contains(/title="[^"]* UTC\+5:45 \([^"]* UTC\)">/) && page.contains("From (Asia/Kathmandu)"))
        #expect(page.contains("<input type=\"hidden\" name=\"zone\" value=\"Asia/Kathmandu\">"))
        let chosen = "\(browser); flagboard-settings=zone=America%2FPhoenix"
        let other = try await fixture.ask(.get, "/history", [.cookie: chosen]).body
        #expect(other.contains("From (America/Phoenix)") && other.contains(/title="[^"]* UTC−7 \([^"]* UTC\)">/))
        let program = try await fixture.ask(.get, "/api/v1/history", [.cookie: browser]).body
        #expect(!program.contains("+05:45") && !program.contains("UTC+"))
        let reason = try await fixture.ask(
            .post, "/history/at", [.cookie: browser, .secFetchSite: "same-origin"], body: "before=1&restore=all")
        let preview = try await fixture.ask(.get, try #require(reason.headers[.location]), [.cookie: browser]).body
        #expect(preview.contains("Restore from 20") && preview.contains(" UTC\""), "what is kept is in UTC")
    }
}
