import ArgumentParser
import Foundation

/// `flagboard git`: flags in a git repository.
struct Git: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Merge flags one by one in git, see them in its differences, and tell which commits changed one.",
        subcommands: [GitInstall.self, GitUninstall.self, GitBlame.self, GitMergeDriver.self, GitTextconv.self])

    /// Runs a body; says what is wrong where that fails, and ends with exit code 1.
    static func reporting(_ body: () throws -> Void) throws {
        do {
            try body()
        } catch let code as ExitCode {
            throw code
        } catch {
            throw CommandOutput.failure(error)
        }
    }
}
