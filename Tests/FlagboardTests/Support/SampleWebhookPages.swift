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
        let rows = [
            webhookRow("wh_a", .slack) { $0.lastSuccess = now },
            webhookRow("wh_b", test: .delivered(status: 204)) { state in
                (state.failingSince, state.nextTry, state.lastProblem) = (now, now + 300, "it answered 500")
                (state.replay, state.cursor) = (WebhookState.Replay(next: 1, to: 2), 7)
            },
            webhookRow("wh_c", test: .failed("there was no answer")) { state in
                state.disabled = WebhookState.Disabled(at: now, why: "It answered 410 to row 7.")
            },
        ]
        return [
            WebhooksPage(
                frame: frame, webhooks: rows, problems: ["It can't be read."], notice: "It is removed.",
                fileName: "flags.xml"),
            WebhooksPage(frame: frame, webhooks: [], fileName: "flags.xml"),
            WebhooksPage(off: frame, isReadOnly: true), WebhooksPage(off: frame, isReadOnly: false),
        ]
    }()

    /// A webhook in a row.
    static func webhookRow(
        _ id: String, _ template: Webhook.Template = .generic, test: DeliveryOutcome? = nil,
        _ change: (inout WebhookState) -> Void
    ) -> WebhookRow {
        guard case .success(let url) = Result(catching: { try WebhookURL("https://hooks.example/secret") }) else {
            preconditionFailure("the address is none")
        }
        let webhook = Webhook(
            id: id, name: "<b>\(id)", url: url, filters: [], template: template, allowsPrivate: false, created: now,
            after: 0, secrets: [WebhookSecret.Kept(secret: .random())])
        var state = WebhookState(of: webhook)
        change(&state)
        return WebhookRow(
            WebhookReport(
                webhook: webhook, state: state, lag: 2, test: test.map { WebhookReport.Test(at: now, outcome: $0) }),
            now: now)
    }
}
