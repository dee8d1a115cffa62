import ArgumentParser
import FeatureFlags

/// Why a command was not done: what is wrong, what to do, and the exit code that says so to scripts.
struct CommandRefusal: Error, CustomStringConvertible {
    let description: String
    let exit: ExitCode
    /// The problem document that answered the request; `nil` where no request was answered.
    let document: JSONValue?

    /// - Parameters:
    ///   - description: What is wrong, and what to do.
    ///   - exit: The exit code.
    init(_ description: String, exit: ExitCode = .failed) {
        self.description = description
        self.exit = exit
        document = nil
    }

    /// A request that was refused.
    ///
    /// - Parameters:
    ///   - status: The status of the answer.
    ///   - problem: The problem document (RFC 9457).
    init(status: Int, _ problem: JSONValue) {
        // A batch of one change is refused as that change is.
        let cause = problem["changes"]?.items?.lazy.compactMap { $0["refusal"] }.first ?? problem
        let told = [cause["detail"]?.text, cause["remedy"]?.text].compactMap { $0 }
        description = told.isEmpty ? "the answer was \(status)" : told.joined(separator: " ")
        let code = cause["status"]?.integer ?? status
        exit =
            switch code {
            case 401: .notSignedIn
            case 403, 422, 423: .refused
            case 404 where cause["key"] != nil: .noSuchFlag
            case 409, 412: .changedMeanwhile
            default: .failed
            }
        document = problem
    }
}

extension JSONValue {
    /// A member of an object; `nil` where it has none, or this is none.
    subscript(name: String) -> JSONValue? {
        if case .object(let members) = self { members[name] } else { nil }
    }

    /// The text, where this is text.
    var text: String? {
        if case .scalar(.string(let text)) = self { text } else { nil }
    }

    /// The number, where this is an integer.
    var integer: Int? {
        if case .scalar(.integer(let number)) = self { Int(number) } else { nil }
    }

    /// Whether this is `true`.
    var isTrue: Bool { self == .scalar(.bool(true)) }

    /// The items, where this is an array.
    var items: [JSONValue]? {
        if case .array(let items) = self { items } else { nil }
    }
}
