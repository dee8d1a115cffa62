import FlagWebhooks
import ServiceLifecycle

/// Has webhooks told of changes for as long as the process serves.
struct WebhookDelivery: Service {
    let sender: WebhookSender

    func run() async throws {
        await cancelWhenGracefulShutdown { await sender.run() }
    }
}
