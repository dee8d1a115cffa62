import ArgumentParser
import FlagChanges
import FlagHistory
import Foundation

struct History: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Print, check, back up or prune the history of a values file.",
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

    var files: FlagFiles { get throws { try served.files(.current) } }

    /// Opens the history, in the name of the user who runs the command.
    func maintenance() throws -> HistoryMaintenance {
        try HistoryMaintenance(
            try files, by: ChangeAuthor(name: LocalUser.name, role: .admin, origin: .cli), log: CommandOutput.warn)
    }
}

struct HistoryReindex: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "reindex", abstract: "Make the history's search index anew.",
        discussion: """
            For a history whose rows are sound, but whose search index history verify finds wrong. No row is changed: the \
            index is made of the rows. No server may serve the file meanwhile.
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
            try CommandOutput.print("The search index was made anew: \(count) \(count == 1 ? "row" : "rows").")
        }
    }
}

struct HistoryAccept: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "accept", abstract: "Go on with a history that is not what was signed, and record that.",
        discussion: """
            For an older copy that was put back on purpose, or where the key or the checkpoints are lost: the rows must \
            follow from one another. A row of the kind accept tells of it from then on, a lost key is made anew, and the \
            old checkpoints are kept under another name. A history in which a row was altered is not accepted.
            """)

    @OptionGroup var target: HistoryFiles

    @Option(help: ArgumentHelp("Why, for the history.", valueName: "WHY"))
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
                lines: accepted.map { "Accepted, and recorded: \($0)" }
                    ?? "There is nothing to accept: the history is sound.")
        }
    }
}
