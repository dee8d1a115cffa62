import ArgumentParser
import FlagChanges
import FlagHistory
import Foundation

/// `flagboard history accept FILE`: goes on with a history that is not what was signed.
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
