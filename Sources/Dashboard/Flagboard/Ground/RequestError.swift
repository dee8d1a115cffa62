import FeatureFlags
import FlagChanges
import FlagHistory
import HTTPTypes

/// A refusal outside the change service.
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
        message: "The request doesn’t contain form fields. Nothing was changed.",
        remedy: "Send application/x-www-form-urlencoded in UTF-8, as the dashboard’s forms do.", isBare: true)

    static let notLetInByApp = RequestError(
        .forbidden, title: "Access denied",
        message:
            "The app that serves these flags doesn’t give you access. Nothing was changed.",
        remedy: "Sign in to the app as someone with access to flags, or ask the people who run it.", isBare: true)

    static let definedInCode = RequestError(
        .forbidden, .definedElsewhere, title: "Defined in code",
        message:
            "These flags are defined in the app’s code, so definitions can’t be changed here.",
        remedy: "Change the declaration in the code. The change applies when the app restarts.")

    static func defined(at server: String) -> RequestError {
        RequestError(
            .forbidden, .definedElsewhere, title: "Defined elsewhere",
            message:
                "These flags are defined at \(server). This server is a replica, so definitions can’t be changed here.",
            remedy: "Change the definition there.")
    }

    static let noPages = RequestError(
        .notFound, title: "No pages here", message: "This process only serves the API. It has no pages.",
        remedy: "To open the dashboard, run flagboard serve FILE.")

    static func notFound(_ what: String) -> RequestError {
        RequestError(
            .notFound, title: "Not found", message: "\(what.uppercasedFirst) not found.",
            remedy: "Check the address, or search all flags.")
    }

    static func noPastState(_ problems: [String] = []) -> RequestError {
        RequestError(
            .notFound, title: "Not found",
            message: (["The history has no state of the flags at this time."] + problems).joined(separator: " "),
            remedy: "Use a later time.")
    }

    static func methodNotAllowed(
        _ method: HTTPRequest.Method, allowed: [HTTPRequest.Method], isForPrograms: Bool
    ) -> RequestError {
        let names = allowed.map(\.rawValue).joined(separator: ", ")
        return RequestError(
            .methodNotAllowed, title: "Method not allowed",
            message: "This address doesn’t support \(method.rawValue), only \(names).",
            remedy: isForPrograms
                ? "See GET /api/v1/openapi.json for the supported methods."
                : "Use the links and forms in the dashboard.",
            isBare: true, headers: [.allow: names])
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
