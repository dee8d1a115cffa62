import FlagChanges
import Foundation

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
