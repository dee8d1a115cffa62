import FeatureFlags
import FlagChanges
import FlagWebhooks
import Foundation

struct WebhooksPage: PageModel {
    static let template = "webhooks"

    let frame: PageFrame
    /// Set if webhooks are off.
    let off: String?
    let notice: WebhookNotice?
    let created: CreatedWebhook?
    let problems: [String]
    let webhooks: [WebhookRow]
    let form: WebhookForm

    init(
        frame: PageFrame, webhooks: [WebhookRow], problems: [String] = [], form: WebhookForm,
        notice: WebhookNotice? = nil, created: CreatedWebhook? = nil
    ) {
        self.frame = frame.titled(form.problem == nil ? "Webhooks" : "Couldn’t add webhook: Webhooks", in: .webhooks)
        off = nil
        self.notice = notice
        self.created = created
        self.problems = problems
        self.webhooks = webhooks
        self.form = form
    }

    /// The dashboard sends nothing.
    init(off frame: PageFrame, because cause: String) {
        self.frame = frame.titled("Webhooks", in: .webhooks)
        off = cause
        notice = nil
        created = nil
        problems = []
        webhooks = []
        form = WebhookForm(mayAllowPrivate: false)
    }
}

extension WebhookSender {
    /// Messages describe rows as the API does.
    package init(telling service: ChangeService, options: Options = Options()) {
        self.init(
            service, describe: { try FlagJSON.document(String(decoding: ChangeDocument($0).json, as: UTF8.self)) },
            options: options)
    }
}
