import FeatureFlags
import FlagChanges
import FlagHistory
import HTTPTypes

/// A refusal outside the change service, with its message.
struct RequestError: Error {
    let status: HTTPResponse.Status
    let code: ProblemCode
    let title: String
    let message: String
    let remedy: String
    let link: TextLink?
    /// The answer must neither reveal nor read anything of the files.
    let isBare: Bool
    let headers: HTTPFields

    init(
        _ status: HTTPResponse.Status, _ code: ProblemCode? = nil, title: String, message: String, remedy: String,
        link: TextLink? = nil, isBare: Bool = false, headers: HTTPFields = [:]
    ) {
        self.status = status
        self.code = code ?? ProblemCode(status)
        self.title = title
        self.message = message
        self.remedy = remedy
        self.link = link
        self.isBare = isBare
        self.headers = headers
    }

    static let notAForm = RequestError(
        .unsupportedMediaType, title: "Not a form",
        message: "What was sent is not marked as a form’s fields, so nothing was changed.",
        remedy: "Send it as application/x-www-form-urlencoded in UTF-8, as the dashboard’s own forms do.", isBare: true)

    static let notLetInByApp = RequestError(
        .forbidden, title: "Not let in",
        message:
            "The app that serves these flags does not let you in here, so nothing is shown and nothing was changed.",
        remedy: "Sign in to the app as a person who may work with flags, or ask the people who run it.", isBare: true)

    static let definedInCode = RequestError(
        .forbidden, .definedElsewhere, title: "Defined in code",
        message:
            "The flags are defined by the code of the app that serves them, so no definition is made or changed here.",
        remedy: "Change the declaration in the code; the app brings it along when it starts.")

    static func defined(at server: String) -> RequestError {
        RequestError(
            .forbidden, .definedElsewhere, title: "Defined elsewhere",
            message:
                "The flags are defined at \(server), and this is a replica of that, so no definition is changed here.",
            remedy: "Change the definition there.")
    }

    static let noPages = RequestError(
        .notFound, title: "No pages", message: "This process answers programs alone, and has no pages.",
        remedy: "Serve the file to see it in a browser: flagboard serve FILE.")

    static func notFound(_ what: String) -> RequestError {
        RequestError(
            .notFound, title: "Not found", message: "There is no \(what).",
            remedy: "Start from the list of flags, or search for it.")
    }

    static func methodNotAllowed(
        _ method: HTTPRequest.Method, allowed: [HTTPRequest.Method], isForPrograms: Bool
    ) -> RequestError {
        let names = allowed.map(\.rawValue).joined(separator: ", ")
        return RequestError(
            .methodNotAllowed, title: "Method not allowed",
            message: "This address does not take \(method.rawValue), only \(names).",
            remedy: isForPrograms
                ? "GET /api/v1/openapi.json tells what each address takes."
                : "Use the links and forms of the dashboard.",
            isBare: true, headers: [.allow: names])
    }

    /// The refusal of a preflight request of another origin.
    static let notForOtherOrigins = RequestError(
        .forbidden, .otherOrigin, title: "Not for other pages",
        message: "No page of another origin may ask Flagboard, so the browser does not send the request of this one.",
        remedy: "Have the page’s own server ask, with a token, and pass on what is answered.", isBare: true)
}

extension ChangeError {
    var code: ProblemCode {
        switch reason {
        case .notAllowed: .notAllowed
        case .unknown: .unknownFlag
        case .conflict: .changedMeanwhile
        case .invalid: .invalid
        case .reasonTooLong: .reasonTooLong
        case .keyReused: .keyReused
        case .locked: .locked
        case .unavailable: .unavailable
        case .full: .noRoom
        }
    }
}

extension SignInError {
    var code: ProblemCode {
        switch self {
        case .missing, .ended: .notSignedIn
        case .wrongToken, .wrongLink: .wrongToken
        case .tooMany: .tooManyAttempts
        case .unavailable: .unavailable
        }
    }
}

extension ProblemCode {
    init(_ error: any Error, _ status: HTTPResponse.Status) {
        self =
            switch error {
            case let refusal as RequestError: refusal.code
            case let refusal as ChangeError: refusal.code
            case is UnreadableFormError: .unreadableQuery
            case let error as HistoryStoreError: error.isFull ? .noRoom : .historyUnavailable
            default: ProblemCode(status)
            }
    }
}
