extension Feature {
    static let webhooks = Feature(
        routes: [
            .webhooks, .newWebhook, .webhookTest, .webhookPause, .webhookResumption, .webhookEnabling, .webhookReplay,
            .webhookResending, .webhookRemoval, .webhookDelivery,
        ],
        styles: ["webhooks"])
}

extension MenuItem {
    static let webhooks = MenuItem("Webhooks", .webhooks) { $0.visitor?.isAdmin == true && $0.hasWebhooks }
}

extension Route {
    static let webhooks = Route("webhooks", "/webhooks", get: Dashboard.webhooksPage, visitors: .adminsOfWebhooks)
    /// Answers with the secret of a new webhook.
    static let newWebhook = Route(
        "webhook-adding", "/webhooks/add", post: Dashboard.addWebhook, visitors: .adminsOfWebhooks,
        mayShowSecrets: true, formOn: webhooks)
    static let webhookTest = action("webhook-test", "/webhooks/test", Dashboard.testWebhook)
    static let webhookPause = action("webhook-pause", "/webhooks/pause", Dashboard.pauseWebhook)
    static let webhookResumption = action("webhook-resumption", "/webhooks/resume", Dashboard.resumeWebhook)
    static let webhookEnabling = action("webhook-enabling", "/webhooks/enable", Dashboard.enableWebhook)
    static let webhookReplay = action("webhook-replay", "/webhooks/replay", Dashboard.replayWebhook)
    static let webhookResending = action("webhook-resending", "/webhooks/resend", Dashboard.resendDelivery)
    static let webhookRemoval = action("webhook-removal", "/webhooks/remove", Dashboard.removeWebhook)
    static let webhookDelivery = Route(
        "webhook-delivery", "/webhooks/:id/deliveries/:number", get: Dashboard.deliveryPage,
        visitors: .adminsOfWebhooks)

    private static func action(_ name: String, _ path: String, _ handler: @escaping Handler) -> Route {
        Route(name, path, post: handler, visitors: .adminsOfWebhooks, formOn: webhooks)
    }
}

extension PageLink {
    static func delivery(_ number: Int, to webhook: String) -> String {
        "\(webhooks)/\(encode(webhook))/deliveries/\(number)"
    }
}
