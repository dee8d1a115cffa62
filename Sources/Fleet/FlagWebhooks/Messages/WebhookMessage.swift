import Foundation

/// A message to a webhook as https://www.standardwebhooks.com describes it.
package struct WebhookMessage: Hashable, Sendable {
    /// The same for each try of one row, and for no other row and no other webhook.
    package let id: String
    /// JSON.
    package let body: Data

    /// The headers that prove who wrote a message, and when.
    package func headers(signedWith secrets: [WebhookSecret], at time: Date) -> [(name: String, value: String)] {
        let timestamp = Int64(time.timeIntervalSince1970.rounded(.down))
        let signatures = secrets.map { WebhookSignature.text(of: body, id: id, timestamp: timestamp, with: $0) }
        return [
            ("webhook-id", id), ("webhook-timestamp", "\(timestamp)"),
            ("webhook-signature", signatures.joined(separator: " ")),
        ]
    }
}
