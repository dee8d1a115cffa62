import FeatureFlags
import Foundation

/// An interrupted change with an unknown outcome.
///
/// Blocks all writes until ``Recovery`` settles it, at a request or every few seconds: a person only removes the cause.
struct UnsettledChange: Hashable, Sendable {
    enum Outcome: Hashable, Sendable {
        /// The files are as before.
        case takenBack
        /// A file holds, or may hold, the change.
        case unknown
    }

    let since: Date
    let outcome: Outcome
    private(set) var cause: String
    private(set) var isFull: Bool

    init(since: Date, _ outcome: Outcome, cause: String, isFull: Bool) {
        self.since = since
        self.outcome = outcome
        self.cause = Self.clause(cause, isFull)
        self.isFull = isFull
    }

    mutating func fail(because cause: String, isFull: Bool) {
        (self.cause, self.isFull) = (Self.clause(cause, isFull), isFull)
    }

    private static func clause(_ cause: String, _ isFull: Bool) -> String {
        isFull ? "the disk is full" : cause.asClause
    }

    var remedy: String {
        let deed = isFull ? "Free disk space" : "Fix the cause"
        return "\(deed). Flagboard retries with each request and every few seconds, and then continues automatically."
    }

    private var account: String {
        let told =
            switch outcome {
            case .takenBack: "it failed (\(cause)), and the file was restored"
            case .unknown: "it failed and can't be undone (\(cause))"
            }
        let time = FlagDate.wholeSecondText(since) ?? FlagDate.text(since)
        let readable = time.dropLast(time.hasSuffix("Z") ? 1 : 0).replacing("T", with: " ")
        return "A change has been pending since \(readable) UTC: \(told)."
    }

    var fileProblem: FileProblem { FileProblem("\(account) \(remedy)") }

    func refusal(of key: FlagKeyPath) -> ChangeError {
        ChangeError(
            isFull ? .full : .unavailable, key: key, "No changes can be made now. \(account)",
            remedy: "Nothing was changed. \(remedy)")
    }
}

extension String {
    var asClause: String {
        let line = replacing("\n", with: " ")
        return line.hasSuffix(".") ? String(line.dropLast()) : line
    }
}
