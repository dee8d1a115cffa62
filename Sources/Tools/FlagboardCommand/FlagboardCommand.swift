import ArgumentParser
import DurableFiles
import Foundation

struct FlagboardCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "flagboard",
        abstract: "View and edit the feature flags in a property list, with a history of every change.",
        discussion: """
            Exit codes: 0 success; 1 failure or findings; 3 flag not found; 4 not signed in; 5 refused (lock, \
            constraint or role); 6 changed by someone else in the meantime; 64 wrong usage.
            """,
        version: FlagboardVersion.current,
        subcommands: [
            Serve.self, FlagList.self, FlagGet.self, FlagExplain.self, FlagSet.self, FlagReset.self, FlagLock.self,
            FlagUnlock.self, FlagDefine.self, FlagRename.self, FlagRetire.self, FlagUndo.self, FlagRevert.self,
            FlagExport.self, FlagImport.self, FlagDiff.self, FlagWatch.self, History.self, Token.self,
            WebhookCommand.self,
            Git.self, Generate.self, References.self, Lint.self, ManifestPrint.self,
            Schema.self,
        ])
}

@main
enum Program {
    static func main() async {
        CommandOutput.occupyStandardStreams()
        let arguments = CommandArguments.takingDashedValue(Array(CommandLine.arguments.dropFirst()))
        if arguments.first == Serve._commandName { endWhenStoppedAtStart() }
        do {
            if let error = CommandSuggestion.error(for: arguments, of: FlagboardCommand.self) { throw error }
            // The synchronous one looks through all commands first, which takes most of a debug build's time.
            var command = try await EnvironmentOptions.parse(arguments, ProcessInfo.processInfo.environment)
            // A server has its own number.
            if !(command is Serve) {
                do throws(PlainError) {
                    try DescriptorBudget.checkForCommands()
                } catch {
                    throw CommandOutput.failure(error)
                }
            }
            if var command = command as? any AsyncParsableCommand {
                try await command.run()
            } else {
                try command.run()
            }
        } catch {
            let error = CommandSuggestion.improved(error, for: arguments)
            // A bare exit code was reported already.
            let code = FlagboardCommand.exitCode(for: error)
            if !(error is ExitCode), !(error is OutputError), code != .success {
                CommandOutput.tellPrograms(FlagboardCommand.message(for: error), code)
            }
            if code == .success { FlagboardCommand.exit(withError: error) }
            // It may quote what was given, with controls of terminals.
            let message = FlagboardCommand.fullMessage(for: error)
            if !message.isEmpty { CommandOutput.note(message) }
            exit(code.rawValue)
        }
    }
}

/// Ends a server that gets a signal to stop before it handles such signals.
///
/// What it has begun by then survives that as it survives a crash, and the first process of a container would ignore the
/// signal.
private func endWhenStoppedAtStart() {
    for number in [SIGTERM, SIGINT] { signal(number) { _ in _exit(EXIT_SUCCESS) } }
}

enum CommandArguments {
    /// Moves a value of `set` that begins with one dash behind `--`, so that it is no option: `set FILE KEY -7`.
    static func takingDashedValue(_ arguments: [String]) -> [String] {
        guard arguments.first == FlagSet.configuration.commandName, !arguments.contains("--"),
            let place = arguments.lastIndex(where: isDashedValue),
            // What is behind a lone option is its value.
            arguments[place - 1] == "--json" || arguments[place - 1].contains("=")
                || !arguments[place - 1].hasPrefix("--")
        else { return arguments }
        // VALUE is the last argument.
        return arguments[..<place] + arguments[(place + 1)...] + ["--", arguments[place]]
    }

    /// A long option with one dash is a mistake, and no value.
    private static func isDashedValue(_ text: String) -> Bool {
        text.wholeMatch(of: /-(?:[0-9]|[^-].+)/.dotMatchesNewlines()) != nil
            && !FlagSet.helpMessage().contains("-\(text) ") && text != "-help"
    }
}
