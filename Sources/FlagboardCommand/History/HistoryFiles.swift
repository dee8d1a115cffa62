import ArgumentParser
import FeatureFlagsXML
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

    @Option(
        name: .customLong("max-file-size"),
        help: ArgumentHelp(
            "The most bytes that are read of a values file or the manifest (default: \(FileSizeOption.text(PropertyListDocument.maximumSize)); at most 1G).",
            valueName: "SIZE"),
        transform: FileSizeOption.init(argument:))
    var maximumFileSize: FileSizeOption?

    @Flag(help: "Print as JSON.")
    var json = false

    func validate() throws { _ = try files }

    var files: FlagFiles {
        get throws {
            try FlagboardEnvironment.current.files(
                values: file, manifest: manifest, history: history, maximumFileSize: maximumFileSize)
        }
    }

    /// Opens the history for work on it, in the name of the user who runs the command.
    func maintenance() throws -> HistoryMaintenance {
        try HistoryMaintenance(
            try files, by: ChangeAuthor(name: NSUserName(), role: .admin, origin: .cli), log: CommandOutput.warn)
    }
}
