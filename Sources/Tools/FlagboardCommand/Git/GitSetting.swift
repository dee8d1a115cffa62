import ArgumentParser
import DurableFiles
import Foundation

struct GitSetting {
    let name: String
    let value: String

    /// In the order in which they are made.
    static var all: [GitSetting] {
        let program = program
        return [
            GitSetting(name: "merge.flagboard.name", value: "Flagboard: flag by flag"),
            GitSetting(
                name: "merge.flagboard.driver",
                // Git replaces sequences that begin with a %.
                value: "\(merging(program).replacing("%", with: "%%")) %O %A %B %L %P"),
            GitSetting(name: "diff.flagboard.textconv", value: showing(program)),
        ]
    }

    /// Returns a command that merges by lines if the program can't run or doesn't know its arguments.
    private static func merging(_ program: String) -> String {
        """
        f() { if command -v \(program) >/dev/null; then \(program) git merge-driver -- "$@"; s=$?; [ $s -gt 1 ] || return $s; fi; \
        echo "$5: flagboard can't be run, so its lines are merged" >&2; \
        git merge-file --marker-size="$4" -L ours -L base -L theirs "$2" "$1" "$3" || return 1; }; f
        """
    }

    /// Returns a command that shows the file as it is if the program can't run.
    private static func showing(_ program: String) -> String {
        "f() { command -v \(program) >/dev/null && \(program) git textconv -- \"$1\" || cat -- \"$1\"; }; f"
    }

    /// This program for git's shell: by name alone if the PATH has it, so that updates apply.
    private static var program: String {
        let own = Bundle.main.executableURL?.resolvingSymlinksInPath()
        guard let own, ProgramSearch.find("flagboard")?.resolvingSymlinksInPath() != own else { return "flagboard" }
        return "'" + own.path(percentEncoded: false).replacing("'", with: "'\\''") + "'"
    }
}

struct Git: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Merge, diff and blame flags one by one in Git.",
        subcommands: [GitInstall.self, GitUninstall.self, GitBlame.self, GitMergeDriver.self, GitTextconv.self])

    /// Reports a failure, and ends with exit code 1.
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
