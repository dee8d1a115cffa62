import FlagWebhooks

struct WebhookNotice: Hashable, PagePart {
    /// `success` or `error`.
    let style: String
    let text: String

    private init(_ text: String, style: String = "success") { (self.style, self.text) = (style, text) }

    static func test(_ outcome: DeliveryOutcome, of name: String) -> WebhookNotice {
        WebhookNotice(outcome, of: name, sent: "Test sent.", failed: "Test to")
    }

    static func resent(_ resent: WebhookSender.Resent, to name: String) -> WebhookNotice {
        switch resent {
        case .inOrder: WebhookNotice("Retrying “\(name)” now, from the change that failed.")
        case .tried(let outcome): WebhookNotice(outcome, of: name, sent: "Resent.", failed: "Resending to")
        }
    }

    private init(_ outcome: DeliveryOutcome, of name: String, sent: String, failed: String) {
        if case .delivered(let status) = outcome {
            self.init("\(sent) “\(name)” responded with \(status).")
        } else {
            self.init("\(failed) “\(name)” failed: \(outcome.problem ?? "").", style: "error")
        }
    }

    static func paused(_ name: String) -> WebhookNotice {
        WebhookNotice("Paused “\(name)”. Changes wait until you resume it.")
    }

    static func resumed(_ name: String) -> WebhookNotice {
        WebhookNotice("Resumed “\(name)”. Pending changes are sent in order.")
    }

    static func enabled(_ name: String) -> WebhookNotice {
        WebhookNotice("Retrying “\(name)” now. Pending changes are sent in order.")
    }

    static func removed(_ name: String) -> WebhookNotice { WebhookNotice("Removed “\(name)”.") }

    static func replayed(_ webhook: Webhook, _ rows: ClosedRange<Int64>) -> WebhookNotice {
        let changes = rows.count == 1 ? "change \(rows.lowerBound)" : "changes \(rows.lowerBound) to \(rows.upperBound)"
        return WebhookNotice(
            webhook.paused == nil
                ? "Resending \(changes) to “\(webhook.name)”, before any new ones."
                : "“\(webhook.name)” will get \(changes) again when you resume it.")
    }
}
