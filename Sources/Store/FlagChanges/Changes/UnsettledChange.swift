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
        let deed = isFull ? "Make room on the disk" : "Remove the cause"
        return "\(deed): Flagboard tries again at each request and every few seconds, and then goes on by itself."
    }

    private var account: String {
        let told =
            switch outcome {
            case .takenBack: "it could not be completed (\(cause)), and the file was put back as it was"
            case .unknown: "it could be neither completed nor taken back (\(cause))"
            }
        let time = FlagDate.wholeSecondText(since) ?? FlagDate.text(since)
        let readable = time.dropLast(time.hasSuffix("Z") ? 1 : 0).replacing("T", with: " ")
        return "Since \(readable) UTC a change waits to be cleared up: \(told)."
    }

    var fileProblem: FileProblem { FileProblem("\(account) \(remedy)") }

    func refusal(of key: FlagKeyPath) -> ChangeError {
        ChangeError(
            isFull ? .full : .unavailable, key: key, "Nothing can be changed now. \(account)",
            remedy: "Nothing was changed. \(remedy)")
    }
}

extension String {
    var asClause: String {
        let line = replacing("\n", with: " ")
        return line.hasSuffix(".") ? String(line.dropLast()) : line
    }
}
