import Foundation

/// One try to deliver a message, without its body, signature or secrets.
///
/// The body can be made again from the history.
package struct WebhookDelivery: Hashable, Sendable, Codable {
    package enum Occasion: String, Codable, Sendable {
        case change, replay
        /// Sent again at an admin's request, outside the order.
        case resend
        case test
    }

    /// Counts the webhook's deliveries from 1.
    package let number: Int
    /// In whole seconds.
    package let at: Date
    package let occasion: Occasion
    /// The `webhook-id` header.
    package let message: String
    /// The history row; `nil` for a test.
    package let row: Int64?
    /// Counts the tries of this row from 1.
    package let attempt: Int
    package let result: DeliveryOutcome.Sort
    /// `nil` without an answer.
    package let status: Int?
    /// As a clause; `nil` after a delivery.
    package let problem: String?
    package let milliseconds: Int
}

extension WebhookDelivery {
    /// The most deliveries kept of one webhook.
    package static let mostOfOne = 20
    /// The most kept of all webhooks: each delivery writes them all.
    static let mostOfAll = 200
    /// In Unicode scalars.
    static let longestProblem = 300

    static func most(ofEachOf count: Int) -> Int { max(1, min(mostOfOne, mostOfAll / max(1, count))) }
}
