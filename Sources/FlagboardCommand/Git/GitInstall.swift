import ArgumentParser
import DurableFiles
import FlagChanges
import Flagboard
import Foundation

/// `flagboard git install [FILE…]`.
struct GitInstall: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "install",
        abstract: "Set up a repository: flags are merged one by one, and shown so in differences.",
        discussion: """
            Two settings of the repository name Flagboard as a merge driver and as what makes a text of a file \
            (.git/config), and a line of .gitattributes for each file says that they are for it. Commit .gitattributes; \
            in each clone, install again. What is there already stays as it is.
            """)

    @OptionGroup var target: GitInstallation

    func run() async throws {
        let json = try target.printsJSON
        try Git.reporting {
            let repository = try target.repository()
            let patterns =
                try target.files.isEmpty ? Self.everywhere : target.files.flatMap { try self.patterns($0, repository) }
            var changed: [String] = []
            for setting in GitSetting.all where try repository.setting(setting.name) != setting.value {
                try repository.set(setting.name, to: setting.value)
                changed.append(setting.name)
            }
            let attributes = GitAttributes(in: repository.top)
            let added = try attributes.add(patterns)
            if json { return try CommandOutput.print(json: Done(settings: changed, patterns: added)) }
            for name in changed { try CommandOutput.print("Set \(name) in the repository's configuration.") }
            for pattern in added { try CommandOutput.print("Added \(ValueWords.text(pattern)) to .gitattributes.") }
            guard !changed.isEmpty || !added.isEmpty else {
                return try CommandOutput.print("All of that was set up already; nothing was changed.")
            }
            if !added.isEmpty { try CommandOutput.print("Commit .gitattributes, and install in each clone.") }
        }
    }

    /// The patterns of files of the usual names, in every folder.
    private static let everywhere = ["flags.xml", "flags.manifest.xml"]

    /// The patterns of a values file and the manifest beside it.
    private func patterns(_ file: String, _ repository: GitRepository) throws -> [String] {
        let files = FlagFiles(values: URL(filePath: file))
        let values = files.providers[0].url
        guard try AtomicFile.signature(of: values)?.kind == .regular else {
            throw GitError(
                "\(file): there is no such file, so nothing was set up. Give values files, such as flags.xml.")
        }
        let isManifest = values.lastPathComponent.hasSuffix(".manifest.xml")
        return try (isManifest ? [values] : [values, files.manifest]).map { url in
            guard let path = repository.path(of: url) else {
                throw GitError(
                    "\(file) is not in the work tree \(repository.top.path(percentEncoded: false)): nothing was set up. "
                        + "Give files of one repository.")
            }
            return GitAttributes.pattern(path)
        }
    }

    private struct Done: Encodable {
        let settings: [String]
        let patterns: [String]
    }
}

/// `flagboard git uninstall`.
struct GitUninstall: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "uninstall", abstract: "Take back what install set up in a repository.")

    @Option(
        help: ArgumentHelp("A folder of the repository (default: this one).", valueName: "D"), completion: .directory)
    var directory: String?

    @Flag(help: "Print as JSON.")
    var json = false

    func run() async throws {
        let json = try json || FlagboardEnvironment.current.bool("JSON")
        try Git.reporting {
            let folder = directory ?? FileManager.default.currentDirectoryPath
            let repository = try GitRepository(of: URL(filePath: folder, directoryHint: .isDirectory))
            var removed: [String] = []
            for setting in GitSetting.all where try repository.setting(setting.name) != nil {
                try repository.set(setting.name, to: nil)
                removed.append(setting.name)
            }
            let lines = try GitAttributes(in: repository.top).remove()
            for line in lines.others {
                CommandOutput.warn(".gitattributes still says: \(ValueWords.text(line)). Remove that line yourself.")
            }
            if json { return try CommandOutput.print(json: Done(settings: removed, patterns: lines.removed)) }
            for name in removed { try CommandOutput.print("Removed \(name) from the repository's configuration.") }
            if lines.removed > 0 {
                let count = lines.removed == 1 ? "1 line" : "\(lines.removed) lines"
                try CommandOutput.print("Removed \(count) from .gitattributes.")
            }
            if removed.isEmpty, lines.removed == 0 { try CommandOutput.print("Nothing was set up here.") }
        }
    }

    private struct Done: Encodable {
        let settings: [String]
        let patterns: Int
    }
}

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
