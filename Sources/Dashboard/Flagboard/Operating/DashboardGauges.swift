import CoreMetrics
import FlagChanges
import FlagHistory
import FlagWebhooks
import Foundation
import HTTPTypes
import Hummingbird
import PrometheusMetrics
import Synchronization

struct DashboardGauges {
    let registry: PrometheusRegistry

    func set(_ dashboard: Dashboard, _ metrics: DashboardMetrics) async throws(HistoryStoreError) {
        let service = dashboard.service
        let health = await service.health()
        set(.uptime, metrics.started.duration(to: .now) / .seconds(1))
        set(.eventStreams, Double(dashboard.eventStreams.count))
        set(.openIntents, health.hasOpenChange ? 1 : 0)
        set(.takesChanges, health.takesChanges ? 1 : 0)
        set(.unreadableFiles, Double(health.unreadableFiles))
        set(.alteredRows, Double(health.alteredRows))
        set(.historySigned, health.isHistorySigned ? 1 : 0)
        for lag in try dashboard.followerLags() {
            let labels = [("follower", lag.name)]
            if let behind = lag.behind { set(.followerBehind, Double(behind), labels) }
            set(.followerFailing, lag.isFailing ? 1 : 0, labels)
        }
        for source in service.sources {
            let status = source.status()
            let labels = source.definingServer == nil ? [("provider", source.provider)] : []
            set(.replicaFailing, status.problem == nil ? 0 : 1, labels)
            if let confirmed = status.confirmed {
                set(.replicaAge, max(0, dashboard.clock().timeIntervalSince(confirmed)), labels)
            }
        }
        let pruned = try service.history.anchors().reduce(0) { $0 + $1.last - $1.first + 1 }
        set(.historyRows, Double(try service.history.chainHead().id &- pruned))
        if let reports = try await dashboard.webhooks?.reports(), !reports.isEmpty {
            set(.webhookLag, Double(reports.map(\.lag).max() ?? 0))
        }
        if let edit = try metrics.lastOutsideEdit(service.history) {
            set(.outsideEdit, max(0, dashboard.clock().timeIntervalSince(edit)))
        }
    }

    private func set(_ metric: DashboardMetric, _ value: Double, _ labels: [(String, String)] = []) {
        Meter(label: metric.rawValue, dimensions: labels, factory: registry).set(value)
    }
}

extension DashboardMetrics {
    /// Searches the history once.
    fileprivate func lastOutsideEdit(_ history: HistoryStore) throws(HistoryStoreError) -> Date? {
        let known = outsideEdit.withLock { $0 }
        if let known { return known }
        let last = try history.newest(HistoryQuery(kind: .external, limit: 1)).first?.event.at
        return outsideEdit.withLock { edit in
            edit = edit ?? last
            return edit
        }
    }
}

extension Dashboard {
    /// Answers with the metrics in Prometheus' text format, which reveal nothing of the flags.
    func metricsText(_ request: Request, _ context: DashboardContext) async throws -> Response {
        guard let registry = metrics.registry else {
            throw RequestError(
                .notFound, title: "Metrics unavailable",
                message:
                    "This dashboard’s metrics are collected by the app that it is part of.",
                remedy: "Get them from the app.", isBare: true)
        }
        try await DashboardGauges(registry: registry).set(self, metrics)
        return Response(
            status: .ok, headers: [.contentType: PrometheusRegistry.contentType, .cacheControl: "no-store"],
            body: ResponseBody(byteBuffer: ByteBuffer(string: registry.text)))
    }
}
