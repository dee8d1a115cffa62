import FlagChanges
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Logging
import Testing

@testable import Flagboard

@Suite("Routes")
struct RoutesTests {
    /// A path of a route, as a browser asks for it.
    private static func sample(_ route: Route) -> String {
        route.path(route.path.contains(":") ? "1" : route.path.contains("**") ? "count" : "")
    }

    private static let root = Samples.templates.deletingLastPathComponent()

    /// The files below a folder of the project, with what they hold.
    private static func texts(in folder: String, _ ending: String) throws -> [(name: String, text: String)] {
        let folder = root.appending(path: folder)
        return try FileManager.default.subpathsOfDirectory(atPath: folder.path(percentEncoded: false))
            .filter { $0.hasSuffix(ending) }
            .map { (name: $0, text: try String(contentsOf: folder.appending(path: $0), encoding: .utf8)) }
    }

    @Test("The features have each address once, and all that are declared, as the tests of pages read them")
    func list() throws {
        let source = try Self.texts(in: "Sources/Dashboard/Flagboard", ".swift").map(\.text).joined()
        let declared = source.matches(of: /static let \w+ = (?:Route|action)\(\s*"([^"]+)", "([^"]+)"/)
        #expect(declared.count > 40)
        #expect(declared.map { String($0.2) }.sorted() == Route.all.map(\.path).sorted())
        #expect(Set(Route.all.map(\.path)).count == Route.all.count)
        #expect(Set(Route.all.map(\.name)).count == Route.all.count)
        #expect(Route.all.allSatisfy { Route.at(Self.sample($0)) == $0 && Route.reached(by: Self.sample($0)) == $0 })
    }

    @Test("The router answers what the list has, and nothing else")
    func router() throws {
        let router = try DashboardFixture("").dashboard.router(logger: Logger(label: "test"))
        let answered = router.routes.map { "\($0.method) \($0.path)" }
        let listed = Route.all.flatMap { route in
            route.methods.filter { $0 != .head }.map { "\($0) \(RouterPath(route.path))" }
        }
        // To the router, an address of nothing but empty components behind a prefix is the prefix.
        let alone =
            ["PUT", "DELETE"].map { "\($0) \(RouterPath(Route.apiFlags.path))" }
            + ["POST", "PUT", "DELETE"].map { "\($0) \(RouterPath(Route.apiDefinitions.path))" }
        #expect(answered.sorted() == (listed + alone).sorted())
    }

    @Test("Each address refuses every method that the list doesn't have for it, and names those that it has")
    func methods() async throws {
        let all = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "BREW", "get"]
        let methods = try all.map { try #require(HTTPRequest.Method($0)) }
        try await AccessFixture().dashboard.withClient { client in
            for route in Route.all {
                let allowed = route.methods.map(\.rawValue).joined(separator: ", ")
                for method in methods where !route.methods.contains(method) {
                    let answer = try await client.execute(uri: Self.sample(route), method: method) { $0 }
                    #expect(answer.status.code == 405 && answer.headers[.allow] == allowed, "\(method) \(route.path)")
                }
                for method in route.methods {
                    let status = try await client.execute(uri: Self.sample(route), method: method) { $0.status.code }
                    #expect(status != 405, "\(method) \(route.path)")
                }
            }
        }
    }

    @Test("Each address lets in whom the list says", arguments: [nil] + ChangeAuthor.Role.allCases)
    func visitors(role: ChangeAuthor.Role?) async throws {
        let fixture = try AccessFixture()
        var headers: HTTPFields = [.secFetchSite: "same-origin"]
        if let role { headers[.authorization] = "Bearer \(try await fixture.token("somebody", role))" }
        for route in Route.all {
            // The stream of events has no end; its head has.
            for method in route.methods where method != .get {
                let status = try await fixture.dashboard.ask(method, Self.sample(route), headers).status
                switch (route.visitors, role) {
                case (.everybody, nil): #expect([200, 401].contains(status), "\(method) \(route.path)")
                case (_, nil): #expect(status == 401, "\(method) \(route.path)")
                case (.admins, .viewer), (.admins, .editor): #expect(status == 403, "\(method) \(route.path)")
                case (.admins, .admin): #expect(status != 401 && status != 403, "\(method) \(route.path)")
                // Whoever asks for the page to sign in with, and names no token, is not let in by that.
                case (.everybody, _):
                    #expect(method == .post ? status == 401 : status == 200, "\(method) \(route.path)")
                case (.signedIn, _): #expect(status != 401, "\(method) \(route.path)")
                }
            }
        }
    }

    @Test("A page that may show secrets is never compressed, and any other is, however its path is written")
    func secrets() async throws {
        let fixture = try AccessFixture()
        let headers: HTTPFields = [
            .authorization: "Bearer \(try await fixture.token("somebody", .admin))", .acceptEncoding: "gzip",
        ]
        var seen: [Bool: Int] = [:]
        let streams = [Route.events, .evaluationEvents]
        for route in Route.all where route.methods.contains(.get) && !streams.contains(route) {
            for path in [Self.sample(route), "\(Self.sample(route))/", "/\(Self.sample(route))"] {
                let answer = try await fixture.dashboard.ask(.get, path, headers)
                guard answer.status == 200, answer.headers[.contentType]?.hasPrefix("text/html") == true else {
                    continue
                }
                #expect((answer.headers[.contentEncoding] == nil) == route.mayShowSecrets, "\(path)")
                #expect((answer.headers[.vary] == nil) == route.mayShowSecrets, "\(path)")
                #expect(answer.headers[.cacheControl] == "no-store", "\(path)")
                seen[route.mayShowSecrets, default: 0] += 1
            }
        }
        #expect(seen[true] == 6 && seen[false] ?? 0 > 20)
    }

    @Test(
        "A path is a route's byte by byte alone",
        arguments: [
            "/sign-in/", "//sign-in", "/sign%2Din", "/Sign-in", "/sign-in\u{301}", "/sign-in ", "sign-in", "", "//",
            "/history\u{338}", "/history/", "/history//revert", "/history/1/revert/", "/history/1/2", "/nowhere",
            "/healthz/", "/metrics/", "/ofrep/v1/evaluate", "/api/v1/flag", "/flagsx", "/\u{301}flags/x",
        ])
    func strangers(path: String) {
        #expect(Route.at(path) == nil)
        #expect(!Route.isForEverybody(path))
        #expect(Route.methods(of: path) == (Route.isInAPI(path) ? [.get, .head] : [.get, .head, .post]))
    }

    @Test(
        "What a path holds behind a prefix may be anything",
        arguments: [
            ("/flags/", .flag), ("/flags/a/b", .flag), ("/flags/\u{301}a", .flag), ("/flags//", .flag),
            ("/definitions/newer", .definition), ("/definitions/new", .newDefinition), ("/history/x", .change),
            ("/history/at", .timeMachine), ("/api/v1/flags/", .apiFlag),
        ] as [(String, Route)])
    func prefixes(path: String, route: Route) {
        #expect(Route.at(path) == route)
    }

    @Test(
        "A form leads back to the page that it is on",
        arguments: [
            ("/flags/a?provider=b", "/flags/a?provider=b"), ("/history/7/revert", "/history/7"),
            ("/history/7/reason?x", "/history/7"), ("/selected?x", "/"),
            ("/restarted", "/"), ("/settings", "/settings"),
            ("/searches", "/searches"), ("/batch?preview=x", "/batch?preview=x"),
        ])
    func formPages(form: String, page: String) throws {
        let route = try #require(Route.at(String(form.prefix { $0 != "?" })))
        #expect(route.resuming != nil && Route.page(ofForm: form) == page)
        #expect(Route.at(String(page.prefix { $0 != "?" }))?.methods.contains(.get) == true)
    }

    @Test("Whatever form may be sent again is one, and leads to a page")
    func resumableForms() {
        for route in Route.all where route.resuming != nil {
            #expect(route.methods.contains(.post), "\(route.path)")
            #expect(Route.at(Route.page(ofForm: Self.sample(route)))?.methods.contains(.get) == true, "\(route.path)")
        }
    }

    @Test("No template, script or other source has an address of its own")
    func literals() throws {
        let templates = try Self.texts(in: "Templates", ".mustache")
        #expect(templates.count > 40)
        for (name, text) in templates { #expect(text.firstMatch(of: /="\//) == nil, "\(name)") }
        let scripts = try Self.texts(in: "Public", ".js")
        #expect(scripts.count > 10)
        for (name, text) in scripts {
            #expect(text.firstMatch(of: /["'`]\/[A-Za-z?#]/) == nil, "\(name)")
            #expect(text.firstMatch(of: /pathname\s*[!=]==?\s*["'`]/) == nil, "\(name)")
        }
        // The public files are found by their names, whatever is before them.
        let listed = ["Ground/Route.swift", "Rendering/PageAssets.swift"]
        for (name, text) in try Self.texts(in: "Sources/Dashboard/Flagboard", ".swift")
        where !listed.contains(name) && !name.contains("/Feature+") {
            let code = text.split(separator: "\n").filter { !$0.drop { $0 == " " }.hasPrefix("//") }.joined(
                separator: "\n")
            #expect(code.firstMatch(of: /"\/[a-z]/) == nil, "\(name)")
        }
    }
}
