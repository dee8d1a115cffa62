import FlagHistory
import Foundation
import HTTPTypes
import Hummingbird
import PrometheusMetrics

extension Dashboard {
    /// Tells in Prometheus' text format what was counted; nothing of what the flags are.
    func metricsText(_ request: Request, _ context: DashboardContext) async throws -> Response {
        guard let registry = metrics.registry else {
            throw RequestError(
                .notFound, title: "No metrics", message: "The numbers of this dashboard are kept elsewhere.",
                remedy: "Ask the app that the dashboard is part of.", isBare: true)
        }
        try await DashboardGauges(registry: registry).set(self, metrics)
        return Response(
            status: .ok, headers: [.contentType: PrometheusRegistry.contentType, .cacheControl: "no-store"],
            body: ResponseBody(byteBuffer: ByteBuffer(string: registry.text)))
    }
}
