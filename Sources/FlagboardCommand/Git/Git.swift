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

/// What sets up a repository, and the opposite.
struct GitInstallation: ParsableArguments {
    @Argument(
        help: ArgumentHelp(
            "The values files; the manifest beside each goes along (default: every flags.xml and flags.manifest.xml).",
            valueName: "file"),
        completion: .file())
    var files: [String] = []

    @Option(
        help: ArgumentHelp(
            "A folder of the repository (default: that of the first FILE, else this one).", valueName: "D"),
        completion: .directory)
    var directory: String?

    @Flag(help: "Print as JSON.")
    var json = false

    var printsJSON: Bool { get throws { try json || FlagboardEnvironment.current.bool("JSON") } }

    /// The repository.
    func repository() throws -> GitRepository {
        if let directory { return try GitRepository(of: URL(filePath: directory, directoryHint: .isDirectory)) }
        if let file = files.first { return try GitRepository(holding: URL(filePath: file).absoluteURL) }
        return try GitRepository(
            of: URL(filePath: FileManager.default.currentDirectoryPath, directoryHint: .isDirectory))
    }
}
