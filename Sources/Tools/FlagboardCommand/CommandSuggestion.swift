import ArgumentParser
import FeatureFlagsXML
import Flagboard
import Foundation

enum CommandSuggestion {
    /// Explains a wrong command; `nil` if something else is wrong.
    static func error(for arguments: [String], of root: any ParsableCommand.Type) -> ValidationError? {
        var command = root
        var path = [root._commandName]
        for argument in arguments {
            let subcommands = command.configuration.subcommands
            guard !subcommands.isEmpty, !argument.hasPrefix("-"), argument != "help" else { return nil }
            guard let next = subcommands.first(where: { $0._commandName == argument }) else {
                // A command with a default subcommand may take a file here.
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

    /// Returns the parser's error, or how to begin where `serve` lacks its file.
    static func improved(_ error: any Error, for arguments: [String]) -> any Error {
        guard arguments.first == Serve._commandName,
            FlagboardCommand.message(for: error).hasPrefix("Missing expected argument '<file>'")
        else { return error }
        return ValidationError(
            """
            Specify the values file, such as: flagboard serve flags.xml
            To start with an empty file, add --create. To try Flagboard with demo flags, add --demo.
            """)
    }

    private static func text(_ word: String, _ known: [String], after path: String) -> String {
        let text = "\(path) has no command \"\(word)\""
        if let likely = LikelyName(word).nearest(in: Set(known)) { return "\(text). Did you mean `\(likely)`?" }
        if FileManager.default.fileExists(atPath: word) {
            return "\(text). Did you mean `flagboard serve \(ShellText.word(word) ?? word)`?"
        }
        return "\(text). Available commands: \(known.formatted(.list(type: .and).locale(Locale(identifier: "en"))))."
    }
}
