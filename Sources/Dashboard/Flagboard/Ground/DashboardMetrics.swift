import CoreMetrics
import FlagChanges
import FlagHistory
import FlagWebhooks
import Foundation
import HTTPTypes
import Hummingbird
import PrometheusMetrics
import Synchronization

/// Counters of a dashboard's work for swift-metrics; they contain no flag's key or value.
///
/// ```swift
/// let metrics = DashboardMetrics(registry: .ofDashboard())
/// var options = ChangeService.Options()
/// metrics.observe(&options)
/// let service = try ChangeService(files: files, options: options)
/// let dashboard = try Dashboard(service: service, …, metrics: metrics)
/// ```
public final class DashboardMetrics: Sendable {
    enum EvaluationOutcome: String, CaseIterable {
        case answered, unchanged, refused
    }

    enum EvaluationScope: String, CaseIterable {
        case one, all
    }

    /// Each has a counter.
    enum RefusalReason: String, CaseIterable {
        case notAllowed = "not_allowed"
        case unknown, conflict, invalid
        case reasonTooLong = "reason_too_long"
        case reasonRequired = "reason_required"
        case confirmationRequired = "confirmation_required"
        case keyReused = "key_reused"
        case locked, unavailable, full
    }

    private struct Evaluations: Hashable {
        let scope: EvaluationScope
        let outcome: EvaluationOutcome
    }

    /// The numbers of `/metrics`; `nil` when the app's own backend takes them.
    let registry: PrometheusRegistry?
    /// `/metrics` takes no token.
    let isForEverybody: Bool
    let started = ContinuousClock.now
    /// The last outside edit that this process has seen.
    let outsideEdit = Mutex<Date?>(nil)
    let requests: RequestTimers
    private let changes: [RecordedRows.Sort: Counter]
    private let refusals: [RefusalReason: Counter]
    private let evaluations: [Evaluations: Counter]
    private let deliveries: [DeliveryOutcome.Sort: Counter]

    /// Counts for `/metrics`.
    ///
    /// - Parameters:
    ///   - registry: ``PrometheusMetrics/PrometheusRegistry/ofDashboard()``.
    ///   - isForEverybody: Serves `/metrics` without a token, if only this machine reaches the dashboard.
    ///   - version: The program's version.
    public convenience init(registry: PrometheusRegistry, isForEverybody: Bool = false, version: String? = nil) {
        self.init(registry, factory: registry, isForEverybody)
        if let version {
            Meter(label: DashboardMetric.build.rawValue, dimensions: [("version", version)], factory: registry).set(1)
        }
    }

    /// Counts for the app's swift-metrics backend; `/metrics` is not found then.
    public convenience init() { self.init(nil, factory: MetricsSystem.factory, false) }

    private init(_ registry: PrometheusRegistry?, factory: any MetricsFactory, _ isForEverybody: Bool) {
        self.registry = registry
        self.isForEverybody = isForEverybody
        func counters<Sort: Hashable>(
            _ metric: DashboardMetric, _ sorts: [Sort], _ labels: (Sort) -> [(String, String)]
        ) -> [Sort: Counter] {
            let made = sorts.map {
                ($0, Counter(label: metric.rawValue, dimensions: labels($0), factory: factory))
            }
            return Dictionary(made) { first, _ in first }
        }
        let origins = HistoryRecord.Origin.allCases
        let changes = HistoryRecord.Kind.allCases.filter(\.changesFlags).flatMap { kind in
            origins.filter { ($0 == .external) == (kind == .external) }
                .map { RecordedRows.Sort(kind: kind, origin: $0) }
        }
        self.changes = counters(.changes, changes) {
            [("action", $0.kind.rawValue), ("origin", $0.origin.rawValue)]
        }
        refusals = counters(.refusals, RefusalReason.allCases) { [("reason", $0.rawValue)] }
        let evaluations = EvaluationScope.allCases.flatMap { scope in
            EvaluationOutcome.allCases.map { Evaluations(scope: scope, outcome: $0) }
        }
        self.evaluations = counters(.evaluations, evaluations) {
            [("scope", $0.scope.rawValue), ("outcome", $0.outcome.rawValue)]
        }
        deliveries = counters(.webhookDeliveries, DeliveryOutcome.Sort.allCases) { [("outcome", $0.rawValue)] }
        requests = RequestTimers(factory)
    }

    /// Counts the changes and refusals.
    package func observe(_ options: inout ChangeService.Options) {
        options.recorded = { [weak self] in self?.count($0) }
        options.refused = { [weak self] in self?.refusals[$0.reason.response.metric]?.increment() }
    }

