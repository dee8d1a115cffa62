import ArgumentParser
import DurableFiles
import FlagChanges
import FlagHistory
import FlagWebhooks
import Foundation

struct WebhookCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "webhook",
        abstract: "Add, list, test, pause and remove webhooks.",
        discussion: """
            Webhooks are stored, with their signing secrets, in a file beside FILE: FILE's name with .webhooks.json. \
            flagboard serve sends them every change in order. A running server applies changes to webhooks \
            immediately.
            """,
        subcommands: [
            WebhookAdd.self, WebhookList.self, WebhookTest.self, WebhookPause.self, WebhookResume.self,
            WebhookReplay.self, WebhookEnable.self, WebhookRotate.self, WebhookRemove.self,
        ])

    struct Options: ParsableArguments {
        @Argument(help: "The values file: an XML property list, such as flags.xml.", completion: .file())
        var file: String

        @Option(
            help: ArgumentHelp("The history (default: beside FILE, FILE's name with .history.sqlite).", valueName: "F"),
            completion: .file())
        var history: String?

        @Flag(help: "Print as JSON.")
        var json = false

        @OptionGroup var waiting: TimeoutOptions

        private var variables: FlagboardEnvironment { .current }

        var printsJSON: Bool { get throws { try json || variables.bool("JSON") } }

        /// Reports a failure, and ends with exit code 1.
        func withWebhooks(_ body: (WebhooksFile, FlagFiles) async throws -> Void) async throws {
            do {
                let files = try variables.files(values: file, history: history)
                try files.checkServed(as: file)
                try await body(WebhooksFile(files.webhooks, patience: try waiting.duration), files)
            } catch let exit as ExitCode {
                throw exit
            } catch {
                throw CommandOutput.failure(error)
            }
        }

        /// Prints the webhook's ID as JSON under a word, or a sentence.
        func change(
            _ word: String, _ change: (WebhooksFile) async throws -> Webhook, message: (Webhook) -> String
        ) async throws {
            let json = try printsJSON
            try await withWebhooks { file, _ in
                let changed = try await change(file)
                guard !json else { return try CommandOutput.print(json: [word: changed.id]) }
                try CommandOutput.print(lines: message(changed))
            }
        }

        /// 0 if there is none yet.
        static func lastRow(_ files: FlagFiles) throws -> Int64 {
            let url = files.asServed().history
            guard try AtomicFile.signature(of: url) != nil else { return 0 }
            let history = try HistoryStore(reading: url)
            defer { history.close() }
            return try history.chainHead().id
        }
    }

    struct One: ParsableArguments {
        @Argument(help: ArgumentHelp("The webhook's ID or name, from webhook list.", valueName: "id"))
        var webhook: String
    }
}

struct WebhookRemove: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Remove a webhook. Deliveries stop.")

    @OptionGroup var options: WebhookCommand.Options
    @OptionGroup var one: WebhookCommand.One

    func run() async throws {
        try await options.change("removed") {
            try await $0.remove(one.webhook)
        } message: {
            "Removed the webhook \($0.name)."
        }
    }
}

struct WebhookEnable: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "enable",
        abstract: "Enable a disabled webhook, or retry a failing one now.")

    @OptionGroup var options: WebhookCommand.Options
    @OptionGroup var one: WebhookCommand.One

    func run() async throws {
        try await options.change("enabled") {
            try await $0.enable(one.webhook)
        } message: {
            "The webhook \($0.name) is enabled. Pending changes are sent now."
        }
    }
}

