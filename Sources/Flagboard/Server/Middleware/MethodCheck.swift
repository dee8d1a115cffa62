import HTTPTypes
import Hummingbird

/// Refuses a method that no address takes, or that this one doesn't, with 405 and the ones that it does.
struct MethodCheck: DashboardMiddleware {

    func handle(_ request: Request, context: DashboardContext, next: Next) async throws -> Response {
        let allowed = Route.methods(of: request.uri.path)
        guard allowed.contains(request.method) else {
            throw RequestError.methodNotAllowed(request.method, allowed: allowed)
        }
        return try await next(request, context)
    }
}
