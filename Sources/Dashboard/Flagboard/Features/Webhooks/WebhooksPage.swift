import FeatureFlags
import FlagChanges
import FlagWebhooks

/// Which programs elsewhere are told of changes, and how that goes, for admins.
struct WebhooksPage: PageModel {
    static let template = "webhooks"

    let frame: PageFrame
    /// Why nothing is sent here; `nil` where it is.
    let off: String?
    /// What has just been done.
    let notice: String?
    /// Why the files about webhooks can't be used.
    let problems: [String]
    let webhooks: [WebhookRow]
    /// The name of the values file, for the line that adds a webhook.
    let fileName: String

    /// Makes the page of a server that sends.
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

    /// Makes the page of a dashboard that sends nothing.
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
    /// Makes a sender whose messages tell of rows as the API does.
    package init(telling service: ChangeService, options: Options = Options()) {
        self.init(
            service, describe: { try FlagJSON.document(String(decoding: ChangeDocument($0).json, as: UTF8.self)) },
            options: options)
    }
}
