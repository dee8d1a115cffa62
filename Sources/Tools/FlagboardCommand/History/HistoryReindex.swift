import ArgumentParser
import FlagChanges
import Foundation

/// `flagboard history reindex FILE`: makes anew what rows are found by.
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
