import ArgumentParser
import FlagWebhooks
import Foundation

/// `flagboard webhook test FILE ID`.
struct WebhookTest: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "test", abstract: "Send a message that tells of nothing, and print how that went.",
        discussion: "The exit code is 0 where it was taken, else 1. Nothing else of the webhook is changed.")

    @OptionGroup var options: WebhookCommand.Options
    @OptionGroup var one: WebhookCommand.One

    func run() async throws {
        let json = try options.printsJSON
        try await options.withWebhooks { file, _ in
            let webhook = try file.webhook(one.webhook)
            let now = Date()
            let outcome = await WebhookPost().send(WebhookMessage(testing: webhook, at: now), to: webhook, at: now)
            if json {
                try CommandOutput.print(
                    json: Fields(result: outcome.sort.rawValue, status: outcome.status, problem: outcome.problem))
            } else {
                try CommandOutput.print(
                    lines: outcome.problem.map { "Not delivered to \(webhook.name): \($0)." }
                        ?? "Delivered to \(webhook.name): it answered \(outcome.status ?? 200).")
            }
            guard case .delivered = outcome else { throw ExitCode.failure }
        }
    }

    private struct Fields: Encodable {
        let result: String
        let status: Int?
        let problem: String?
    }
}
