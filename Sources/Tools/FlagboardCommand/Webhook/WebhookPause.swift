import ArgumentParser
import FlagWebhooks
import Foundation

struct WebhookPause: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pause", abstract: "Pause a webhook: nothing is sent until it is resumed.",
        discussion: "Changes wait in the history meanwhile, and are sent in order once it is resumed.")

    @OptionGroup var options: WebhookCommand.Options
    @OptionGroup var one: WebhookCommand.One

    func run() async throws {
        let json = try options.printsJSON
        try await options.withWebhooks { file, _ in
            let paused = try await file.pause(one.webhook, at: Date())
            guard !json else { return try CommandOutput.print(json: ["paused": paused.id]) }
            try CommandOutput.print(lines: "Paused \(paused.name). Changes wait until you resume it.")
        }
    }
}

struct WebhookResume: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "resume", abstract: "Resume a paused webhook: the changes that waited are sent in order.")

    @OptionGroup var options: WebhookCommand.Options
    @OptionGroup var one: WebhookCommand.One

    func run() async throws {
        let json = try options.printsJSON
        try await options.withWebhooks { file, _ in
            let resumed = try await file.resume(one.webhook)
            guard !json else { return try CommandOutput.print(json: ["resumed": resumed.id]) }
            try CommandOutput.print(lines: "Resumed \(resumed.name). Pending changes are sent in order.")
        }
    }
}
