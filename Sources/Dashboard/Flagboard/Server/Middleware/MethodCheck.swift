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

/// Refuses a request for a host that is not on the list, with 421.
struct HostCheck: DashboardMiddleware {
    let hosts: HostAllowList

    func handle(_ request: Request, context: DashboardContext, next: Next) async throws -> Response {
        guard request.headers[values: .host].isEmpty else {
            // The first one was taken for the authority; any more say that the request was tampered with.
            throw RequestError(
                .badRequest, title: "Bad request", message: "The request names more than one host.",
                remedy: "Open the address that Flagboard printed when it started.", isBare: true)
        }
        guard let host = request.head.authority, !host.isEmpty else {
            throw RequestError(
                .badRequest, title: "Bad request", message: "The request names no host.",
                remedy: "Open the address that Flagboard printed when it started.", isBare: true)
        }
        guard hosts.allows(host) else {
            throw RequestError(
                .misdirectedRequest, title: "Wrong host",
                message: "Flagboard does not answer under the host \(host).",
                remedy: "Open the address that Flagboard printed when it started.", isBare: true)
        }
        return try await next(request, context)
    }
}

/// Measures how long it takes until the answer to a request begins.
///
/// Hummingbird's own `MetricsMiddleware` names routes by their paths and measures until an answer is sent, which of a stream of
/// events is as long as somebody listens.
struct RequestTimes: DashboardMiddleware {
    let metrics: DashboardMetrics

    func handle(_ request: Request, context: DashboardContext, next: Next) async throws -> Response {
        let start = ContinuousClock.now
        // What is thrown this far out is no answer: the request is not all there, and its connection ends.
        let response = try await next(request, context)
        metrics.requests.record(
            start.duration(to: .now), endpoint: context.endpointPath, path: request.uri.path, status: response.status)
        return response
    }
}

/// A step that every request to the dashboard passes before its route.
protocol DashboardMiddleware: RouterMiddleware where Context == DashboardContext {}

extension DashboardMiddleware {
    /// The rest of the way: the steps after this one, and the route.
    typealias Next = (Request, DashboardContext) async throws -> Response
}
