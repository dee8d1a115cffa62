import Foundation

/// A webhook as it is now, for pages and numbers.
package struct WebhookReport: Hashable, Sendable {
    /// A message that was sent to try the webhook out.
    package struct Test: Hashable, Sendable {
        /// When.
        package let at: Date
        /// How that went.
        package let outcome: DeliveryOutcome

        /// Tells of a test.
        package init(at: Date, outcome: DeliveryOutcome) {
            self.at = at
            self.outcome = outcome
        }
    }

    /// The webhook.
    package let webhook: Webhook
    /// How far it was told.
    package let state: WebhookState
    /// How many rows of the history it was not told of yet, those included that it does not want.
    package let lag: Int64
    /// The last test since the start of the process; `nil` where there was none.
    package let test: Test?

    /// Tells of a webhook.
    package init(webhook: Webhook, state: WebhookState, lag: Int64, test: Test? = nil) {
        self.webhook = webhook
        self.state = state
        self.lag = lag
        self.test = test
    }
}
