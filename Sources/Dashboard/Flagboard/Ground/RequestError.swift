import FeatureFlags
import FlagChanges
import FlagHistory
import HTTPTypes

/// A request that is refused before or outside the change service, with what to tell the person.
struct RequestError: Error {
    let status: HTTPResponse.Status
    /// Why, in a word for programs.
    let code: ProblemCode
    let title: String
    let message: String
    let remedy: String
    /// Where to find what was looked for.
    let link: TextLink?
    /// Whether the answer must tell nothing of the files and cost no look at them.
    let isBare: Bool
    /// What else the answer says in its head.
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

    /// That a request is marked as something else than the form that is wanted.
    static let notAForm = RequestError(
        .unsupportedMediaType, title: "Not a form",
        message: "What was sent is not marked as a form’s fields, so nothing was changed.",
        remedy: "Send it as application/x-www-form-urlencoded in UTF-8, as the dashboard’s own forms do.", isBare: true)

    /// That the app which the dashboard is embedded in lets the sender do nothing here.
    static let notLetInByApp = RequestError(
        .forbidden, title: "Not let in",
        message:
            "The app that serves these flags does not let you in here, so nothing is shown and nothing was changed.",
        remedy: "Sign in to the app as a person who may work with flags, or ask the people who run it.", isBare: true)

    /// That flags are defined by the code of the app that the dashboard is embedded in.
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

    /// That a process which answers programs alone has no pages.
    static let noPages = RequestError(
        .notFound, title: "No pages", message: "This process answers programs alone, and has no pages.",
        remedy: "Serve the file to see it in a browser: flagboard serve FILE.")

    static func notFound(_ what: String) -> RequestError {
        RequestError(
            .notFound, title: "Not found", message: "There is no \(what).",
            remedy: "Start from the list of flags, or search for it.")
    }

    /// That an address does not take a method.
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

    /// What a browser is told that asks, before it sends a request of a page of another origin, whether it may.
    static let notForOtherOrigins = RequestError(
        .forbidden, .otherOrigin, title: "Not for other pages",
        message: "No page of another origin may ask Flagboard, so the browser does not send the request of this one.",
        remedy: "Have the page’s own server ask, with a token, and pass on what is answered.", isBare: true)
}

extension ChangeError {
    /// The code of this refusal.
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
    /// Why no person is let in, in a word.
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
    /// The code of whatever a route for programs throws.
    init(_ error: any Error, _ status: HTTPResponse.Status) {
        self =
            switch error {
            case let refusal as RequestError: refusal.code
            case let refusal as ChangeError: refusal.code
            case is FormFieldsError: .unreadableQuery
            case let error as HistoryStoreError: error.isFull ? .noRoom : .historyUnavailable
            default: ProblemCode(status)
            }
    }
}
