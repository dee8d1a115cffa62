import HTTPTypes
import Hummingbird

/// Lets scripts of chosen origins read flags (Fetch, 3.2), with tokens and without cookies.
struct CrossOriginReads: DashboardMiddleware {
    let origins: Set<String>

    /// How long a browser may remember the answer to a preflight request, in seconds; none keeps it longer.
    private static let longest = "7200"
    private static let sent: [HTTPField.Name] = [
        .authorization, .apiKey, .contentType, .ifNoneMatch, .lastEventID, .cacheControl, .prefer,
    ]
    private static let shown: [HTTPField.Name] = [.eTag, .retryAfter, .brokenSources, .link, .contentDisposition]

    func handle(_ request: Request, context: DashboardContext, next: Next) async throws -> Response {
        guard !origins.isEmpty, let route = Route.reached(by: request.uri.path), !route.methodsOfReads.isEmpty else {
            return try await next(request, context)
        }
        let origin = request.headers[.origin].flatMap { origins.contains($0) ? $0 : nil }
        var response =
            if let origin, let asked = request.askedMethod, route.methodsOfReads.contains(asked) {
                Self.preflight(route, origin)
            } else {
                try await next(request, context)
            }
        response.headers.append(HTTPField(name: .vary, value: "Origin"))
        if let origin {
            response.headers[.accessControlAllowOrigin] = origin
            response.headers[.accessControlExposeHeaders] = Self.list(Self.shown)
        }
        return response
    }

    private static func preflight(_ route: Route, _ origin: String) -> Response {
        Response(
            status: .noContent,
            headers: [
                .accessControlAllowMethods: route.methodsOfReads.map(\.rawValue).joined(separator: ", "),
                .accessControlAllowHeaders: list(sent), .accessControlMaxAge: longest,
            ])
    }

    private static func list(_ names: [HTTPField.Name]) -> String {
        names.map(\.rawName).joined(separator: ", ")
    }
}

extension Request {
    /// The method that a preflight request asks for (Fetch, 4.8); `nil` for any other request.
    var askedMethod: HTTPRequest.Method? {
        guard method == .options, headers[.origin] != nil else { return nil }
        return headers[.accessControlRequestMethod].flatMap { HTTPRequest.Method($0) }
    }
}

extension Route {
    /// Methods by which programs read; pages, and addresses that change something, have none.
    var methodsOfReads: [HTTPRequest.Method] {
        methods.filter { operations[$0 == .head ? .get : $0]?.isRead(by: $0) == true }
    }
}

extension APIOperation {
    fileprivate func isRead(by method: HTTPRequest.Method) -> Bool {
        method == .get || method == .head || isEvaluation
    }
}

extension RequestError {
    /// The refusal of a preflight request of another origin.
    static func notForOtherOrigins(_ method: HTTPRequest.Method, _ path: String) -> RequestError {
        let (message, remedy) =
            if Route.reached(by: path)?.methodsOfReads.contains(method) == true {
                (
                    "Pages of this origin can’t read flags here, so the browser blocks the request.",
                    "Start Flagboard with --cors-origin and the page’s origin, such as https://app.example.com."
                )
            } else if method == .get || method == .head {
                (
                    "Pages of other origins can’t read this address, only the API and OFREP, so the browser blocks the "
                        + "request.",
                    "Read flags at an address of /api/v1/openapi.json, and start Flagboard with --cors-origin and the "
                        + "page’s origin."
                )
            } else {
                (
                    "Pages of other origins can’t change anything here, so the browser blocks the request.",
                    "Send the request from the page’s own server, with a token."
                )
            }
        return RequestError(
            .forbidden, .otherOrigin, title: "Cross-origin request", message: message, remedy: remedy, isBare: true)
    }
}
