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
        try await options.change("paused") {
            try await $0.pause(one.webhook, at: Date())
        } message: {
            "Paused \($0.name). Changes wait until you resume it."
        }
    }
}

struct WebhookResume: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "resume", abstract: "Resume a paused webhook: the changes that waited are sent in order.")

    @OptionGroup var options: WebhookCommand.Options
    @OptionGroup var one: WebhookCommand.One

    func run() async throws {
        try await options.change("resumed") {
            try await $0.resume(one.webhook)
        } message: {
            "Resumed \($0.name). Pending changes are sent in order."
        }
    }
}
