import FlagChanges
import FlagHistory
import HTTPTypes

/// The stable code of a refusal, for programs; titles and details are for people, and may change.
///
/// `docs/api.md` lists the codes, as does the API description.
enum ProblemCode: String, JSONWord {
    case badRequest = "bad-request"
    case unreadableBody = "unreadable-body"
    case unreadableQuery = "unreadable-query"
    case unreadableHeader = "unreadable-header"
    case notSignedIn = "not-signed-in"
    case wrongToken = "wrong-token"
    case notAllowed = "not-allowed"
    case otherOrigin = "other-origin"
    case definedElsewhere = "defined-elsewhere"
    case notFound = "not-found"
    case unknownFlag = "unknown-flag"
    case unknownProvider = "unknown-provider"
    case noDefinition = "no-definition"
    case archived
    case methodNotAllowed = "method-not-allowed"
    case conflict
    case changedMeanwhile = "changed-meanwhile"
    case definedAlready = "defined-already"
    case tooLarge = "too-large"
    case unsupportedMediaType = "unsupported-media-type"
    case wrongHost = "wrong-host"
    case invalid
    case reasonTooLong = "reason-too-long"
    case reasonRequired = "reason-required"
    case confirmationRequired = "confirmation-required"
    case keyReused = "key-reused"
    case notImportable = "not-importable"
    case locked
    case revisionMissing = "revision-missing"
    case tooManyAttempts = "too-many-attempts"
    case tooManyStreams = "too-many-streams"
    case failed
    case unavailable
    case historyUnavailable = "history-unavailable"
    case noRoom = "no-room"

    var meaning: String {
        switch self {
        case .badRequest: "The request is malformed."
        case .unreadableBody: "The body isn't valid for this address."
        case .unreadableQuery: "A query parameter is unknown, invalid or missing."
        case .unreadableHeader: "If-Match, If-None-Match or Idempotency-Key is invalid."
        case .notSignedIn: "No token was sent."
        case .wrongToken: "The token is invalid, revoked or expired."
        case .notAllowed: "The token's role doesn't allow this."
        case .otherOrigin: "The request came from a page of another origin."
        case .definedElsewhere: "The flags are defined in code or by another server."
        case .notFound: "Nothing exists at this address."
        case .unknownFlag: "The flag doesn't exist."
        case .unknownProvider: "The provider doesn't exist."
        case .noDefinition: "The flag has no definition."
        case .archived: "The change was moved to an archive."
        case .methodNotAllowed: "This address doesn't support the method."
        case .conflict: "The request conflicts with the current state."
        case .changedMeanwhile: "The flag has changed since the given revision."
        case .definedAlready: "The flag is already defined."
        case .tooLarge: "The body is too large."
        case .unsupportedMediaType: "This address doesn't support the body's media type."
        case .wrongHost: "The server doesn't accept this host name."
        case .invalid: "The value or definition is invalid."
        case .reasonTooLong: "The reason is too long."
        case .reasonRequired: "The environment requires a reason, and none was given."
        case .confirmationRequired: "The change wasn't confirmed with the environment's name."
        case .keyReused: "The Idempotency-Key was used for a different request."
        case .notImportable: "The content is neither a valid property list nor valid JSON."
        case .locked: "The flag is locked."
        case .revisionMissing: "The change needs the revision that it is based on."
        case .tooManyAttempts: "Too many invalid tokens were sent."
        case .tooManyStreams: "Too many event streams are open."
        case .failed: "The server failed. See its log."
        case .unavailable: "This isn't possible now. See the detail."
        case .historyUnavailable: "The history is unavailable."
        case .noRoom: "The disk is full."
        }
    }

    init(_ status: HTTPResponse.Status) {
        self =
            switch status.code {
            case 401: .notSignedIn
            case 403: .notAllowed
            case 404: .notFound
            case 405: .methodNotAllowed
            case 409: .conflict
            case 412: .changedMeanwhile
            case 413: .tooLarge
            case 415: .unsupportedMediaType
            case 421: .wrongHost
            case 422: .invalid
            case 423: .locked
            case 428: .revisionMissing
            case 429: .tooManyAttempts
            case 503: .unavailable
            case 507: .noRoom
            case 500...: .failed
            default: .badRequest
            }
    }
}
