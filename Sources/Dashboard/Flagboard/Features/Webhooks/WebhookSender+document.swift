import FeatureFlags
import FlagChanges
import FlagWebhooks

extension WebhookSender {
    /// Makes a sender whose messages tell of rows as the API does.
    package init(telling service: ChangeService, options: Options = Options()) {
        self.init(
            service, describe: { try FlagJSON.document(String(decoding: ChangeDocument($0).json, as: UTF8.self)) },
            options: options)
    }
}
