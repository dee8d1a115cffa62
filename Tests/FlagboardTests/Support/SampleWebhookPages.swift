import FlagChanges
import Foundation

@testable import FlagWebhooks
@testable import Flagboard

extension Samples {
    /// The pages about webhooks: one of each standing, and those where nothing is sent.
    static let webhookPages: [any PageModel] = {
        let frame = PageFrame(
            fileName: "flags.xml", providers: [],
            visitor: Visitor(person: Dashboard.Person(name: "ada", role: .admin), proof: .session(2)),
            hasWebhooks: true)
        let paused = webhook("wh_d", paused: now)
        let refused = KeptFileError.refused("It can't be.", field: "url")
        let rows = [
            webhookRow("wh_a", .slack) { $0.lastSuccess = now },
            webhookRow("wh_b", deliveries: 5) { state in
                (state.failingSince, state.nextTry, state.lastProblem) = (now, now + 300, "it answered 500")
                (state.replay, state.cursor) = (WebhookState.Replay(next: 1, to: 2), 7)
            },
            webhookRow("wh_c", deliveries: 2) { state in
                state.disabled = WebhookState.Disabled(at: now, why: "It answered 410 to row 7.")
            },
            WebhookRow(WebhookReport(webhook: paused, state: WebhookState(of: paused), lag: 1), now: now),
        ]
        return [
            WebhooksPage(
                frame: frame, webhooks: rows, problems: ["It can't be read."],
                form: WebhookForm(
                    url: "http://127.0.0.1", filters: "key=a", allowsPrivate: true, mayAllowPrivate: true,
                    error: refused),
                notice: .paused("till"), created: CreatedWebhook(paused, caution: "its host can't be found")),
            WebhooksPage(frame: frame, webhooks: [], form: WebhookForm(mayAllowPrivate: false)),
            DeliveryPage(
                frame: frame, webhook: paused, delivery: delivery(1, .failed("no response"), row: 7),
                message: nil),
            DeliveryPage(
                frame: frame, webhook: webhook("wh_a"), delivery: delivery(2, .delivered(status: 204), row: nil),
                message: WebhookMessage(testing: paused, at: now)),
        ]
            + [NewWebhook.Field.allowsPrivate, .name, .filters, .template].map { field in
                WebhooksPage(
                    frame: frame, webhooks: [],
                    form: WebhookForm(
                        mayAllowPrivate: false, command: "flagboard webhook add",
                        error: .refused("It can't be.", field: field.rawValue)))
            } + [
                WebhooksPage(off: frame, because: "Flagboard was started with --read-only.")
            ]
    }()

    /// A webhook in a row.
    static func webhookRow(
        _ id: String, _ template: Webhook.Template = .generic, deliveries: Int = 0,
        _ change: (inout WebhookState) -> Void
    ) -> WebhookRow {
        let webhook = webhook(id, template)
        var state = WebhookState(of: webhook)
        change(&state)
        let made = (0..<deliveries).map { number in
            delivery(number + 1, number == 0 ? .failed("no response") : .delivered(status: 204), row: 7)
        }
        return WebhookRow(WebhookReport(webhook: webhook, state: state, lag: 2, deliveries: made), now: now)
    }

    static func delivery(_ number: Int, _ outcome: DeliveryOutcome, row: Int64?) -> WebhookDelivery {
        WebhookDelivery(
            number, of: WebhookMessage(testing: webhook("wh_a"), at: now), row: row, row == nil ? .test : .resend,
            attempt: 2, at: now, taking: .milliseconds(12), outcome: outcome)
    }

    static func webhook(_ id: String, _ template: Webhook.Template = .generic, paused: Date? = nil) -> Webhook {
        guard case .success(let url) = Result(catching: { try WebhookURL("https://hooks.example/secret") }) else {
            preconditionFailure("the address is none")
        }
        return Webhook(
            id: id, name: "<b>\(id)", url: url, filters: [], template: template, allowsPrivate: false, created: now,
            after: 0, secrets: [WebhookSecret.Kept(secret: .random())], paused: paused)
    }
}
