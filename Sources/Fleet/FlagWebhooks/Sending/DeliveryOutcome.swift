import Foundation

/// How a try to deliver a message ended.
package enum DeliveryOutcome: Hashable, Sendable {
    /// The receiver took it: an answer of 200 to 299.
    case delivered(status: Int)
    /// The receiver wants no more: 410.
    case gone
    /// The receiver did not take it; it may ask to be left alone for so long.
    case refused(status: Int, retryAfter: Duration?)
    /// There was no answer, for the reason of that clause.
    case failed(String)
    /// The host is one that must not be connected to, for the reason of that clause.
    case forbidden(String)

    /// What numbers call it.
    package enum Sort: String, CaseIterable, Sendable {
        case delivered, gone, refused, failed, forbidden
    }

    /// What numbers call it.
    package var sort: Sort {
        switch self {
        case .delivered: .delivered
        case .gone: .gone
        case .refused: .refused
        case .failed: .failed
        case .forbidden: .forbidden
        }
    }

    /// The answer's status; `nil` where there was none.
    package var status: Int? {
        switch self {
        case .delivered(let status), .refused(let status, _): status
        case .gone: 410
        case .failed, .forbidden: nil
        }
    }

    /// Why it was not delivered, as a clause; `nil` where it was.
    package var problem: String? {
        switch self {
        case .delivered: nil
        case .gone: "it answered 410, which says that it wants no more"
        case .refused(let status, _) where (300...399).contains(status):
            "it answered \(status), and redirects are not followed"
        case .refused(let status, _): "it answered \(status)"
        case .failed(let reason), .forbidden(let reason): reason
        }
    }
}
