import HTTPTypes
import Hummingbird
import Logging

extension EmbeddedDashboard {
    /// Authenticates the sender of a request; `nil` refuses it.
    ///
    /// Called for every request, and repeatedly during a page's event stream, so that a person whose access ends
    /// receives nothing more.
    public typealias Authorization<Context> = @Sendable (Request, Context) async throws -> Dashboard.Person?

    /// Serves the dashboard to people whom the app authenticates.
    ///
    /// Style sheets, scripts and `healthz` are public; they reveal nothing of the flags. Errors that `authorization`
    /// throws pass through the app's middlewares.
    ///
    /// - Parameters:
    ///   - router: The app's router, or a group of it without a path of its own. Earlier middlewares apply.
    ///   - authorization: Authenticates each request.
    public func mount<Context: EmbeddingContext>(
        on router: some RouterMethods<Context>, authorization: @escaping Authorization<Context>
    ) {
        add(dashboard.letting(in: .app), to: router, asking: authorization)
    }

    /// Serves the dashboard to people who sign in to it with tokens, as `flagboard serve` does.
    ///
    /// - Parameters:
    ///   - router: The app's router, or a group of it without a path of its own. Earlier middlewares apply.
    ///   - access: The people to admit: with ``AccessPolicy/signIn(_:)``, holders of a token.
    public func mount<Context: EmbeddingContext>(on router: some RouterMethods<Context>, access: AccessPolicy) {
        add(dashboard.letting(in: access), to: router) { _, _ in nil }
    }

    private static var methods: [HTTPRequest.Method] { [.get, .head, .post, .put, .delete, .patch, .options] }

    private func add<Context: EmbeddingContext>(
        _ dashboard: Dashboard, to router: some RouterMethods<Context>,
        asking authorization: @escaping Authorization<Context>
    ) {
        let mount = dashboard.mount
        let responder = dashboard.router(logger: logger).buildResponder()
        let answer: @Sendable (Request, Context) async throws -> Response = { request, context in
            guard let inner = mount.request(request) else {
                guard let redirect = mount.redirectHome(request, from: [mount.text]) else { throw HTTPError(.notFound) }
                return redirect
            }
            var own = DashboardContext(context)
            own.appsWord = { try await authorization(request, context) }
            do {
                return mount.response(try await responder.respond(to: inner, context: own))
            } catch let refusal as AppRefusal {
                throw refusal.cause
            }
        }
        for method in Self.methods {
            router.on(RouterPath(mount.text), method: method, use: answer)
            router.on(RouterPath(mount.text + "/**"), method: method, use: answer)
        }
    }
}
