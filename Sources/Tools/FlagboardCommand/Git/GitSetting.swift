import ArgumentParser
import Foundation

/// A setting of a repository that Flagboard makes.
struct GitSetting {
    let name: String
    let value: String

    /// All of them, in the order in which they are made.
    static var all: [GitSetting] {
        let program = program
        return [
            GitSetting(name: "merge.flagboard.name", value: "Flagboard: flag by flag"),
            GitSetting(
                name: "merge.flagboard.driver",
                // Git puts other texts in place of what begins with a %.
                value: "\(merging(program).replacing("%", with: "%%")) %O %A %B %L %P"),
            GitSetting(name: "diff.flagboard.textconv", value: showing(program)),
        ]
    }

    /// Merges by lines, with git's usual markers, where the program can't be run or does not know how it is called.
    private static func merging(_ program: String) -> String {
        """
        f() { if command -v \(program) >/dev/null; then \(program) git merge-driver -- "$@"; s=$?; [ $s -gt 1 ] || return $s; fi; \
        echo "$5: flagboard can't be run, so its lines are merged" >&2; \
        git merge-file --marker-size="$4" -L ours -L base -L theirs "$2" "$1" "$3" || return 1; }; f
        """
    }

    /// Shows a file as it is where the program can't be run.
    private static func showing(_ program: String) -> String {
        "f() { command -v \(program) >/dev/null && \(program) git textconv -- \"$1\" || cat -- \"$1\"; }; f"
    }

    /// This program as git's shell finds it: by its name alone where the PATH has it, so that an update is taken up.
    private static var program: String {
        let own = Bundle.main.executableURL?.resolvingSymlinksInPath()
        guard let own, GitProgram.find("flagboard")?.resolvingSymlinksInPath() != own else { return "flagboard" }
        return "'" + own.path(percentEncoded: false).replacing("'", with: "'\\''") + "'"
    }
}

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

/// Why git can't be worked with: what is wrong, and what to do.
struct GitError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }
}
