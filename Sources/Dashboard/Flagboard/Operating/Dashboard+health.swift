import FlagChanges
import FlagHistory
import FlagWebhooks
import Foundation
import HTTPTypes
import Hummingbird

extension Dashboard {
    /// Answers health checks; requires no token, and reveals nothing of the flags.
    ///
    /// With `probe=live` it answers 200 whatever the state of the files: a restart of the server mends none of them.
    func health(_ request: Request, _ context: DashboardContext) async throws -> Response {
        let health = await service.health()
        let lags = health.isReady ? try followerLags() : []
        let document = HealthDocument(
            health, lags.map { FollowerDocument($0, isNamed: metrics.isForEverybody) }, await webhookHealth(),
            worstSource.map { ReplicaDocument($0, now: clock(), tellsProblem: metrics.isForEverybody) })
        let isOfLife = request.uri.queryParameters["probe"] == "live"
        return respond(json: document, status: health.isReady || isOfLife ? .ok : .serviceUnavailable)
    }

    /// The followed source that fails, or else the one that was confirmed first.
    private var worstSource: SourceStatus? {
        service.sources.map { $0.status() }.min { one, other in
            (one.problem == nil) == (other.problem == nil)
                ? one.confirmed ?? .distantPast < other.confirmed ?? .distantPast : one.problem != nil
        }
    }

    private func webhookHealth() async -> WebhookHealthDocument? {
        guard let webhooks else { return nil }
        let (standings, problems) = await (webhooks.standings, webhooks.problems)
        guard !standings.isEmpty || !problems.isEmpty else { return nil }
        return WebhookHealthDocument(standings, problems, isNamed: metrics.isForEverybody)
    }
}

struct HealthDocument {
    private let health: ServiceHealth
    private let followers: [FollowerDocument]?
    /// `nil` if this server follows no source.
    private let replica: ReplicaDocument?
    /// `nil` for none; a failing webhook doesn't make the server unhealthy.
    private let webhooks: WebhookHealthDocument?

    init(
        _ health: ServiceHealth, _ followers: [FollowerDocument] = [], _ webhooks: WebhookHealthDocument? = nil,
        _ replica: ReplicaDocument? = nil
    ) {
        self.replica = replica
        self.health = health
        self.followers = followers.isEmpty ? nil : followers
        self.webhooks = webhooks
    }

    private var historySigned: Bool? { health.isHistorySigned ? nil : false }
    private var alteredRows: Int? { health.alteredRows == 0 ? nil : health.alteredRows }

    /// `failed` if no flags can be shown.
    ///
    /// `degraded` if a file can't be read, if changes are blocked on a writable server, or if the history was altered.
    private var status: Status {
        guard health.isReady else { return .failed }
        let isSound =
            health.unreadableFiles == 0 && health.alteredRows == 0 && health.isHistorySigned
            && (health.takesChanges || health.isReadOnly)
        return isSound ? .ready : .degraded
    }

    private enum Status: String, JSONWord {
        case ready, degraded, failed
    }
}

extension HealthDocument: JSONDocument {
    static let members: JSONMembers<Self> = [
        "status": .of(\.status), "readOnly": .of(\.health.isReadOnly), "openChange": .of(\.health.hasOpenChange),
        "takesChanges": .of(\.health.takesChanges), "unreadableFiles": .of(\.health.unreadableFiles),
        "alteredRows": .of(\.alteredRows), "historySigned": .of(\.historySigned),
        "followers": .of(\.followers), "replica": .of(\.replica), "webhooks": .of(\.webhooks),
    ]
}

struct ReplicaDocument: JSONDocument {
    /// The seconds since the source last confirmed these flags; `nil` if it never did.
    let age: Int?
    let failing: Bool
    let problem: String?

    init(_ status: SourceStatus, now: Date, tellsProblem: Bool) {
        age = status.confirmed.map { max(0, Int(now.timeIntervalSince($0))) }
        failing = status.problem != nil
        problem = tellsProblem ? status.problem?.text : nil
    }
}

struct WebhookHealthDocument: JSONDocument {
    let failing: Int
    let disabled: Int
    /// A problem of the files or the history, which affects all webhooks.
    let problem: String?

