import FlagChanges
import Foundation
import HTTPTypes
import Hummingbird
import Logging
import Testing

@testable import Flagboard

@Suite("Who may follow the stream of events", .timeLimit(.minutes(10)))
struct EventAccessTests {
    /// What a listener by this field in the head of its request is sent until the stream ends.
    private static func stream(
        of fixture: AccessFixture, _ field: String, while body: @escaping @Sendable () async throws -> Void
    ) async throws -> String {
        let dashboard = fixture.dashboard.dashboard
        _ = dashboard.states.value { EventStreams(heartbeat: .milliseconds(10)) }
        let (answers, answer) = AsyncStream.makeStream(of: String.self)
        try await withServer(dashboard.router(logger: Logger(label: "test")), ConnectionLimits()) { port in
            try await Wire.open(port) { wire in
                try await wire.send("GET /events HTTP/1.1\r\nHost: localhost\r\n\(field)\r\n\r\n")
                _ = try await wire.receive(until: EventText.heartbeat)
                try await body()
                answer.yield(try await wire.receive(until: "0\r\n\r\n"))
            }
        }
        for await text in answers { return text }
        return ""
    }

    @Test(
        "A silent stream ends at once where its token is revoked, its session is ended, or its person signs out",
        arguments: ["/access/tokens/revoke", "/access/sessions/revoke", "/sign-out"])
    func endsAtOnce(path: String) async throws {
        let fixture = try AccessFixture()
        let cookie = "\(AccessFixture.cookieName)=\(try await fixture.signIn(try await fixture.token("vic", .viewer)))"
        let admin = "\(AccessFixture.cookieName)=\(try await fixture.signIn(fixture.launchSecret))"
        let dashboard = fixture.dashboard.dashboard
        _ = dashboard.states.value { EventStreams(heartbeat: .seconds(36_000)) }
        let router = dashboard.router(logger: Logger(label: "test"))
        let (answers, answer) = AsyncStream.makeStream(of: String.self)
        try await withServer(router, ConnectionLimits()) { port in
            try await Wire.open(port) { wire in
                try await wire.send("GET /events HTTP/1.1\r\nHost: localhost\r\nCookie: \(cookie)\r\n\r\n")
                _ = try await wire.receive(until: EventText.heartbeat)
                try await Wire.open(port) { other in
                    let body = path.hasSuffix("tokens/revoke") ? "name=vic" : "session=1"
                    try await other.send(
                        "POST \(path) HTTP/1.1\r\nHost: localhost\r\nSec-Fetch-Site: same-origin\r\n"
                            + "Cookie: \(path == "/sign-out" ? cookie : admin)\r\nContent-Length: \(body.utf8.count)\r\n"
                            + "Content-Type: application/x-www-form-urlencoded\r\n\r\n\(body)")
                    #expect(try await other.receive(until: "\r\n\r\n").hasPrefix("HTTP/1.1 303 "))
                    answer.yield(try await wire.receive(until: "0\r\n\r\n"))
                }
            }
        }
        for await text in answers {
            #expect(text.contains(EventText.ended))
            break
        }
    }

    @Test("A stream ends, and says so, when its session does")
    func sessionEnds() async throws {
        let fixture = try AccessFixture()
        let identifier = try await fixture.signIn(try await fixture.token("vic", .viewer))
        let control = fixture.control
        let text = try await Self.stream(of: fixture, "Cookie: \(AccessFixture.cookieName)=\(identifier)") {
            control.signOut([identifier])
        }
        #expect(text.contains(EventText.ended))
    }

    @Test("A stream ends when its session is over by its age, which the stream itself does not put off")
    func sessionAges() async throws {
        let fixture = try AccessFixture()
        let identifier = try await fixture.signIn(try await fixture.token("vic", .viewer))
        let clock = fixture.clock
        let text = try await Self.stream(of: fixture, "Cookie: \(AccessFixture.cookieName)=\(identifier)") {
            clock.advance(hours: 8)
        }
        #expect(text.contains(EventText.ended))
        #expect(try await fixture.get("/", cookie: identifier).status == 401)
    }

    @Test("Neither following the stream nor what a page asks by itself is a use of a session")
    func unattended() async throws {
        let fixture = try AccessFixture()
        let cookie = "\(AccessFixture.cookieName)=\(try await fixture.signIn(fixture.launchSecret))"
        fixture.clock.advance(hours: 5)
        #expect(try await fixture.dashboard.ask(.head, "/events", [.cookie: cookie]).status == 200)
        #expect(try await fixture.dashboard.ask(.get, "/", [.cookie: cookie, .unattended: "1"]).status == 200)
        fixture.clock.advance(hours: 3)
        #expect(try await fixture.dashboard.ask(.get, "/", [.cookie: cookie]).status == 401)
    }

    @Test("A stream ends when its token is revoked, by session and by itself", arguments: [true, false])
    func tokenRevoked(isSession: Bool) async throws {
        let fixture = try AccessFixture()
        let secret = try await fixture.token("vic", .viewer)
        let cookie = "Cookie: \(AccessFixture.cookieName)=\(try await fixture.signIn(secret))"
        let file = fixture.tokensFile
        let text = try await Self.stream(of: fixture, isSession ? cookie : "Authorization: Bearer \(secret)") {
            try await file.revoke(name: "vic")
        }
        #expect(text.contains(EventText.ended))
    }

    @Test(
        "A stream ends when the token of its name has another role, or is another one",
        arguments: [
            ChangeAuthor.Role.editor, .viewer,
        ])
    func tokenReplaced(role: ChangeAuthor.Role) async throws {
        let fixture = try AccessFixture()
        let secret = try await fixture.token("vic", .viewer)
        let (file, now) = (fixture.tokensFile, fixture.clock.now)
        let text = try await Self.stream(of: fixture, "Authorization: Bearer \(secret)") {
            try await file.revoke(name: "vic")
            _ = try await file.add(name: "vic", role: role, expires: nil, at: now)
        }
        #expect(text.contains(EventText.ended))
    }
}
