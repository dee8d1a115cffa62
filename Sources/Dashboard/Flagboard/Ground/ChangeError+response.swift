import FlagChanges
import HTTPTypes

/// The answer to a refused change: what programs and people receive, and what `/metrics` counts it as.
struct RefusalResponse {
    let code: ProblemCode
    let status: HTTPResponse.Status
    let title: String
    let metric: DashboardMetrics.RefusalReason

    init(
        _ code: ProblemCode, _ status: HTTPResponse.Status, _ title: String, _ metric: DashboardMetrics.RefusalReason
    ) {
        self.code = code
        self.status = status
        self.title = title
        self.metric = metric
    }
}

extension ChangeError {
    var code: ProblemCode { reason.response.code }
    var status: HTTPResponse.Status { reason.response.status }
    var title: String { reason.response.title }
}

extension ChangeError.Reason {
    var response: RefusalResponse {
        switch self {
        case .notAllowed: RefusalResponse(.notAllowed, .forbidden, "Not allowed", .notAllowed)
        case .unknown: RefusalResponse(.unknownFlag, .notFound, "Flag not found", .unknown)
        case .unknownProvider:
            RefusalResponse(.unknownProvider, .forbidden, "Provider not found", .notAllowed)
        case .conflict: RefusalResponse(.changedMeanwhile, .conflict, "Changed in the meantime", .conflict)
        case .invalid: RefusalResponse(.invalid, .unprocessableContent, "Invalid value", .invalid)
        case .reasonTooLong:
            RefusalResponse(.reasonTooLong, .unprocessableContent, "Reason too long", .reasonTooLong)
        case .reasonRequired:
            RefusalResponse(.reasonRequired, .unprocessableContent, "Reason required", .reasonRequired)
        case .confirmationRequired:
            RefusalResponse(
                .confirmationRequired, .preconditionRequired, "Confirmation required", .confirmationRequired)
        case .keyReused:
            RefusalResponse(.keyReused, .unprocessableContent, "Idempotency-Key already used", .keyReused)
        case .locked:
            RefusalResponse(.locked, HTTPResponse.Status(code: 423, reasonPhrase: "Locked"), "Locked", .locked)
        case .unavailable:
            RefusalResponse(.unavailable, .serviceUnavailable, "Currently unavailable", .unavailable)
        case .full:
            RefusalResponse(
                .noRoom, HTTPResponse.Status(code: 507, reasonPhrase: "Insufficient Storage"), "Disk full", .full)
        }
    }
}
