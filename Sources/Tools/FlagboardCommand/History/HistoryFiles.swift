import ArgumentParser
import FlagChanges
import FlagHistory
import Foundation

/// The files that a `flagboard history` command is about.
struct HistoryFiles: ParsableArguments {
    @OptionGroup var served: ServedFileOptions

    @Flag(help: "Print as JSON.")
    var json = false

    func validate() throws { _ = try files }

    /// Whether the output is JSON.
    var printsJSON: Bool { get throws { try json || FlagboardEnvironment.current.bool("JSON") } }

    var files: FlagFiles { get throws { try served.files(.current) } }

    /// Opens the history for work on it, in the name of the user who runs the command.
    func maintenance() throws -> HistoryMaintenance {
        try HistoryMaintenance(
            try files, by: ChangeAuthor(name: LocalUser.name, role: .admin, origin: .cli), log: CommandOutput.warn)
    }
}
