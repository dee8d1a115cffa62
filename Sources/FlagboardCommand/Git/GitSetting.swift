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
                value: "\(program.replacing("%", with: "%%")) git merge-driver -- %O %A %B %L %P"),
            GitSetting(name: "diff.flagboard.textconv", value: "\(program) git textconv --"),
        ]
    }

    /// This program as git's shell finds it: by its name alone where the PATH has it, so that an update is taken up.
    private static var program: String {
        let own = Bundle.main.executableURL?.resolvingSymlinksInPath()
        guard let own, GitProgram.find("flagboard")?.resolvingSymlinksInPath() != own else { return "flagboard" }
        return "'" + own.path(percentEncoded: false).replacing("'", with: "'\\''") + "'"
    }
}
