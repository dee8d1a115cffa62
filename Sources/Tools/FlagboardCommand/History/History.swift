import ArgumentParser
import FlagChanges
import FlagHistory
import Foundation

struct History: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "View, verify, back up or prune the history of a values file.",
        subcommands: [
            HistoryList.self, HistoryVerify.self, HistoryExport.self, HistoryBackup.self, HistoryPrune.self,
            HistoryAccept.self, HistoryReindex.self, HistoryNote.self,
        ],
        defaultSubcommand: HistoryList.self)
}

struct HistoryFiles: ParsableArguments {
    @OptionGroup var served: ServedFileOptions

    @Flag(help: "Print as JSON.")
    var json = false

    func validate() throws { _ = try files }

    var printsJSON: Bool { get throws { try json || FlagboardEnvironment.current.bool("JSON") } }

    private var files: FlagFiles { get throws { try served.files(.current) } }

    /// The files with the others of a running server, unless some were given.
    var found: FlagFiles { get throws { try files.asServed() } }

    /// Opens the history, in the name of the user who runs the command.
    func maintenance() throws -> HistoryMaintenance {
        try HistoryMaintenance(
            try found, by: ChangeAuthor(name: LocalUser.name, role: .admin, origin: .cli), log: CommandOutput.warn)
    }
}

struct HistoryReindex: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "reindex", abstract: "Rebuild the history's search index.",
        discussion: """
            Use this if history verify finds that the rows are intact but the search index is not. No row is changed: \
            the index is rebuilt from the rows. Stop the server for the file first.
            """)

    @OptionGroup var target: HistoryFiles

    func run() async throws {
        let count: Int
        do {
            count = try target.maintenance().reindex()
        } catch {
            throw CommandOutput.failure(error)
        }
        if try target.printsJSON {
            try CommandOutput.print(json: ["rows": count])
        } else {
            try CommandOutput.print("Rebuilt the search index from \(count) \(count == 1 ? "row" : "rows").")
        }
    }
}

struct HistoryAccept: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "accept", abstract: "Accept a history that doesn't match its signatures, and record that.",
        discussion: """
            Use this for an older copy that you restored on purpose, or if the key or the checkpoints are lost. The \
            chain of rows must be unbroken. Adds a row of the kind accept, creates a new key if the old one is lost, \
            and keeps the old checkpoints under another name. A history with an altered row can't be accepted.
            """)

    @OptionGroup var target: HistoryFiles

    @Option(help: ArgumentHelp("The reason, shown in the history.", valueName: "WHY"))
    var reason: String

    func run() async throws {
        let accepted: String?
        do {
            accepted = try target.maintenance().accept(reason: reason, now: Date())
        } catch {
            throw CommandOutput.failure(error)
        }
        if try target.printsJSON {
            try CommandOutput.print(json: ["accepted": accepted])
        } else {
            try CommandOutput.print(
                lines: accepted.map { "Accepted and recorded: \($0)" }
                    ?? "Nothing to accept. The rows and their signatures are intact.")
        }
    }
}
