import ArgumentParser
import FeatureFlags

/// `flagboard rename FILE KEY NEW`: another key path for a flag.
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

/// `flagboard retire FILE KEY`: a flag that is not to be used any more.
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
