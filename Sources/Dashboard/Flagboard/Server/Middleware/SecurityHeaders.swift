import HTTPTypes
import Hummingbird

/// Puts the headers that keep browsers from doing what no page here needs on every response, errors included.
struct SecurityHeaders: DashboardMiddleware {

    func handle(_ request: Request, context: DashboardContext, next: Next) async throws -> Response {
        var response = try await next(request, context)
        for (name, value) in SecureField.all { response.headers[name] = value }
        if response.headers[.cacheControl] == nil { response.headers[.cacheControl] = "no-store" }
        return response
    }
}
