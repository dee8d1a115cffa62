package struct WebhookReport: Hashable, Sendable {
    package let webhook: Webhook
    package let state: WebhookState
    /// The rows not passed yet, including unwanted ones.
    package let lag: Int64
    /// Newest first.
    package let deliveries: [WebhookDelivery]

    package init(webhook: Webhook, state: WebhookState, lag: Int64, deliveries: [WebhookDelivery] = []) {
        self.webhook = webhook
        self.state = state
        self.lag = lag
        self.deliveries = deliveries
    }
}
