import FeatureFlags
import FlagChanges
import FlagWebhooks
import Foundation

/// The webhooks and their deliveries, for admins.
struct WebhooksPage: PageModel {
    static let template = "webhooks"

    let frame: PageFrame
    /// The reason when webhooks are off.
    let off: String?
    let notice: String?
    /// Problems with the webhook files.
    let problems: [String]
    let webhooks: [WebhookRow]
    /// The name of the values file, for the shown command that adds a webhook.
    let fileName: String

    init(
        frame: PageFrame, webhooks: [WebhookRow], problems: [String] = [], notice: String? = nil, fileName: String
    ) {
        self.frame = frame.titled("Webhooks", in: .webhooks)
        off = nil
        self.notice = notice
        self.problems = problems
        self.webhooks = webhooks
        self.fileName = fileName
    }

    /// Creates the page of a dashboard that sends nothing.
    init(off frame: PageFrame, isReadOnly: Bool) {
        self.frame = frame.titled("Webhooks", in: .webhooks)
        off =
            isReadOnly
            ? "Flagboard was started with --read-only, and sends nothing to webhooks."
            : "This dashboard is part of an app or of a command, and sends nothing to webhooks: flagboard serve does."
        notice = nil
        problems = []
        webhooks = []
        fileName = ""
    }
}

extension WebhookSender {
    /// Creates a sender whose messages describe rows as the API does.
    package init(telling service: ChangeService, options: Options = Options()) {
        self.init(
            service, describe: { try FlagJSON.document(String(decoding: ChangeDocument($0).json, as: UTF8.self)) },
            options: options)
    }
}

struct WebhookRow: Hashable, PagePart {
    let id: String
    let name: String
    /// The address without parts that may be secret.
    let url: String
    /// The wanted rows and their format.
    let wish: String
    /// `disabled`, `failing` or nothing.
    let mark: String?
    /// The progress and the last success.
    let standing: TimedText
    let problem: String?
    let test: TimedText?
    /// The label of the button that tries again; `nil` when nothing waits.
    let enabling: String?
    /// The last row sent; empty for none.
    let lastRow: String

    init(_ report: WebhookReport, now: Date) {
        let (webhook, state) = (report.webhook, report.state)
        id = webhook.id
        name = webhook.name
        url = webhook.url.shown
        let wants = webhook.filters.isEmpty ? "Every change" : webhook.filters.map(\.text).joined(separator: ", ")
        wish = wants + (webhook.template == .slack ? ", as a text for Slack." : ".")
        mark = state.disabled != nil ? "disabled" : state.failingSince != nil ? "failing" : nil
        let behind = report.lag == 0 ? "Up to date." : "\(report.lag) row\(report.lag == 1 ? "" : "s") behind."
        let replay = state.replay.map { " Rows \($0.next) to \($0.to) are being sent again." } ?? ""
        standing =
            state.lastSuccess.map { TimedText("Last taken: ", $0, ". \(behind)\(replay)", now: now) }
            ?? TimedText(before: "Nothing taken yet. \(behind)\(replay)")
        problem = Self.problem(state, now)
        test = report.test.map { test in
            let outcome =
                test.outcome.problem.map { "not taken, \($0)." } ?? "taken, it answered \(test.outcome.status ?? 200)."
            return TimedText("Test ", test.at, ": \(outcome)", now: now)
        }
        enabling = state.disabled != nil ? "Enable again" : state.nextTry != nil ? "Try now" : nil
        lastRow = state.cursor > 0 ? "\(state.cursor)" : ""
    }

    private static func problem(_ state: WebhookState, _ now: Date) -> String? {
        if let disabled = state.disabled {
            return "Disabled at \(TimeText(disabled.at).text). \(disabled.why) What comes meanwhile is kept for it."
        }
        guard let since = state.failingSince else { return nil }
        let next = state.nextTry.map {
            $0 <= now ? " The next try is due." : " The next try is at \(TimeText($0).text)."
        }
        return "Failing since \(TimeText(since).text): \(state.lastProblem ?? "there was no answer").\(next ?? "")"
    }
}