    private func count(_ rows: RecordedRows) {
        for (sort, count) in rows.counts { changes[sort]?.increment(by: count) }
        guard let edit = rows.lastOutsideEdit else { return }
        outsideEdit.withLock { $0 = max($0 ?? edit, edit) }
    }

    package func count(_ outcome: DeliveryOutcome) { deliveries[outcome.sort]?.increment() }

    func count(_ scope: EvaluationScope, _ outcome: EvaluationOutcome) {
        evaluations[Evaluations(scope: scope, outcome: outcome)]?.increment()
    }
}

/// Request durations by route and status class.
///
/// All timers exist from the start, so that requests need no lock.
struct RequestTimers: Sendable {
    static let files = "assets"

    private typealias Classes = [CoreMetrics.Timer]

    private let byPath: [String: Classes]
    private let assets: Classes
    private let none: Classes

    init(_ factory: any MetricsFactory) {
        func classes(_ name: String) -> Classes {
            (1...5).map { digit in
                let labels = [("route", name), ("status", "\(digit)xx")]
                return CoreMetrics.Timer(label: DashboardMetric.requests.rawValue, dimensions: labels, factory: factory)
            }
        }
        byPath = Dictionary(
            uniqueKeysWithValues: Route.all.map { (RouterPath($0.path).description, classes($0.name)) })
        assets = classes("assets")
        none = classes("none")
    }

    /// - Parameter endpoint: The router's path; `nil` for an early refusal.
    func record(_ time: Duration, endpoint: String?, path: String, status: HTTPResponse.Status) {
        let classes = endpoint.flatMap { byPath[$0] } ?? others(endpoint, path)
        let place = status.code / 100 - 1
        guard classes.indices.contains(place) else { return }
        classes[place].recordNanoseconds(Int64(time / .nanoseconds(1)))
    }

    private func others(_ endpoint: String?, _ path: String) -> Classes {
        if endpoint == Self.files { return assets }
        return Route.reached(by: path).flatMap { byPath[RouterPath($0.path).description] } ?? none
    }
}

enum DashboardMetric: String, CaseIterable {
    case changes = "flagboard_changes_total"
    case refusals = "flagboard_refusals_total"
    case evaluations = "flagboard_evaluations_total"
    case webhookDeliveries = "flagboard_webhook_deliveries_total"
    case webhookLag = "flagboard_webhook_lag_rows"
    case requests = "flagboard_request_duration_seconds"
    case outsideEdit = "flagboard_outside_edit_age_seconds"
    case openIntents = "flagboard_open_intents"
    case takesChanges = "flagboard_takes_changes"
    case unreadableFiles = "flagboard_unreadable_files"
    case eventStreams = "flagboard_event_streams"
    case followerBehind = "flagboard_follower_rows_behind"
    case followerFailing = "flagboard_follower_failing"
    case replicaAge = "flagboard_replica_age_seconds"
    case replicaFailing = "flagboard_replica_failing"
    case historyRows = "flagboard_history_rows"
    case alteredRows = "flagboard_history_altered_rows"
    case historySigned = "flagboard_history_signed"
    case uptime = "flagboard_uptime_seconds"
    case build = "flagboard_build_info"

    var help: String {
        switch self {
        case .changes: "Flag changes recorded in the history, by kind and origin."
        case .refusals: "Refused change requests, by reason."
        case .evaluations: "OpenFeature evaluations, of single flags and of all flags."
        case .webhookDeliveries: "Webhook delivery attempts, by result."
        case .webhookLag: "History rows not delivered yet to the slowest webhook."
        case .requests: "Time until the response to a request started, by route and status class."
        case .outsideEdit: "Time since the last external edit of a served file."
        case .openIntents: "Changes that are neither completed nor undone."
        case .takesChanges: "Whether changes can be made (1) or not (0)."
        case .unreadableFiles: "Files that can't be read."
        case .eventStreams: "Open event streams."
        case .followerBehind: "History rows not published yet, by target."
        case .followerFailing: "Whether publishing is failing (1) or not (0), by target."
        case .replicaAge: "Time since the followed server last confirmed the flags."
        case .replicaFailing: "Whether following the other server is failing (1) or not (0)."
        case .historyRows: "Rows in the history, without pruned ones."
        case .alteredRows: "History rows found altered by another program since the start."
        case .historySigned: "Whether new history rows are signed (1) or not (0)."
        case .uptime: "Server uptime."
        case .build: "Always 1. The label is the version of Flagboard."
        }
    }
}

extension PrometheusRegistry {
    /// Creates an empty registry with the help texts of a dashboard's metrics.
    ///
    /// - Returns: The registry.
    public static func ofDashboard() -> PrometheusRegistry {
        PrometheusRegistry(
            help: Dictionary(uniqueKeysWithValues: DashboardMetric.allCases.map { ($0.rawValue, $0.help) }))
    }
}
