extension Feature {
    /// Webhooks, for admins.
    static let webhooks = Feature(
        routes: [.webhooks, .webhookTest, .webhookEnabling, .webhookReplay, .webhookRemoval])
}

extension MenuItem {
    static let webhooks = MenuItem("Webhooks", .webhooks) { $0.visitor?.isAdmin == true && $0.hasWebhooks }
}

extension Route {
    static let webhooks = Route("webhooks", "/webhooks", get: Dashboard.webhooksPage, visitors: .adminsOfWebhooks)
    static let webhookTest = Route(
        "webhook-test", "/webhooks/test", post: Dashboard.testWebhook, visitors: .adminsOfWebhooks, formOn: webhooks)
    static let webhookEnabling = Route(
        "webhook-enabling", "/webhooks/enable", post: Dashboard.enableWebhook, visitors: .adminsOfWebhooks,
        formOn: webhooks)
    static let webhookReplay = Route(
        "webhook-replay", "/webhooks/replay", post: Dashboard.replayWebhook, visitors: .adminsOfWebhooks,
        formOn: webhooks)
    static let webhookRemoval = Route(
        "webhook-removal", "/webhooks/remove", post: Dashboard.removeWebhook, visitors: .adminsOfWebhooks,
        formOn: webhooks)
}
