import FeatureFlags
import FeatureFlagsXML
import FlagChanges
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Logging
import Testing

@testable import Flagboard

/// The flags of an app that the dashboard is embedded in.
struct EmbeddedFlags: FlagCollectionProtocol {
    @Flag(default: false, description: "Pay in one click")
    var quickCheckout: Bool

    @Flag(default: 3, description: FlagMetadata(description: "How often a payment is tried", isLocked: true))
    var retries: Int

    @Flag(default: 1, description: FlagMetadata(description: "Nobody's business", isInternal: true))
    var secret: Int

    @Flag(default: 4.9, description: "In euros")
    var deliveryFee: Double

    @Flag(default: 10, excludedProviderNames: ["Local"], description: "How many a page shows")
    var pageSize: Int

    @Flag(default: "plain", excludedProviders: [LocalProvider.self], description: "How the shop looks")
    var theme: String
}

/// An app with the dashboard in it below `/staff/flags`, and what it was asked to let in.
final class EmbeddedFixture {
    static let path = "/staff/flags"
    let folder: URL
    let sale: InMemoryProvider
    let manager: FlagsManager
    let flags: FlagsLoader<EmbeddedFlags>
    let embedded: EmbeddedDashboard

    var values: URL { folder.appending(path: "flags.xml") }
    var manifest: URL { folder.appending(path: "flags.manifest.xml") }

    init(
        scheme: Dashboard.Scheme = .http, environment: [String: String] = [:], hasTeam: Bool = false,
        prepare: (URL) throws -> Void = { _ in },
        configure: (inout EmbeddedDashboard.Options) -> Void = { _ in }
    ) async throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "embedded-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try prepare(folder)
        sale = InMemoryProvider(name: "Sale")
        let local = LocalProvider(localURL: folder.appending(path: "flags.xml"))
        let team = hasTeam ? [LocalProvider(localURL: folder.appending(path: "team.xml"), name: "Team")] : []
        manager = FlagsManager(
            providers: [sale, local] + team + [EnvironmentProvider(prefix: "APP_", environment: environment)])
        flags = manager.addCollection(EmbeddedFlags.self)
        var options = EmbeddedDashboard.Options()
        options.scheme = scheme
        configure(&options)
        let hosts = HostAllowList()
        hosts.allow(host: "localhost", port: scheme.defaultPort, scheme: scheme)
        embedded = try await EmbeddedDashboard(
            of: manager, at: Self.path, hosts: hosts, options: options,
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
    }

    deinit {
        do {
            try FileManager.default.removeItem(at: folder)
        } catch {
            FileHandle.standardError.write(Data("\(folder) stays: \(error)\n".utf8))
        }
    }

    /// Whom the app lets in, by a header of its own: `admin`, `editor` or `viewer`, nobody else.
    static let authorization: EmbeddedDashboard.Authorization<BasicEmbeddingContext> = { request, _ in
        guard let name = request.headers[.named("Role")] else {
            throw HTTPError(.unauthorized, message: "Who are you?")
        }
        return ChangeAuthor.Role(rawValue: name).map { Dashboard.Person(name: "ada", role: $0) }
    }

    /// Sends a request to the app; a body is a form of a page of its own host.
    func ask(
        _ method: HTTPRequest.Method, _ path: String, as role: String? = "admin", _ headers: HTTPFields = [:],
        body: String? = nil, access: AccessPolicy? = nil
    ) async throws -> DashboardFixture.Answer {
        let router = Router(context: BasicEmbeddingContext.self)
        router.add(middleware: Mark())
        router.get("/") { _, _ in "the app's own page" }
        router.get("/staff") { _, _ in "the staff's page" }
        if let access {
            embedded.mount(on: router, access: access)
        } else {
            embedded.mount(on: router, authorization: Self.authorization)
        }
        var sent = headers
        if let role { sent[.named("Role")] = role }
        if body != nil {
            if sent[.contentType] == nil { sent[.contentType] = "application/x-www-form-urlencoded" }
            if sent[.secFetchSite] == nil { sent[.secFetchSite] = "same-origin" }
        }
        let all = sent
        return try await Application(router: router).test(.router) { client in
            try await client.execute(uri: path, method: method, headers: all, body: body.map { ByteBuffer(string: $0) })
            {
                DashboardFixture.Answer(status: $0.status.code, headers: $0.headers, body: String(buffer: $0.body))
            }
        }
    }

    /// Asks for a page.
    func ask(
        _ path: String, as role: String? = "admin", _ headers: HTTPFields = [:], access: AccessPolicy? = nil
    ) async throws -> DashboardFixture.Answer {
        try await ask(.get, path, as: role, headers, access: access)
    }

    /// A middleware of the app.
    private struct Mark: RouterMiddleware {
        typealias Context = BasicEmbeddingContext

        func handle(
            _ request: Request, context: Context, next: (Request, Context) async throws -> Response
        ) async throws -> Response {
            var response = try await next(request, context)
            response.headers[.server] = "the app"
            return response
        }
    }
}
