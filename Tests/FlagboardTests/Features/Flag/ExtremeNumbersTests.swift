import FlagChanges
import FlagHistory
import HTTPTypes
import HummingbirdTesting
import NIOCore
import Testing

@testable import Flagboard

@Suite("Numbers at the end of what there is")
struct ExtremeNumbersTests {
    private static let numbers = [
        "-9223372036854775808", "-9223372036854775807", "-1", "0", "1", "9223372036854775806", "9223372036854775807",
        "9223372036854775808", "-0", "+1", "1e308", "NaN", "\u{0663}", "2147483648", "18446744073709551615",
    ]

    private static let addresses = [
        "/?page=N", "/?view=providers&page=N", "/compare?page=N", "/history?before=N", "/history?after=N",
        "/history?before=N&after=N", "/history?after=N&q=x", "/history?from=N", "/history?to=N", "/history/N",
        "/history/at?before=N", "/history/at?before=1&page=N", "/history/at?time=N", "/history/at?day=N&clock=N",
        "/history/at?start=2026-01-01&days=N", "/history/at?start=N&days=N&zone=N",
        "/history?from=0001-01-01&to=9999-12-31&zone=N",
        "/history/at/values.xml?before=N", "/flags/count?suggestion=N", "/flags?key=count&suggestion=N",
        "/flags/count?change=N&saved=N", "/batch?preview=N", "/import?preview=N", "/export/history.csv?from=N&after=N",
        "/api/v1/history?before=N", "/api/v1/history?after=N", "/api/v1/history?limit=N", "/api/v1/history/N",
        "/api/v1/flags?page=N&limit=N",
    ]

    private static let forms = [
        ("/history/N/revert", "scope=change"), ("/history/1/revert", "scope=batch&change=N"), ("/restarted", "row=N"),
        ("/access/sessions/revoke", "session=N"), ("/batch", "asof=N&preview=N"),
        ("/flags/count", "action=undo&change=N"), ("/flags/count", "action=set&value=N&revision=N"),
        ("/flags/rate", "action=set&value=N"), ("/flags/day", "action=set&value=N&day=N&clock=N&zone=N"),
        ("/definitions/count", "action=save&order=N&minimum=N&maximum=N&type=integer"),
        ("/history/at", "before=N&restore=all"),
    ]

    @Test("No number in an address or a form ends the server, or is answered as its fault")
    func answered() async throws {
        let fixture = try DashboardFixture(
            "<key>count</key><integer>3</integer>",
            flags: [
                DashboardFixture.flag("count", "integer", "<key>suggestions</key><array><integer>7</integer></array>"),
                DashboardFixture.flag("rate", "double"), DashboardFixture.flag("day", "date"),
            ])
        let author = ChangeAuthor(name: "ada", role: .admin, origin: .form)
        for text in ["4", "5"] {
            _ = try await fixture.service.apply(Change(key: Samples.key("count"), action: .setText(text)), by: author)
        }
        let faults = try await fixture.withClient { client in
            var faults: [String] = []
            for number in Self.numbers {
                let written = PageLink.encode(number)
                for address in Self.addresses {
                    let path = address.replacing("N", with: written)
                    let status = try await client.execute(uri: path, method: .get) { $0.status.code }
                    if status >= 500 { faults.append("\(status) GET \(path)") }
                }
                for (address, body) in Self.forms {
                    let path = address.replacing("N", with: written)
                    let status = try await client.execute(
                        uri: path, method: .post,
                        headers: [.secFetchSite: "same-origin", .contentType: "application/x-www-form-urlencoded"],
                        body: ByteBuffer(string: body.replacing("N", with: written))
                    ) { $0.status.code }
                    if status >= 500 { faults.append("\(status) POST \(path) \(number)") }
                }
            }
            return faults
        }
        #expect(faults == [])
    }

    @Test("A page of the history begins at any number, and a download goes on after any", arguments: [Int64.min, .max])
    func history(number: Int64) throws {
        let fixture = try DashboardFixture("<key>count</key><integer>3</integer>")
        let store = fixture.service.history
        var query = HistoryQuery()
        query.olderThan = number
        #expect(try store.page(query).records == [])
        (query.olderThan, query.newerThan) = (nil, number)
        #expect(try store.page(query).records == [])
        #expect(try store.records(matching: HistoryQuery(), after: number) == [])
        #expect(try store.portion(matching: HistoryQuery(), after: number).records == [])
    }

    @Test("Only a suggestion that there is fills the field")
    func suggestions() async throws {
        let fixture = try DashboardFixture(
            "<key>count</key><integer>3</integer>",
            flags: [
                DashboardFixture.flag("count", "integer", "<key>suggestions</key><array><integer>7</integer></array>")
            ])
        #expect(try await fixture.get("/flags/count?suggestion=1").body.contains("value=\"7\""))
        for number in ["0", "2", "-1"] {
            #expect(try await !fixture.get("/flags/count?suggestion=\(number)").body.contains("value=\"7\""))
        }
    }
}
