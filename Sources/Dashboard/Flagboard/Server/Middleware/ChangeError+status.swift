import FlagChanges
import HTTPTypes

extension ChangeError {
    /// The status that tells a client what sort of refusal it is.
    var status: HTTPResponse.Status {
        switch reason {
        case .notAllowed: .forbidden
        case .unknown: .notFound
        case .conflict: .conflict
        case .invalid, .reasonTooLong, .keyReused: .unprocessableContent
        case .locked: HTTPResponse.Status(code: 423, reasonPhrase: "Locked")
        case .unavailable: .serviceUnavailable
        case .full: HTTPResponse.Status(code: 507, reasonPhrase: "Insufficient Storage")
        }
    }

    /// The refusal in a few words.
    var title: String {
        switch reason {
        case .notAllowed: "Not allowed"
        case .unknown: "No such flag"
        case .conflict: "Changed meanwhile"
        case .invalid: "Not a valid value"
        case .reasonTooLong: "Reason too long"
        case .keyReused: "Another request has this key"
        case .locked: "Locked"
        case .unavailable: "Not possible now"
        case .full: "No room"
        }
    }
}
