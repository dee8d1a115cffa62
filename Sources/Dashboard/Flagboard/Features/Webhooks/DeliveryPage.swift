import FlagChanges
import FlagWebhooks
import Foundation

/// One delivery: its result, and its body made again from the history.
struct DeliveryPage: PageModel {
    static let template = "delivery"

    let frame: PageFrame
    let heading: String
    let webhook: String
    let webhookName: String
    let number: Int
    let style: String
    /// The symbol of `icons.svg`.
    let icon: String
    let result: String
    let problem: String?
    let facts: [DeliveryFact]
    let at: TimeText
    let change: TextLink?
    /// `nil` if it can't be made again.
    let body: String?
    let isPaused: Bool

    init(
        frame: PageFrame, webhook: Webhook, delivery: WebhookDelivery, message: WebhookMessage?
    ) {
        heading = "Delivery \(delivery.number)"
        self.frame = frame.titled("\(heading) to \(webhook.name)", in: .webhooks)
        self.webhook = webhook.id
        webhookName = webhook.name
        number = delivery.number
        style = delivery.problem == nil ? "delivered" : "failed"
        icon = delivery.problem == nil ? "checkmark" : "xmark"
        result = delivery.resultText
        problem = delivery.problem?.uppercasedFirst.asSentence
        facts = [
            DeliveryFact(label: "Type", text: delivery.occasion.label),
            DeliveryFact(label: "Attempt", text: "\(delivery.attempt)"),
            DeliveryFact(label: "Duration", text: "\(delivery.milliseconds) ms"),
            DeliveryFact(label: "Message ID", text: delivery.message),
        ]
        at = TimeText(delivery.at)
        change = delivery.row.map { TextLink(label: "Change \($0)", href: PageLink.change($0)) }
        body = message.map { String(decoding: $0.body, as: UTF8.self) }
        isPaused = webhook.paused != nil
    }
}

struct DeliveryFact: Hashable, PagePart {
    let label: String
    let text: String
}

extension WebhookDelivery.Occasion {
    var label: String {
        switch self {
        case .change: "Change"
        case .replay, .resend: "Resent by an admin"
        case .test: "Test"
        }
    }
}
