import FeatureFlags
import Foundation

/// A change that is neither done nor taken back as far as the history knows, since it could not be written any more.
///
/// Nothing else is written until ``Recovery`` has settled the change. The service tries that at each request and every few
/// seconds, so a person has nothing to do but remove the cause.
struct UnsettledChange: Hashable, Sendable {
    /// What became of the change in its files.
    enum Outcome: Hashable, Sendable {
        /// The files are as they were before it.
        case takenBack
        /// A file holds the change, or may hold it.
        case unknown
    }

    /// When the change was made, in UTC.
    let since: Date
    let outcome: Outcome
    /// Why it can't be settled, as a clause.
    private(set) var cause: String
    /// Whether the cause is a full disk.
    private(set) var isFull: Bool

    /// Describes a change that was just interrupted.
    init(since: Date, _ outcome: Outcome, cause: String, isFull: Bool) {
        self.since = since
        self.outcome = outcome
        self.cause = Self.clause(cause, isFull)
        self.isFull = isFull
    }

    /// Takes up why the change still can't be settled.
    mutating func fail(because cause: String, isFull: Bool) {
        (self.cause, self.isFull) = (Self.clause(cause, isFull), isFull)
    }

    private static func clause(_ cause: String, _ isFull: Bool) -> String {
        isFull ? "the disk is full" : cause.asClause
    }

    /// What to do about it, as a sentence.
    var remedy: String {
        let deed = isFull ? "Make room on the disk" : "Remove the cause"
        return "\(deed): Flagboard tries again at each request and every few seconds, and then goes on by itself."
    }

    /// Since when nothing can be changed and why, as a sentence.
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

    /// What the pages say.
    var fileProblem: FileProblem { FileProblem("\(account) \(remedy)") }

    /// What any other change is answered.
    func refusal(of key: FlagKeyPath) -> ChangeError {
        ChangeError(
            isFull ? .full : .unavailable, key: key, "Nothing can be changed now. \(account)",
            remedy: "Nothing was changed. \(remedy)")
    }
}

extension String {
    /// The text on one line and without the full stop at its end, to stand inside a sentence.
    var asClause: String {
        let line = replacing("\n", with: " ")
        return line.hasSuffix(".") ? String(line.dropLast()) : line
    }
}
