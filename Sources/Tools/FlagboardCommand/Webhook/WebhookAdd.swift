import ArgumentParser
import DurableFiles
import FlagChanges
import FlagWebhooks
import Foundation

struct WebhookAdd: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add", abstract: "Add a webhook. Its secret is printed once.",
        discussion: """
            The webhook gets every change from now on. Filters on one field are alternatives; filters on different \
            fields must all match. An address on this machine or in a private network is refused, now and at each \
            delivery, unless you use --allow-private.
            """)

    @OptionGroup var options: WebhookCommand.Options

    @Argument(
        help: "The URL to send to, such as https://example.com/hooks/flags.",
        transform: { text throws(ValidationError) in
            do throws(PlainError) {
                return try WebhookURL(text)
            } catch {
                throw ValidationError("invalid URL: \(error).")
            }
        })
    var url: WebhookURL

    @Option(
        help: ArgumentHelp("The name (default: the host of the URL, with a number if that is taken).", valueName: "N"))
    var name: String?

    @Option(
        name: .customLong("filter"),
        help: ArgumentHelp(
            "Only send matching changes: \(WebhookFilter.forms). Can be repeated.",
            valueName: "F"),
        transform: { text throws(ValidationError) in
            do throws(PlainError) {
                return try WebhookFilter(text)
            } catch {
                throw ValidationError("\"\(text)\" is not a valid filter: \(error).")
            }
        })
    var filters: [WebhookFilter] = []

    @Option(
        help: ArgumentHelp(
            "generic: the change as JSON; slack: a channel message.", valueName: "T"))
    var template = Webhook.Template.generic

    @Flag(help: "Allow an address on this machine or in a private network.")
    var allowPrivate = false

    func run() async throws {
        let json = try options.printsJSON
        try await options.withWebhooks { file, files in
            let new = NewWebhook(
                url: url, name: name, filters: filters, template: template, allowsPrivate: allowPrivate)
            let row = try WebhookCommand.Options.lastRow(files)
            let made: Webhook
            do throws(KeptFileError) {
                let (webhook, caution) = try await file.add(new, after: row, at: Date())
                made = webhook
                if let caution {
                    CommandOutput.warn("\(caution). The webhook was added; each delivery looks the host up again.")
                }
            } catch {
                throw Self.advised(error)
            }
            let secret = made.secrets[0].secret.text
            guard !json else {
                return try CommandOutput.print(json: ["id": made.id, "name": made.name, "secret": secret])
            }
            CommandOutput.note(
                """
                Added the webhook \(made.name) with the ID \(made.id). It gets changes after row \(made.after).
                This is its secret. Copy it to the receiver now. You won't see it again.
                """)
            try CommandOutput.print(secret)
        }
    }

    /// Names the option that lifts a refusal.
    private static func advised(_ error: KeptFileError) -> any Error {
        switch error.webhookField {
        case .allowsPrivate: PlainError("\(error). Use --allow-private to send there anyway.")
        case .name: PlainError("\(error) Choose another one with --name.")
        case .url, .filters, .template, nil: error
        }
    }
}
