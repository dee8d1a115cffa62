package enum DeliveryOutcome: Hashable, Sendable {
    /// An answer of 200 to 299.
    case delivered(status: Int)
    /// The receiver wants no more messages (410).
    case gone
    /// Any other answer, with its `Retry-After`.
    case refused(status: Int, retryAfter: Duration?)
    /// No answer, for a reason as a clause.
    case failed(String)
    /// A host that must not be connected to, with a reason as a clause.
    case forbidden(String)

    package enum Sort: String, CaseIterable, Codable, Sendable {
        case delivered, gone, refused, failed, forbidden
    }

    /// The name in metrics.
    package var sort: Sort {
        switch self {
        case .delivered: .delivered
        case .gone: .gone
        case .refused: .refused
        case .failed: .failed
        case .forbidden: .forbidden
        }
    }

    /// `nil` without an answer.
    package var status: Int? {
        switch self {
        case .delivered(let status), .refused(let status, _): status
        case .gone: 410
        case .failed, .forbidden: nil
        }
    }

    /// As a clause; `nil` after a delivery.
    package var problem: String? {
        switch self {
        case .delivered: nil
        case .gone: "status 410: the receiver doesn't want any more events"
        case .refused(let status, _) where (300...399).contains(status):
            "status \(status); redirects are not followed"
        case .refused(let status, _): "status \(status)"
        case .failed(let reason), .forbidden(let reason): reason
        }
    }
}
