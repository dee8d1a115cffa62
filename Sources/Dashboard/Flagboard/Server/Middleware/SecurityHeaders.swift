import HTTPTypes
import Hummingbird

/// Puts the headers that keep browsers from doing what no page here needs on every response, errors included.
struct SecurityHeaders: DashboardMiddleware {

    static let values: [(HTTPField.Name, String)] = [
        (.contentSecurityPolicy, policy),
        (.xContentTypeOptions, "nosniff"),
        (.named("X-Frame-Options"), "DENY"),
        (.named("Referrer-Policy"), "same-origin"),
        (.named("Cross-Origin-Opener-Policy"), "same-origin"),
        (.named("Cross-Origin-Resource-Policy"), "same-origin"),
    ]

    private static let policy = [
        "default-src 'self'", "object-src 'none'", "base-uri 'none'", "form-action 'self'", "frame-ancestors 'none'",
    ].joined(separator: "; ")

    func handle(_ request: Request, context: DashboardContext, next: Next) async throws -> Response {
        var response = try await next(request, context)
        for (name, value) in Self.values { response.headers[name] = value }
        if response.headers[.cacheControl] == nil { response.headers[.cacheControl] = "no-store" }
        return response
    }
}