struct WebhookRotate: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rotate",
        abstract: "Create a new secret for a webhook. It is printed once; the old one also signs for 24 hours.")

    @OptionGroup var options: WebhookCommand.Options
    @OptionGroup var one: WebhookCommand.One

    func run() async throws {
        let json = try options.printsJSON
        try await options.withWebhooks { file, _ in
            let changed = try await file.rotate(one.webhook, at: Date())
            let secret = changed.secrets[0].secret.text
            guard !json else { return try CommandOutput.print(json: ["id": changed.id, "secret": secret]) }
            CommandOutput.note(
                "This is the new secret of \(changed.name). Copy it to the receiver within 24 hours. You won't see it "
                    + "again."
            )
            try CommandOutput.print(secret)
        }
    }
}

struct WebhookReplay: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "replay",
        abstract: "Resend history events before any new ones.",
        discussion:
            "A running server sends them now; otherwise they are sent when it starts. The events keep their IDs.")

    @OptionGroup var options: WebhookCommand.Options
    @OptionGroup var one: WebhookCommand.One

    @Option(help: ArgumentHelp("The first event, by its row number in the history.", valueName: "ROW"))
    var from: Int64

    @Option(help: ArgumentHelp("The last event (default: the last one delivered).", valueName: "ROW"))
    var to: Int64?

    func run() async throws {
        let json = try options.printsJSON
        try await options.withWebhooks { file, files in
            let last = try WebhookCommand.Options.lastRow(files)
            guard from <= last, to.map({ $0 <= last }) ?? true else {
                throw PlainError("Row \(max(from, to ?? from)) doesn't exist. The last row is \(last).")
            }
            let asked = try await file.replay(one.webhook, from: from, to: to)
            guard !json else { return try CommandOutput.print(json: ["replayed": asked.id]) }
            try CommandOutput.print(
                lines:
                    "Rows \(from) to \(to.map(String.init) ?? "the last one delivered") "
                    + "will be sent to the webhook \(asked.name) again."
            )
        }
    }
}

struct WebhookList: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List webhooks with their URL, filters and delivery state.")

    @OptionGroup var options: WebhookCommand.Options

    func run() async throws {
        let json = try options.printsJSON
        try await options.withWebhooks { file, files in
            let states = try WebhookStatesFile(files.webhooksState).states()
            let rows = try file.webhooks().map { Row($0, states[$0.id] ?? WebhookState(of: $0)) }
            if json { return try CommandOutput.print(json: rows) }
            guard !rows.isEmpty else {
                return try CommandOutput.print("No webhooks yet. Add one with flagboard webhook add.")
            }
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
        let paused: Date?

        init(_ webhook: Webhook, _ state: WebhookState) {
            var state = state
            state.takeUp(webhook)
            (id, name, url) = (webhook.id, webhook.name, webhook.url.shown)
            (template, filters) = (webhook.template.rawValue, webhook.filters.map(\.text))
            allowsPrivate = webhook.allowsPrivate
            (lastRow, lastSuccess, failingSince) = (state.cursor, state.lastSuccess, state.failingSince)
            (nextTry, problem) = (state.nextTry, state.lastProblem)
            disabled = state.disabled?.why
            paused = webhook.paused
        }

        var line: String {
            let wants = filters.isEmpty ? "every change" : filters.joined(separator: " ")
            return "\(id)  \(name)  \(url)  \(template)  \(wants)  up to row \(lastRow)  \(how)"
        }

        private var how: String {
            if let paused { return "paused since \(Self.text(paused))" }
            if let disabled { return "disabled: \(disabled)" }
            if let failingSince { return "failing since \(Self.text(failingSince)): \(problem ?? "no response")" }
            return lastSuccess.map { "last delivery at \(Self.text($0))" } ?? "no deliveries yet"
        }

        private static func text(_ date: Date) -> String { date.formatted(Date.ISO8601FormatStyle(timeZone: .gmt)) }
    }
}

struct WebhookTest: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "test", abstract: "Send a test event and print the result.",
        discussion: "Exits with 0 if the receiver accepted it, or with 1 if not. The test doesn't affect the webhook's "
            + "other deliveries.")

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
                        ?? "Delivered to \(webhook.name): status \(outcome.status ?? 200).")
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
