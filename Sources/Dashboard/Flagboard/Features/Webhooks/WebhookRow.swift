import FlagChanges
import FlagWebhooks
import Foundation

struct WebhookRow: Hashable, PagePart {
    let id: String
    let name: String
    /// Without parts that may be secret.
    let url: String
    /// The wanted changes and their format.
    let wish: String
    let mark: String
    /// `success`, `failing` or `paused`.
    let markStyle: String
    /// The progress and the last delivery.
    let standing: TimedText
    let problem: String?
    /// The time of the pause, and its effect on changes.
    let pause: String?
    /// The button that tries again; `nil` if nothing waits.
    let enabling: String?
    /// The last row sent; empty for none.
    let lastRow: String
    let deliveries: [DeliveryRow]
    /// Deliveries behind a disclosure.
    let older: [DeliveryRow]
    let hasDeliveries: Bool

    private static let shownDeliveries = 3

    init(_ report: WebhookReport, now: Date) {
        let (webhook, state) = (report.webhook, report.state)
        id = webhook.id
        name = webhook.name
        url = webhook.url.shown
        let wants = webhook.filters.isEmpty ? "Every change" : webhook.filters.map(\.text).joined(separator: ", ")
        wish = "\(wants), as \(webhook.template == .slack ? "Slack messages" : "JSON")"
        (mark, markStyle) = Self.mark(webhook, state)
        standing = Self.standing(report, now)
        problem = webhook.paused == nil ? Self.problem(state, now) : nil
        pause = webhook.paused.map {
            "Paused since \(TimeText($0).text). Changes are kept in the history and sent in order when you resume. "
                + "Changes pruned from the history before then aren’t sent."
        }
        enabling =
            webhook.paused != nil ? nil : state.disabled != nil ? "Enable" : state.nextTry != nil ? "Retry now" : nil
        lastRow = state.cursor > 0 ? "\(state.cursor)" : ""
        let rows = report.deliveries.map { DeliveryRow($0, of: webhook, now: now) }
        deliveries = Array(rows.prefix(Self.shownDeliveries))
        older = Array(rows.dropFirst(Self.shownDeliveries))
        hasDeliveries = !rows.isEmpty
    }

    private static func mark(_ webhook: Webhook, _ state: WebhookState) -> (String, String) {
        if webhook.paused != nil { return ("Paused", "paused") }
        if state.disabled != nil { return ("Disabled", "failing") }
        return state.failingSince != nil ? ("Failing", "failing") : ("Active", "success")
    }

    private static func standing(_ report: WebhookReport, _ now: Date) -> TimedText {
        let pending =
            report.lag == 0 ? "Up to date." : "\(report.lag) change\(report.lag == 1 ? "" : "s") pending."
        let replay = report.state.replay.map { " Resending changes \($0.next) to \($0.to)." } ?? ""
        let none = report.deliveries.isEmpty ? "No deliveries yet." : "Nothing delivered yet."
        return report.state.lastSuccess.map { TimedText("Last delivered ", $0, ". \(pending)\(replay)", now: now) }
            ?? TimedText(before: "\(none) \(pending)\(replay)")
    }

    private static func problem(_ state: WebhookState, _ now: Date) -> String? {
        if let disabled = state.disabled {
            return "Disabled since \(TimeText(disabled.at).text). \(disabled.why) Changes are kept until you enable it."
        }
        guard let since = state.failingSince else { return nil }
        let next = state.nextTry.map { $0 <= now ? " Retrying now." : " Next retry \(TimeText($0).text)." }
        return "Failing since \(TimeText(since).text): \(state.lastProblem ?? "no response").\(next ?? "")"
    }
}

struct DeliveryRow: Hashable, PagePart {
    let number: Int
    let webhook: String
    let webhookName: String
    let href: String
    /// `delivered` or `failed`.
    let style: String
    /// The symbol of `icons.svg`.
    let icon: String
    /// The status, or that there was none.
    let result: String
    /// The change, or that it was a test.
    let subject: String
    /// Further facts, such as `attempt 2`.
    let note: String
    let age: AgoText
    let problem: String?
    let canResend: Bool

    init(_ delivery: WebhookDelivery, of webhook: Webhook, now: Date) {
        number = delivery.number
        self.webhook = webhook.id
        webhookName = webhook.name
        href = PageLink.delivery(delivery.number, to: webhook.id)
        style = delivery.problem == nil ? "delivered" : "failed"
        icon = delivery.problem == nil ? "checkmark" : "xmark"
        result = delivery.resultText
        subject = delivery.row.map { "Change \($0)" } ?? "Test"
        let extras = [
            delivery.occasion == .resend || delivery.occasion == .replay ? "resent" : nil,
            delivery.attempt > 1 ? "attempt \(delivery.attempt)" : nil,
            delivery.status == nil && delivery.milliseconds == 0 ? nil : "\(delivery.milliseconds) ms",
        ]
        note = extras.compactMap(\.self).joined(separator: " · ")
        age = AgoText(delivery.at, now: now)
        problem = delivery.problem?.uppercasedFirst.asSentence
        canResend = webhook.paused == nil
    }
}

extension WebhookDelivery {
    /// A word if there is no status.
    var resultText: String { status.map { "\($0)" } ?? (result == .forbidden ? "Not sent" : "No response") }
}
