import ArgumentParser
import DurableFiles
import FlagChanges
import FlagWebhooks
import Foundation

struct WebhookAdd: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add", abstract: "Add a webhook. Its secret is printed once.",
        discussion: """
            It is told of the rows from now on. Of several filters of one field, one must hold; of those of different \
            fields, each. An address on this machine or in a private network is refused, now and at each message, unless \
            --allow-private is given.
            """)

    @OptionGroup var options: WebhookCommand.Options

    @Argument(
        help: "Where messages go, such as https://example.com/hooks/flags.",
        transform: { text throws(ValidationError) in
            do throws(PlainError) {
                return try WebhookURL(text)
            } catch {
                throw ValidationError("the URL can't be used: \(error).")
            }
        })
    var url: WebhookURL

    @Option(help: ArgumentHelp("What to call it (default: the host of the URL).", valueName: "N"))
    var name: String?

    @Option(
        name: .customLong("filter"),
        help: ArgumentHelp(
            "Only these rows: key=checkout/*, tag=T, kind=set,reset or provider=P. May be given several times.",
            valueName: "F"),
        transform: { text throws(ValidationError) in
            do throws(PlainError) {
                return try WebhookFilter(text)
            } catch {
                throw ValidationError("\"\(text)\" is no filter: \(error).")
            }
        })
    var filters: [WebhookFilter] = []

    @Option(
        help: ArgumentHelp(
            "generic: the row as JSON; slack: a text for a channel.", valueName: "T"))
    var template = Webhook.Template.generic

    @Flag(help: "Allow an address on this machine or in a private network.")
    var allowPrivate = false

    func run() async throws {
        let json = try options.printsJSON
        try await options.withWebhooks { file, files in
            do throws(HostLookup.LookupError) {
                _ = try await HostLookup().addresses(of: url, allowsPrivate: allowPrivate)
            } catch {
                guard !error.isForbidden else {
                    let cause = error.description.replacing(
                        ", and the webhook was added without --allow-private", with: "")
                    throw PlainError("\(cause). Give --allow-private if messages are to go there.")
                }
                CommandOutput.warn("\(error); it is added, and each message will look for it again.")
            }
            let made = try await file.add(
                url, named: name, filters: filters, template: template, allowsPrivate: allowPrivate,
                after: WebhookCommand.Options.lastRow(files), at: Date())
            let secret = made.secrets[0].secret.text
            guard !json else {
                return try CommandOutput.print(json: ["id": made.id, "name": made.name, "secret": secret])
            }
            CommandOutput.note(
                """
                The webhook \(made.name) has the id \(made.id), and is told of rows after \(made.after).
                This is its secret. Give it to the receiver: it is not shown again.
                """)
            try CommandOutput.print(secret)
        }
    }
}
