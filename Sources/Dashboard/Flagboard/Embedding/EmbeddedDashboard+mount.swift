import HTTPTypes
import Hummingbird
import Logging

extension EmbeddedDashboard {
    /// Whom an app lets in as the sender of a request: `nil` for no one.
    ///
    /// It is asked at every request, and for a page's stream of events again and again, so that who is not let in any more hears
    /// nothing.
    package typealias Authorization<Context> = @Sendable (Request, Context) async throws -> Dashboard.Person?

    /// Serves the dashboard to those whom the app lets in.
    ///
    /// Style sheets, scripts and `healthz` are for everybody, as they tell nothing of flags. What `authorization` throws goes
    /// through the app's middlewares like any error of its own.
    ///
    /// - Parameters:
    ///   - router: The app's router, or a group of it without a path of its own; the middlewares that it has by now apply.
    ///   - authorization: Whom the app lets in.
    public func mount<Context: EmbeddingContext>(
        on router: some RouterMethods<Context>, authorization: @escaping Authorization<Context>
    ) {
        add(dashboard.letting(in: .app), to: router, asking: authorization)
    }

    /// Serves the dashboard to those who sign in to it, by tokens, as `flagboard serve` does.
    ///
    /// - Parameters:
    ///   - router: The app's router, or a group of it without a path of its own; the middlewares that it has by now apply.
    ///   - access: Who is let in: with ``AccessPolicy/signIn(_:)`` those who hold a token, such as one of `flagboard token add`.
    public func mount<Context: EmbeddingContext>(on router: some RouterMethods<Context>, access: AccessPolicy) {
        add(dashboard.letting(in: access), to: router) { _, _ in nil }
    }

    /// The methods that are answered below the path, if only to be refused.
    private static var methods: [HTTPRequest.Method] { [.get, .head, .post, .put, .delete, .patch, .options] }

    private func add<Context: EmbeddingContext>(
        _ dashboard: Dashboard, to router: some RouterMethods<Context>,
        asking authorization: @escaping Authorization<Context>
    ) {
        let mount = dashboard.mount
        let responder = dashboard.router(logger: logger).buildResponder()
        let answer: @Sendable (Request, Context) async throws -> Response = { request, context in
            guard let inner = mount.request(request) else { return try mount.redirectHome(request) }
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

extension MountPath {
    /// A request as the dashboard gets it: without this path, in its address and in the page that it comes from.
    ///
    /// - Returns: `nil` where it is not below this path.
    fileprivate func request(_ request: Request) -> Request? {
        guard let path = inner(request.uri.path) else { return nil }
        var head = request.head
        head.path = request.uri.query.map { "\(path)?\($0)" } ?? path
        if let referer = head.headerFields[.referer] { head.headerFields[.referer] = self.referer(referer) }
        return Request(head: head, body: request.body)
    }

    /// A page's address without this path; `nil` for a page of the app outside of it.
    private func referer(_ address: String) -> String? {
        guard let scheme = address.firstRange(of: "://") else { return nil }
        let rest = address[scheme.upperBound...]
        let host = rest.prefix { $0 != "/" }
        return inner(String(rest[host.endIndex...])).map { address[..<host.endIndex] + $0 }
    }

    /// An answer of the dashboard as browsers get it.
    fileprivate func response(_ response: Response) -> Response {
        guard let location = response.headers[.location] else { return response }
        var response = response
        response.headers[.location] = address(of: location)
        return response
    }

    /// Sends a browser from `/flags` to `/flags/`.
    ///
    /// - Throws: That there is nothing, where another path was taken for this one.
    fileprivate func redirectHome(_ request: Request) throws -> Response {
        guard request.uri.path == text, request.method == .get || request.method == .head else {
            throw HTTPError(.notFound)
        }
        let query = request.uri.query.map { "?\($0)" } ?? ""
        return Response(status: .seeOther, headers: [.location: "\(text)/\(query)", .cacheControl: "no-store"])
    }
}
