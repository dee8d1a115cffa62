import FeatureFlags
import FeatureFlagsXML
import FlagChanges
import Flagboard
import Foundation
import Hummingbird

/// A shop that serves its own pages, and the dashboard on its flags to its staff.
@main
struct EmbeddedShop {
    static func main() async throws {
        let sale = InMemoryProvider(name: "Sale")
        let manager = FlagsManager(providers: [sale, LocalProvider(localURL: URL(filePath: "shop.xml"))])
        let flags = manager.addCollection(ShopFlags.self)

        let router = Router(context: BasicEmbeddingContext.self)
        router.add(middleware: ShopHeader())
        router.get("/") { _, _ in
            "Paying takes \(flags.quickCheckout ? "one click" : "a form"), and delivery costs \(flags.deliveryFee).\n"
        }
        router.post("/sale/:fee") { _, context in
            try flags.$deliveryFee.set(try context.parameters.require("fee", as: Double.self), in: sale.name)
            return HTTPResponse.Status.noContent
        }
        router.post("/quick") { _, _ in
            try flags.$quickCheckout.set(true, in: "Local")
            return HTTPResponse.Status.noContent
        }

        let hosts = HostAllowList()
        let dashboard = try await EmbeddedDashboard(of: manager, at: "/staff/flags", hosts: hosts)
        dashboard.mount(on: router) { request, _ in try People.sender(of: request) }

        let port = ProcessInfo.processInfo.environment["PORT"].flatMap { Int($0) } ?? 8080
        let app = Application(
            router: router, configuration: ApplicationConfiguration(address: .hostname("127.0.0.1", port: port)),
            services: [dashboard],
            onServerRunning: { channel in
                let port = channel.localAddress?.port ?? port
                hosts.allow(host: "127.0.0.1", port: port)
                print("The shop is open at http://127.0.0.1:\(port)/, for its staff at /staff/flags/")
                fflush(nil)
            })
        try await app.runService()
    }
}

/// What the shop can switch.
struct ShopFlags: FlagCollectionProtocol {
    @Flag(default: false, description: "Pay in one click")
    var quickCheckout: Bool

    @Flag(default: 4.9, description: "What delivery costs, in euros")
    var deliveryFee: Double
}

/// A middleware of the shop, which every answer passes, the dashboard's too.
struct ShopHeader: RouterMiddleware {
    func handle(
        _ request: Request, context: BasicEmbeddingContext,
        next: (Request, BasicEmbeddingContext) async throws -> Response
    ) async throws -> Response {
        var response = try await next(request, context)
        response.headers[.server] = "Shop"
        return response
    }
}

/// Those whom the shop knows.
///
/// A real one asks its own users and their sessions.
enum People {
    /// What each may do with flags: the customer nothing.
    private static let all: [String: Dashboard.Person?] = [
        "ada:lovelace": Dashboard.Person(name: "ada", role: .admin),
        "bob:builder": Dashboard.Person(name: "bob", role: .viewer),
        "eve:customer": nil,
    ]

    /// Who sends a request, by HTTP's basic authentication.
    ///
    /// - Parameter request: The request.
    /// - Returns: `nil` for a person who has no business with flags.
    /// - Throws: 401 where no person is named that the shop knows.
    static func sender(of request: Request) throws -> Dashboard.Person? {
        let field = request.headers[.authorization] ?? ""
        let sent = field.hasPrefix("Basic ") ? Data(base64Encoded: String(field.dropFirst(6))) : nil
        guard let person = sent.flatMap({ all[String(decoding: $0, as: UTF8.self)] }) else {
            throw HTTPError(.unauthorized, headers: [.wwwAuthenticate: "Basic realm=\"The shop\""])
        }
        return person
    }
}
