import ArgumentParser
import FlagChanges
import FlagWebhooks
import Foundation

/// `flagboard webhook list FILE`.
struct WebhookList: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the webhooks: where they are, what they want, and how far they were told.")

    @OptionGroup var options: WebhookCommand.Options

    func run() async throws {
        let json = try options.printsJSON
        try await options.withWebhooks { file, files in
            let states = try WebhookStatesFile(files.webhooksState).states()
            let rows = try file.webhooks().map { Row($0, states[$0.id] ?? WebhookState(of: $0)) }
            if json { return try CommandOutput.print(json: rows) }
            guard !rows.isEmpty else { return try CommandOutput.print("There are no webhooks.") }
            for row in rows { try CommandOutput.print(lines: row.line) }
        }
    }

    private struct Row: Encodable {
        let id: String
        let name: String
        let url: String
        let template: String
        let filters: [String]
        let allowsPrivate: Bool
        let lastRow: Int64
        let lastSuccess: Date?
        let failingSince: Date?
        let nextTry: Date?
        let problem: String?
        let disabled: String?

        init(_ webhook: Webhook, _ state: WebhookState) {
            var state = state
            state.takeUp(webhook)
            (id, name, url) = (webhook.id, webhook.name, webhook.url.shown)
            (template, filters) = (webhook.template.rawValue, webhook.filters.map(\.text))
            allowsPrivate = webhook.allowsPrivate
            (lastRow, lastSuccess, failingSince) = (state.cursor, state.lastSuccess, state.failingSince)
            (nextTry, problem) = (state.nextTry, state.lastProblem)
            disabled = state.disabled?.why
        }

        var line: String {
            let wants = filters.isEmpty ? "every change" : filters.joined(separator: " ")
            let how =
                disabled.map { "disabled: \($0)" }
                ?? failingSince.map { "failing since \(Self.text($0)): \(problem ?? "no answer")" }
                ?? lastSuccess.map { "last told at \(Self.text($0))" } ?? "not told of anything yet"
            return "\(id)  \(name)  \(url)  \(template)  \(wants)  up to row \(lastRow)  \(how)"
        }

        private static func text(_ date: Date) -> String { date.formatted(Date.ISO8601FormatStyle(timeZone: .gmt)) }
    }
}
