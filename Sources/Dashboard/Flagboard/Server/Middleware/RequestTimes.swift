import HTTPTypes
import Hummingbird

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
