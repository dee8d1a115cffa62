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
        case .unreadableBody: "The body is not what this address takes."
        case .unreadableQuery: "The query has an unknown or invalid item, or lacks a required one."
        case .unreadableHeader: "If-Match, If-None-Match or Idempotency-Key can't be read."
        case .notSignedIn: "No token was sent."
        case .wrongToken: "The token is mistyped, revoked or expired."
        case .notAllowed: "The token's role does not allow it."
        case .otherOrigin: "A page of another origin asked, and the request has no token."
        case .definedElsewhere: "The flags are defined in code, or by another server."
        case .notFound: "There is nothing at this address."
        case .unknownFlag: "There is no such flag."
        case .noDefinition: "The flag has no definition."
        case .archived: "The change was moved to an archive."
        case .methodNotAllowed: "The address does not take this method."
        case .conflict: "The request conflicts with the current state."
        case .changedMeanwhile: "The flag was changed since the revision that the change is based on."
        case .definedAlready: "The flag is already defined."
        case .tooLarge: "The body is larger than what is read."
        case .unsupportedMediaType: "The body is of another media type than this address takes."
        case .wrongHost: "The server does not answer under the host that was asked."
        case .invalid: "The value or the definition is not valid for the flag."
        case .reasonTooLong: "The reason is longer than the history keeps."
        case .keyReused: "The Idempotency-Key names another request."
        case .notImportable: "What was sent is neither a property list nor JSON that can be imported."
        case .locked: "The flag is locked."
        case .revisionMissing: "The change does not state the revision that it is based on."
        case .tooManyAttempts: "Too many wrong tokens were sent."
        case .tooManyStreams: "Too many streams of events are open."
        case .failed: "The server failed; its log says why."
        case .unavailable: "It can't be done now, as the detail says."
        case .historyUnavailable: "The history can't be used now."
        case .noRoom: "The disk is full."
        }
    }

    /// The code of a refusal without one of its own.
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
