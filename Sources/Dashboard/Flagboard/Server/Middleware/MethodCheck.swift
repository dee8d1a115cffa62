import HTTPTypes
import Hummingbird

/// Refuses a method that no address takes, or that this one doesn't, with 405 and the ones that it does.
struct MethodCheck: DashboardMiddleware {

    func handle(_ request: Request, context: DashboardContext, next: Next) async throws -> Response {
        let allowed = Route.methods(of: request.uri.path)
        guard allowed.contains(request.method) else {
            // A browser asks so before it sends what a page may not send by itself (Fetch, 4.8).
            let isPreflight =
                request.method == .options && request.headers[.origin] != nil
                && request.headers[.accessControlRequestMethod] != nil
            if isPreflight { throw RequestError.notForOtherOrigins }
            throw RequestError.methodNotAllowed(
                request.method, allowed: allowed, isForPrograms: Route.isForPrograms(request.uri.path))
        }
        return try await next(request, context)
    }
}
