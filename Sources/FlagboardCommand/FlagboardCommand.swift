import ArgumentParser

/// The command line.
struct FlagboardCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "flagboard",
        abstract: "Reads and edits the feature flags of a property-list file, and keeps a history of every change.",
        version: "0.1.0",
        subcommands: [Serve.self, History.self, Token.self])
}

@main
enum Program {
    static func main() async {
        CommandOutput.occupyStandardStreams()
        await FlagboardCommand.main()
    }
}
