import ArgumentParser
import FeatureFlags
import FlagChanges

/// Why a command was not done: what is wrong, what to do, and the exit code that says so to scripts.
struct CommandRefusal: Error, CustomStringConvertible {
    let description: String
    let exit: ExitCode
    /// The problem document that answered the request; `nil` where no request was answered.
    let document: JSONValue?
    /// The status of the answer; `nil` where no request was answered.
    let status: Int?

    /// - Parameters:
    ///   - description: What is wrong, and what to do.
    ///   - exit: The exit code.
    init(_ description: String, exit: ExitCode = .failed) {
        self.description = description
        self.exit = exit
        (document, status) = (nil, nil)
    }

    /// A request that was refused without a problem document, such as one for events.
    init(status: Int, _ told: String) {
        description = "the answer was \(status)\(told.isEmpty ? "" : ": \(told)")"
        exit = ExitCode(status: status)
        (document, self.status) = (nil, status)
    }

    /// A request that was refused.
    init(status: Int, _ problem: JSONValue) {
        // A batch of one change is refused as that change is.
        let cause = problem["changes"]?.items?.lazy.compactMap { $0["refusal"] }.first ?? problem
        let told = [cause["detail"]?.text, cause["remedy"]?.text].compactMap { $0 }
        description = told.isEmpty ? "the answer was \(status)" : told.joined(separator: " ")
        exit = ExitCode(
            status: cause["status"]?.integer ?? status, isOfFlag: cause["key"] != nil,
            isConflict: cause["conflict"] != nil)
        (document, self.status) = (problem, status)
    }

    private init(_ refusal: CommandRefusal, _ description: String) {
        (exit, document, status) = (refusal.exit, refusal.document, refusal.status)
        self.description = description
    }

    /// The same refusal with one more piece of advice.
    func adding(_ advice: String) -> CommandRefusal { CommandRefusal(self, "\(description) \(advice)") }

    /// More than can be sent at once.
    ///
    /// - Parameter most: The limit in bytes.
    static func tooLarge(_ most: Int) -> CommandRefusal {
        CommandRefusal(
            "a value and what goes with it may have \(most) bytes as JSON, and this is more: nothing was changed. flagboard import "
                + "takes up to \(ImportedValues.maximumBytes) bytes.", exit: .refused)
    }
}

extension ExitCode {
    /// The exit code that tells of a refusal.
    fileprivate init(status: Int, isOfFlag: Bool = false, isConflict: Bool = true) {
        self =
            switch status {
            case 401: .notSignedIn
            case 403, 422, 423: .refused
            case 404 where isOfFlag: .noSuchFlag
            case 409 where !isConflict: .refused
            case 409, 412: .changedMeanwhile
            default: .failed
            }
    }
}
