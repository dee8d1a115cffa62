import ArgumentParser
import FeatureFlags

struct FlagRename: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rename", abstract: "Move a flag, with its definition and its values, to another key path.",
        discussion: """
            For admins. Code that reads the flag by its old key path gets the default from then on. With --json the answer of POST \
            /api/v1/definitions/KEY is printed.
            """)

    @OptionGroup var edit: FlagEdit

    @Argument(help: ArgumentHelp("The new key path.", valueName: "new-key"), completion: KeyCompletion.kind)
    var newKey: KeyArgument

    func run() async throws {
        try await edit.move(
            ["action": .scalar(.string("rename")), "newKey": .scalar(.string(newKey.key.text))],
            done: "renamed to \(Terminal.line(newKey.key.text))")
    }
}

struct FlagRetire: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "retire", abstract: "Mark a flag as one that is not to be used any more; it reads as before.",
        discussion: """
            For admins. --reason says why, in the manifest and in the history; --restore takes the mark away. With --json the \
            answer of POST /api/v1/definitions/KEY is printed.
            """)

    @OptionGroup var edit: FlagEdit

    @ArgumentParser.Flag(help: "Take the mark away.")
    var restore = false

    func run() async throws {
        try await edit.move(
            ["action": .scalar(.string(restore ? "restore" : "retire"))],
            done: restore ? "in use again" : "retired")
    }
}

struct FlagRevert: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "revert", abstract: "Put back what was there before a change, by its number in the history.",
        discussion: """
            Where the flag was changed since, nothing is changed (exit code 6). With --json the answer of POST \
            /api/v1/history/ID/revert is printed.
            """)

    @OptionGroup var target: FlagFileOptions

    @Argument(help: ArgumentHelp("The number of the change, as history prints it.", valueName: "change"))
    var change: Int64

    @ArgumentParser.Flag(help: "Revert all changes that were made together with it.")
    var batch = false

    @OptionGroup var reversal: ReversalOptions

    func run() async throws {
        try await reversal.run(
            target, at: "/api/v1/history/\(change)/revert", ["scope": .scalar(.string(batch ? "batch" : "change"))])
    }
}

struct FlagUndo: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "undo", abstract: "Revert your last change, with all that were made together with it.",
        discussion: """
            Undone once more, it is made again. Where a flag was changed since, nothing is changed (exit code 6). With --json the \
            answer of POST /api/v1/undo is printed.
            """)

    @OptionGroup var target: FlagFileOptions
    @OptionGroup var reversal: ReversalOptions

    func run() async throws { try await reversal.run(target, at: "/api/v1/undo", [:]) }
}

struct ReversalOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Why, for the history.", valueName: "WHY"))
    var reason: String?

    @ArgumentParser.Flag(help: "Only tell what would be done.")
    var plan = false

    /// Reverts changes, and prints each flag's outcome.
    func run(_ target: FlagFileOptions, at path: String, _ members: [String: JSONValue]) async throws {
        var body = members
        body["reason"] = reason.map { .scalar(.string($0)) }
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
