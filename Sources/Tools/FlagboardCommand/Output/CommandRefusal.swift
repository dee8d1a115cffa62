import ArgumentParser
import FeatureFlags
import FlagChanges

/// The problem, advice, and the exit code for scripts.
struct CommandRefusal: Error, CustomStringConvertible {
    let description: String
    let exit: ExitCode
    /// The API's problem document.
    let document: JSONValue?
    /// `nil` if no request was answered.
    let status: Int?

    init(_ description: String, exit: ExitCode = .failed) {
        self.description = description
        self.exit = exit
        (document, status) = (nil, nil)
    }

    /// Describes a response without a problem document, such as one for events.
    init(status: Int, _ told: String) {
        description = "the server responded with status \(status)\(told.isEmpty ? "" : ": \(told)")"
        exit = ExitCode(status: status)
        (document, self.status) = (nil, status)
    }

    init(status: Int, _ problem: JSONValue) {
        // A batch of one change is refused as that change is.
        let cause = problem["changes"]?.items?.lazy.compactMap { $0["refusal"] }.first ?? problem
        let told = [cause["detail"]?.text, cause["remedy"]?.text].compactMap { $0 }
        description = told.isEmpty ? "the server responded with status \(status)" : told.joined(separator: " ")
        // Options become queries and members of bodies, so that the service refuses a wrong one.
        let isUsage = ["unreadable-query", "unknown-provider"].contains(cause["code"]?.text)
        exit =
            isUsage
            ? .validationFailure
            : ExitCode(
                status: cause["status"]?.integer ?? status, isOfFlag: cause["key"] != nil,
                isConflict: cause["conflict"] != nil)
        (document, self.status) = (problem, status)
    }

    private init(_ refusal: CommandRefusal, _ description: String) {
        (exit, document, status) = (refusal.exit, refusal.document, refusal.status)
        self.description = description
    }

    func adding(_ advice: String) -> CommandRefusal { CommandRefusal(self, "\(description) \(advice)") }

    /// `most` is in bytes.
    static func tooLarge(_ most: Int) -> CommandRefusal {
        CommandRefusal(
            "A value and its metadata can take up to \(most) bytes as JSON; this one is larger. Nothing was changed. "
                + "Use flagboard import for up to \(ImportedValues.maximumBytes) bytes.", exit: .refused)
    }
}

extension ExitCode {
    fileprivate init(status: Int, isOfFlag: Bool = false, isConflict: Bool = true) {
        self =
            switch status {
            case 401: .notSignedIn
            case 403, 422, 423, 428: .refused
            case 404 where isOfFlag: .noSuchFlag
            case 409 where !isConflict: .refused
            case 409, 412: .changedMeanwhile
            default: .failed
            }
    }
}
