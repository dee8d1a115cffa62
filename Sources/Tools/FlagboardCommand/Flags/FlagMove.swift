import ArgumentParser
import FeatureFlags

struct FlagRename: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rename", abstract: "Rename a flag: move its definition and values to another key path.",
        discussion: """
            Requires the admin role. Code that reads the old key path gets the default until you update it. With \
            --json, prints the response of POST /api/v1/definitions/KEY.
            """)

    @OptionGroup var edit: FlagEdit

    @Argument(help: ArgumentHelp("The new key path.", valueName: "new-key"), completion: FlagCompletion.keys)
    var newKey: KeyArgument

    func run() async throws {
        try await edit.move(
            ["action": .scalar(.string("rename")), "newKey": .scalar(.string(newKey.key.text))],
            done: "renamed to \(Terminal.line(newKey.key.text))")
    }
}

struct FlagRetire: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "retire", abstract: "Deprecate a flag. Its values are unaffected.",
        discussion: """
            Requires the admin role. --reason is stored in the manifest and shown in the history. --restore removes \
            the deprecation. With --json, prints the response of POST /api/v1/definitions/KEY.
            """)

    @OptionGroup var edit: FlagEdit

    @ArgumentParser.Flag(help: "Remove the deprecation.")
    var restore = false

    func run() async throws {
        try await edit.move(
            ["action": .scalar(.string(restore ? "restore" : "retire"))],
            done: restore ? "restored" : "deprecated")
    }
}

struct FlagRevert: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "revert", abstract: "Revert a change by its number in the history.",
        discussion: """
            If the flag has changed since then, nothing is changed (exit code 6). With --json, prints the response of \
            POST /api/v1/history/ID/revert.
            """)

    @OptionGroup var target: FlagFileOptions

    @Argument(help: ArgumentHelp("The number of the change, from flagboard history.", valueName: "change"))
    var change: Int64

    @ArgumentParser.Flag(help: "Revert the whole batch that the change belongs to.")
    var batch = false

    @OptionGroup var reversal: ReversalOptions

    func run() async throws {
        try await reversal.run(
            target, at: "/api/v1/history/\(change)/revert", ["scope": .scalar(.string(batch ? "batch" : "change"))])
    }
}

struct FlagUndo: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "undo", abstract: "Undo your last change, including the rest of its batch.",
        discussion: """
            Run it again to redo the change. If a flag has changed since then, nothing is changed (exit code 6). With \
            --json, prints the response of POST /api/v1/undo.
            """)

    @OptionGroup var target: FlagFileOptions
    @OptionGroup var reversal: ReversalOptions

    func run() async throws { try await reversal.run(target, at: "/api/v1/undo", [:]) }
}

struct ReversalOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The reason, shown in the history.", valueName: "WHY"))
    var reason: String?

    @Option(help: Confirmation.help)
    var confirm: String?

    @ArgumentParser.Flag(help: "Show the result without changing anything.")
    var plan = false

    /// Prints each flag's outcome.
    func run(_ target: FlagFileOptions, at path: String, _ members: [String: JSONValue]) async throws {
        var body = members
        body["reason"] = reason.map { .scalar(.string($0)) }
        body["confirm"] = confirm.map { .scalar(.string($0)) }
        body["preview"] = .scalar(.bool(plan))
        let sent = JSONValue.object(body)
        try await target.run(to: plan ? .looking : .changing) { client in
            let answer = try await client.post(path, sent)
            let told = try answer.json
            let changes = told["changes"]?.items ?? []
            if try target.printsJSON {
                try CommandOutput.print(answer.text)
            } else {
                let lines =
                    changes.map { ShownOutcome($0).plannedLine }
                    + (told["outcomes"]?.items ?? []).map { ShownOutcome($0).line() }
                try CommandOutput.print(lines.joined(separator: "\n"))
            }
            if let refusal = changes.lazy.compactMap({ $0["refusal"] }).first {
                throw CommandRefusal(status: 422, refusal).exit
            }
        }
    }
}
