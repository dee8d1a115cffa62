import ArgumentParser
import FeatureFlagsXML
import Flagboard
import Foundation

/// The exit codes of every command, for scripts to tell apart; 0 is done, and 64 is the argument parser's own for wrong usage.
extension ExitCode {
    /// Something else failed; also that there are differences or findings, where those were asked for.
    static let failed = ExitCode(1)
    /// There is no such flag.
    static let noSuchFlag = ExitCode(3)
    /// Nothing says who asks, or who asks is not let in.
    static let notSignedIn = ExitCode(4)
    /// The change is not allowed: a lock, a constraint, a role.
    static let refused = ExitCode(5)
    /// The flag was changed meanwhile.
    static let changedMeanwhile = ExitCode(6)
}

/// The command that was likely meant by a word that is none.
enum CommandSuggestion {
    /// Explains why arguments can't be parsed, where that is a wrong command.
    ///
    /// - Parameter arguments: What was given after the program's name.
    /// - Returns: `nil` where each command is known, so that something else is wrong.
    static func error(for arguments: [String], of root: any ParsableCommand.Type) -> ValidationError? {
        var command = root
        var path = [root._commandName]
        for argument in arguments {
            let subcommands = command.configuration.subcommands
            guard !subcommands.isEmpty, !argument.hasPrefix("-"), argument != "help" else { return nil }
            guard let next = subcommands.first(where: { $0._commandName == argument }) else {
                // A command that does something by itself takes a file where another takes a command.
                if command.configuration.defaultSubcommand != nil, FileManager.default.fileExists(atPath: argument) {
                    return nil
                }
                let known = subcommands.map { $0._commandName }
                return ValidationError(text(argument, known, after: path.joined(separator: " ")))
            }
            command = next
            path.append(argument)
        }
        return nil
    }

    private static func text(_ word: String, _ known: [String], after path: String) -> String {
        let text = "\(path) has no command \"\(word)\""
        if let likely = LikelyName(word).nearest(in: Set(known)) { return "\(text): did you mean `\(likely)`?" }
        if FileManager.default.fileExists(atPath: word) {
            return "\(text): did you mean `flagboard serve \(ShellText.word(word) ?? word)`?"
        }
        return "\(text): it has \(known.formatted(.list(type: .and).locale(Locale(identifier: "en"))))."
    }
}
