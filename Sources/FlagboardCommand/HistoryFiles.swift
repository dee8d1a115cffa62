import ArgumentParser
import FlagChanges
import FlagHistory
import Foundation

/// The files that a `flagboard history` command is about.
struct HistoryFiles: ParsableArguments {
    @Argument(help: "The values: an XML property list, such as flags.xml.", completion: .file())
    var file: String

    @Option(
        help: ArgumentHelp("The definitions (default: beside FILE, FILE's name with .manifest.xml).", valueName: "F"))
    var manifest: String?

    @Option(help: ArgumentHelp("The history (default: beside FILE, FILE's name with .history.sqlite).", valueName: "F"))
    var history: String?

    @Flag(help: "Print as JSON.")
    var json = false

    var files: FlagFiles {
        FlagFiles(
            values: URL(filePath: file), manifest: manifest.map { URL(filePath: $0) },
            history: history.map { URL(filePath: $0) })
    }

    /// Opens the history for work on it, by whoever runs the command.
    func maintenance() throws -> HistoryMaintenance {
        try HistoryMaintenance(
            files, by: ChangeAuthor(name: NSUserName(), role: .admin, origin: .cli), log: CommandOutput.warn)
    }
}
