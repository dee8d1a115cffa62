import FlagChanges
import FlagHistory
import FlagWebhooks
import Foundation
import HTTPTypes
import Hummingbird

extension Dashboard {
    /// Tells who watches over the process whether it does its work; it takes no token, and says nothing of the flags.
    func health(_ request: Request, _ context: DashboardContext) async throws -> Response {
        let health = await service.health()
        let lags = health.isReady ? try followerLags() : []
        let document = HealthDocument(
            health, lags.map { FollowerDocument($0, isNamed: metrics.isForEverybody) }, await webhookHealth(),
            replica().map { ReplicaDocument($0, now: clock(), tellsProblem: metrics.isForEverybody) })
        return respond(json: document, status: health.isReady ? .ok : .serviceUnavailable)
    }

    /// How the webhooks do; `nil` where there are none.
    private func webhookHealth() async -> WebhookHealthDocument? {
        guard let webhooks else { return nil }
        let (standings, problems) = await (webhooks.standings, webhooks.problems)
        guard !standings.isEmpty || !problems.isEmpty else { return nil }
        return WebhookHealthDocument(standings, problems, isNamed: metrics.isForEverybody)
    }
}

/// Whether a server does its work.
struct HealthDocument {
    private let health: ServiceHealth
    /// What passes the history on; `nil` where nothing does.
    private let followers: [FollowerDocument]?
    /// How fresh the flags are, where they are another server's.
    private let replica: ReplicaDocument?
    /// How the webhooks do, which makes no server unhealthy; `nil` where there are none.
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

    /// How many rows of the history were found altered; `nil` for none.
    private var alteredRows: Int? { health.alteredRows == 0 ? nil : health.alteredRows }

    /// `ready`; `degraded` where flags can be read and a file can't, no change is taken that should be, or a row of the history
    /// was found altered; `failed` where nothing can be shown.
    private var status: Status {
        guard health.isReady else { return .failed }
        let isSound =
            health.unreadableFiles == 0 && health.alteredRows == 0 && (health.takesChanges || health.isReadOnly)
        return isSound ? .ready : .degraded
    }

    /// How a server does, in a word.
    private enum Status: String, JSONWord {
        case ready, degraded, failed
    }
}

extension HealthDocument: JSONDocument {
    static let members: JSONMembers<Self> = [
        "status": .of(\.status), "readOnly": .of(\.health.isReadOnly), "openChange": .of(\.health.hasOpenChange),
        "takesChanges": .of(\.health.takesChanges), "unreadableFiles": .of(\.health.unreadableFiles),
        "alteredRows": .of(\.alteredRows),
        "followers": .of(\.followers), "replica": .of(\.replica), "webhooks": .of(\.webhooks),
    ]
}

/// How fresh flags are that are another server's.
struct ReplicaDocument: JSONDocument {
    /// How many seconds ago the other server last said that these are its flags; `nil` where it never did.
    let age: Int?
    /// Whether the other server can't be followed now.
    let failing: Bool
    /// Why it can't be.
    let problem: String?

    /// Tells how fresh flags are.
    init(_ status: ReplicaStatus, now: Date, tellsProblem: Bool) {
        age = status.confirmed.map { max(0, Int(now.timeIntervalSince($0))) }
        failing = status.problem != nil
        problem = tellsProblem ? status.problem?.text : nil
    }
}

/// How many webhooks don't take what they are told, and what keeps all of them from being told.
struct WebhookHealthDocument: JSONDocument {
    let failing: Int
    let disabled: Int
    /// Why their files, or the history, can't be used; `nil` where they can.
    let problem: String?

    /// Tells of webhooks.
    ///
    /// - Parameter isNamed: Whether the reader may know which file it is, and what is in the way.
    init(_ webhooks: [WebhookState], _ problems: [String], isNamed: Bool) {
        problem =
            problems.isEmpty
            ? nil : isNamed ? problems.joined(separator: " ") : "webhooks can't be told of everything: the log says why"
        disabled = webhooks.count { $0.disabled != nil }
        failing = webhooks.count { $0.disabled == nil && $0.failingSince != nil }
    }
}

extension Dashboard {
    /// How far what passes the history on lags behind it.
    func followerLags() throws(HistoryStoreError) -> [FollowerLag] {
        let statuses = followers()
        guard !statuses.isEmpty else { return [] }
        let head = try service.history.chainHead().id
        return statuses.map { status in
            FollowerLag(name: status.name, behind: status.row.map { Int(max(0, head - $0)) }, problem: status.problem)
        }
    }
}

/// The same for programs that watch over the process.
struct FollowerDocument {
    private let lag: FollowerLag
    private let isNamed: Bool

    /// Tells of a lag.
    ///
    /// - Parameter isNamed: Whether the reader may know where the rows go, and what is in the way.
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
    /// What is to be said of flags that come from elsewhere, and of changes that should go elsewhere.
    func passingNotices(_ visitor: Visitor?) -> [PageNotice] {
        [replica().map { .replica($0, now: clock()) }].compactMap { $0 }
            + followers().compactMap { .notPassedOn($0, isForOperators: visitor?.person.role == .admin) }
    }
}

extension PageNotice {
    /// Says whose flags these are, and how fresh.
    static func replica(_ status: ReplicaStatus, now: Date) -> PageNotice {
        let age =
            status.confirmed.map { "as of \(text($0)) UTC (\(Self.age(from: $0, to: now)))" } ?? "of an unknown time"
        guard let problem = status.problem else {
            return PageNotice(
                "info", "Replica of \(status.source):",
                "values and definitions are that server’s, \(age). Change them there.")
        }
        return PageNotice(
            "warning", "Replica of \(status.source), which can’t be followed now:",
            "values and definitions are that server’s, \(age). Since \(text(problem.since)) UTC: \(problem.text.asSentence) "
                + "It is asked again and again.")
    }

    /// Says that rows of the history can't be passed on; `nil` where they can.
    static func notPassedOn(_ status: FollowerStatus, isForOperators: Bool) -> PageNotice? {
        guard let problem = status.problem else { return nil }
        let cause = isForOperators ? " \(status.name): \(problem.text.asSentence)" : ""
        return PageNotice(
            "warning", "Changes are made, but not passed on.",
            "Since \(text(problem.since)) UTC, other programs don’t get them.\(cause) They get all of them, in order, as soon as "
                + "that is possible.")
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
