import PrometheusMetrics

/// The numbers that a dashboard tells of its work, by their names.
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
    case uptime = "flagboard_uptime_seconds"
    case build = "flagboard_build_info"

    /// What it says.
    var help: String {
        switch self {
        case .changes: "Changes of flags that the history has recorded, by what was done and which way it came in."
        case .refusals: "Requests for changes that were refused, by the reason."
        case .evaluations: "Evaluations for OpenFeature's clients, of one flag or of all."
        case .webhookDeliveries: "Tries to tell webhooks of changes, by how each ended."
        case .webhookLag: "How many rows of the history the webhook that is farthest behind was not told of yet."
        case .requests: "How long it took until the answer to a request began, by route and class of status."
        case .outsideEdit: "How long ago another program last edited a file that is served."
        case .openIntents: "How many changes are neither done nor taken back."
        case .takesChanges: "Whether changes are taken now (1) or not (0)."
        case .unreadableFiles: "How many files can't be read now."
        case .eventStreams: "How many streams of events are open."
        case .followerBehind: "How many rows of the history are not passed on yet, by where they go."
        case .followerFailing: "Whether rows can't be passed on now (1) or can be (0), by where they go."
        case .replicaAge: "How long ago the server that is followed said that these are its flags."
        case .replicaFailing: "Whether the server that is followed can't be followed now (1) or can be (0)."
        case .historyRows: "How many rows the history holds, less those that were pruned."
        case .uptime: "How long the server has been running."
        case .build: "Always 1; the label says which version of Flagboard runs."
        }
    }
}

extension PrometheusRegistry {
    /// A registry that knows what a dashboard's numbers say.
    ///
    /// - Returns: The registry, empty.
    public static func ofDashboard() -> PrometheusRegistry {
        PrometheusRegistry(
            help: Dictionary(uniqueKeysWithValues: DashboardMetric.allCases.map { ($0.rawValue, $0.help) }))
    }
}