    /// Without `isNamed`, the problem is generic, because the reader may not see files and causes.
    init(_ webhooks: [WebhookState], _ problems: [String], isNamed: Bool) {
        problem =
            problems.isEmpty
            ? nil : isNamed ? problems.joined(separator: " ") : "some webhooks can't be delivered; see the log"
        disabled = webhooks.count { $0.disabled != nil }
        failing = webhooks.count { $0.disabled == nil && $0.failingSince != nil }
    }
}

extension Dashboard {
    func followerLags() throws(HistoryStoreError) -> [FollowerLag] {
        let statuses = followers()
        guard !statuses.isEmpty else { return [] }
        let head = try service.history.chainHead().id
        return statuses.map { status in
            FollowerLag(name: status.name, behind: status.row.map { Int(max(0, head &- $0)) }, problem: status.problem)
        }
    }
}

struct FollowerDocument {
    private let lag: FollowerLag
    private let isNamed: Bool

    /// Without `isNamed`, omits the destination and the problem.
    init(_ lag: FollowerLag, isNamed: Bool) { (self.lag, self.isNamed) = (lag, isNamed) }

    private var name: String? { isNamed ? lag.name : nil }
    private var problem: String? { isNamed ? lag.problem?.text : nil }
}

extension FollowerDocument: JSONDocument {
    static let members: JSONMembers<Self> = [
        "behind": .of(\.lag.behind), "failing": .of(\.lag.isFailing), "name": .of(\.name), "problem": .of(\.problem),
    ]
}

extension Dashboard {
    func passingNotices(_ visitor: Visitor?) -> [PageNotice] {
        service.sources.compactMap { .followed($0, now: clock()) }
            + followers().compactMap { .notPassedOn($0, isForOperators: visitor?.person.role == .admin) }
    }
}

extension PageNotice {
    /// `nil` for a source without definitions that can be followed, or whose problem another notice of the provider shows.
    static func followed(_ source: FollowedSource, now: Date) -> PageNotice? {
        let status = source.status()
        let age =
            status.confirmed.map { "as of \(text($0)) UTC (\(Self.age(from: $0, to: now)))" } ?? "as of an unknown time"
        guard source.definingServer != nil else {
            guard let problem = status.problem, !status.isBroken else { return nil }
            return PageNotice(
                "warning", "Can’t reach \(status.source):",
                "the values of \(source.provider) are \(age). Since \(text(problem.since)) UTC: "
                    + "\(problem.text.asSentence) Flagboard keeps trying.")
        }
        guard let problem = status.problem else {
            return PageNotice(
                "info", "Replica of \(status.source):",
                "values and definitions come from that server, \(age). Change them there.")
        }
        return PageNotice(
            "warning", "Replica of \(status.source), which can’t be reached now:",
            "values and definitions come from that server, \(age). Since \(text(problem.since)) UTC: "
                + "\(problem.text.asSentence) Flagboard keeps trying.")
    }

    /// `nil` for a follower that works.
    static func notPassedOn(_ status: FollowerStatus, isForOperators: Bool) -> PageNotice? {
        guard let problem = status.problem else { return nil }
        let cause = isForOperators ? " \(status.name): \(problem.text.asSentence)" : ""
        return PageNotice(
            "warning", "Changes are saved but not published.",
            "Other programs haven’t received changes since \(text(problem.since)) UTC.\(cause) They get all of them, "
                + "in order, once publishing works again.")
    }

    private static func age(from time: Date, to now: Date) -> String {
        let seconds = max(0, Int(now.timeIntervalSince(time)))
        let (count, unit) =
            switch seconds {
            case ..<120: (seconds, "second")
            case ..<7200: (seconds / 60, "minute")
            case ..<172_800: (seconds / 3600, "hour")
            default: (seconds / 86_400, "day")
            }
        return "\(count) \(unit)\(count == 1 ? "" : "s") ago"
    }

    private static func text(_ time: Date) -> String {
        let style = Date.ISO8601FormatStyle(dateTimeSeparator: .space, timeZone: .gmt)
        return String(time.formatted(style.dateSeparator(.dash)).dropLast())
    }
}
