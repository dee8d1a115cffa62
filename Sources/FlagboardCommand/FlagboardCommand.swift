import ArgumentParser

/// The command line.
struct FlagboardCommand: AsyncParsableCommand {
    /// The version of the whole package, which `CHANGELOG.md` names too.
    static let version = "0.1.0"

    static let configuration = CommandConfiguration(
        commandName: "flagboard",
        abstract: "Reads and edits the feature flags of a property-list file, and keeps a history of every change.",
        discussion: """
            Exit codes: 0 done; 1 failed, or there are findings; 3 no such flag; 4 not signed in; 5 refused (a lock, a constraint, a \
            role); 6 changed meanwhile; 64 wrong usage.
            """,
        version: version,
        subcommands: [
            Serve.self, FlagList.self, FlagGet.self, FlagExplain.self, FlagSet.self, FlagReset.self, FlagLock.self,
            FlagUnlock.self, FlagExport.self, FlagImport.self, FlagDiff.self, FlagWatch.self, History.self, Token.self,
            WebhookCommand.self,
            Git.self, Generate.self, References.self, SourceReading.self, Lint.self, ManifestPrint.self,
            Schema.self,
        ])
}

@main
enum Program {
    static func main() async {
        CommandOutput.occupyStandardStreams()
        let arguments = Array(CommandLine.arguments.dropFirst())
        if let error = CommandSuggestion.error(for: arguments, of: FlagboardCommand.self) {
            FlagboardCommand.exit(withError: error)
        }
        await FlagboardCommand.main()
    }
}
