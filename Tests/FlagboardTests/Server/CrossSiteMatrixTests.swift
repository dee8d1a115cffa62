import FlagHistory
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Logging
import Testing

@testable import Flagboard

/// Every method on every route, from every kind of site and origin.
///
/// Without `FLAGBOARD_ALL_ATTACKS` in the environment, every eleventh of the 21,000 requests is made.
@Suite("Requests that a page of another site may bring about")
struct CrossSiteMatrixTests {
    /// What `Sec-Fetch-Site` a request may have, with whether it alone lets the request change something.
    private static let sites: [(values: [String], isOwn: Bool?)] = [
        ([], nil), (["same-origin"], true), (["none"], false), (["same-site"], false), (["cross-site"], false),
        (["Same-Origin"], false), (["same-origin, cross-site"], false), (["same-origin", "same-origin"], false),
        (["cross-site", "same-origin"], false), ([""], false), (["nonsense"], false), (["same-origin;x"], false),
    ]

    private static let origins: [(values: [String], isOwn: Bool)] = [
        ([], false), (["http://localhost"], true), (["null"], false), ([""], false), (["http://localhost:1"], false),
        (["https://localhost"], false), (["http://evil.localhost"], false), (["http://localhost@evil.example"], false),
        (["http://evil.example@localhost"], false), (["HTTP://LOCALHOST"], false), (["http://localhost."], false),
        (["http://localhost/"], false), (["http://localhost", "http://localhost"], false), (["localhost"], false),
        (["http://evil.example", "http://localhost"], false), (["http://evil.example http://localhost"], false),
        (["http://localhost\u{301}"], false), (["http://localhost.evil.example"], false), (["file://"], false),
        (["http://127.0.0.1"], false), (["ws://localhost"], false), (["*"], false),
    ]

    private static let paths = [
        "/", "/flags/count", "/flags?key=count", "/data?key=count", "/history", "/history/1", "/history/1/revert",
        "/history/at/values.xml", "/export", "/export/flags.xml", "/import", "/selected", "/flagboard.css", "/nowhere",
        "/events", "/help", "/definitions/new", "/definitions/count", "/restarted", "/batch", "/batch?preview=x",
        "/compare", "/environments", "/history/at",
    ]

    private static let forms = [
        "/flags", "/import", "/selected", "/definitions", "/restarted", "/batch", "/compare", "/environments",
        "/history/at",
    ]

    private static let unsafeMethods = ["POST", "PUT", "PATCH", "DELETE", "LOCK", "BREW", "get", "post"]

    private static let step = ProcessInfo.processInfo.environment["FLAGBOARD_ALL_ATTACKS"] == nil ? 11 : 1

    @Test("Only what this very origin sends gets as far as a route, and only that is ever written")
    func matrix() async throws {
        let fixture = try DashboardFixture(
            "<key>count</key><integer>3</integer>", flags: [DashboardFixture.flag("count", "integer")])
        let before = try Data(contentsOf: fixture.file)
        let form = DashboardFixture.encoded(["action": "set", "value": "4"])
        let (tried, wrong) = try await fixture.withClient { client in
            var tried = 0
            var number = 0
            var wrong: [String] = []
            for path in Self.paths {
                for rawMethod in Self.unsafeMethods {
                    let method = try #require(HTTPRequest.Method(rawMethod))
                    for site in Self.sites {
                        for origin in Self.origins {
                            number += 1
                            if number % Self.step != 0 { continue }
                            // What may change something is tried by itself below.
                            let isAllowed = site.isOwn ?? origin.isOwn
                            if isAllowed, method == .post, Self.forms.contains(where: path.hasPrefix) { continue }
                            var headers: HTTPFields = [.contentType: "application/x-www-form-urlencoded"]
                            for value in site.values { headers.append(HTTPField(name: .secFetchSite, value: value)) }
                            for value in origin.values { headers.append(HTTPField(name: .origin, value: value)) }
                            let status = try await client.execute(
                                uri: path, method: method, headers: headers, body: ByteBuffer(string: form)
                            ) { $0.status.code }
                            tried += 1
                            let isTaken = Route.methods(of: path.components(separatedBy: "?")[0]).contains(method)
                            let expected = !isTaken ? 405 : isAllowed ? 404 : 403
                            if status != expected { wrong.append("\(rawMethod) \(path) \(site) \(origin): \(status)") }
                            if wrong.count > 9 { return (tried, wrong) }
                        }
                    }
                }
            }
            return (tried, wrong)
        }
        #expect(tried > 18_000 / Self.step)
        #expect(wrong == [])
        #expect(try Data(contentsOf: fixture.file) == before)
        #expect(try fixture.rows().isEmpty)
    }

    @Test(
        "What this very origin sends is written",
        arguments: [
            [HTTPField(name: .secFetchSite, value: "same-origin")],
            [HTTPField(name: .origin, value: "http://localhost")],
            [
                HTTPField(name: .secFetchSite, value: "same-origin"),
                HTTPField(name: .origin, value: "http://localhost"),
            ],
        ])
    func own(fields: [HTTPField]) async throws {
        let fixture = try DashboardFixture(
            "<key>count</key><integer>3</integer>", flags: [DashboardFixture.flag("count", "integer")])
        let form = DashboardFixture.encoded(["action": "set", "value": "4"])
        let answer = try await fixture.ask(.post, "/flags/count", HTTPFields(fields), body: form)
        #expect(answer.status == 303)
        #expect(try fixture.rows().count == 1)
    }
}
