import FlagChanges
import Foundation
import HTTPTypes
import Synchronization

@testable import Flagboard

/// A time that a test sets.
final class TestClock: Sendable {
    private let time = Mutex(Date(timeIntervalSince1970: 1_795_269_909))

    var now: Date { time.withLock { $0 } }

    func advance(hours: Double = 0, seconds: Double = 0) {
        time.withLock { $0 += hours * 3600 + seconds }
    }
}

/// A dashboard that people sign in to, over real files, with its sign-in link and what it logged.
final class AccessFixture {
    let clock = TestClock()
    let dashboard: DashboardFixture
    let control: AccessControl
    let tokensFile: TokensFile
    let logged = Lines()
    /// The tokens of the links that replaced the first one.
    let replacements = Lines()
    let launchSecret: String

    final class Lines: Sendable {
        private let lines = Mutex<[String]>([])
        var all: [String] { lines.withLock { $0 } }
        func add(_ line: String) { lines.withLock { $0.append(line) } }
    }

    static let cookieName = "flagboard_80"

    init(
        scheme: Dashboard.Scheme = .http, hasLink: Bool = true, publicURL: PublicURL? = nil,
        otherOrigins: Set<String> = []
    ) throws {
        let (clock, logged, replacements) = (clock, logged, replacements)
        var made: AccessControl?
        let launch = LaunchToken(for: Dashboard.Person(name: "owner", role: .admin), announce: replacements.add)
        dashboard = try DashboardFixture(
            "<key>count</key><integer>3</integer>", flags: [DashboardFixture.flag("count", "integer")],
            scheme: scheme, publicURL: publicURL, otherOrigins: otherOrigins,
            access: { folder in
                let control = AccessControl(
                    tokensFile: TokensFile(folder.appending(path: "flags.tokens.json")),
                    launch: hasLink ? launch : nil, started: clock.now, log: logged.add)
                made = control
                return .signIn(control)
            }, clock: { clock.now })
        guard let made else { throw KeptFileError.refused("the fixture has no access control") }
        control = made
        tokensFile = made.tokensFile
        launchSecret = launch.issue()
    }

    /// Makes a token.
    func token(_ name: String, _ role: ChangeAuthor.Role, days: Double? = nil) async throws -> String {
        let end = days.map { clock.now.addingTimeInterval($0 * 86_400) }
        return try await tokensFile.add(name: name, role: role, expires: end, at: clock.now).secret
    }

    /// Signs in by the form and returns the cookie.
    func signIn(_ secret: String, cookie: String? = nil) async throws -> String {
        let answer = try await post("/sign-in", ["token": secret], cookie: cookie)
        guard answer.status == 303, let identifier = Self.identifier(answer) else {
            throw KeptFileError.refused("not signed in: \(answer.status)")
        }
        return identifier
    }

    /// The session's identifier in the cookie that an answer sets.
    static func identifier(_ answer: DashboardFixture.Answer, named name: String = cookieName) -> String? {
        guard let header = answer.headers[.setCookie], header.hasPrefix("\(name)=") else { return nil }
        return String(header.dropFirst(name.count + 1).prefix { $0 != ";" })
    }

    func get(_ path: String, cookie: String? = nil, bearer: String? = nil) async throws -> DashboardFixture.Answer {
        try await dashboard.ask(.get, path, Self.headers(cookie, bearer))
    }

    /// Posts a form, by default as a page of the dashboard does.
    func post(
        _ path: String, _ fields: KeyValuePairs<String, String>, cookie: String? = nil, bearer: String? = nil,
        headers: HTTPFields = [.secFetchSite: "same-origin"]
    ) async throws -> DashboardFixture.Answer {
        var all = Self.headers(cookie, bearer)
        all.append(contentsOf: headers)
        return try await dashboard.ask(.post, path, all, body: DashboardFixture.encoded(fields))
    }

    private static func headers(_ cookie: String?, _ bearer: String?) -> HTTPFields {
        var headers = HTTPFields()
        if let cookie { headers[.cookie] = "\(cookieName)=\(cookie)" }
        if let bearer { headers[.authorization] = "Bearer \(bearer)" }
        return headers
    }
}
