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

    @OptionGroup var waiting: TimeoutOptions

    func run() async throws {
        let json = try json || FlagboardEnvironment.current.bool("JSON")
        try Git.reporting {
            let repository = try repository()
            let patterns =
                try files.isEmpty ? Self.everywhere : files.flatMap { try self.patterns($0, repository) }
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

    /// The repository.
    private func repository() throws -> GitRepository {
        if let directory { return try GitRepository(of: URL(filePath: directory, directoryHint: .isDirectory)) }
        if let file = files.first { return try GitRepository(holding: URL(filePath: file).absoluteURL) }
        return try GitRepository(
            of: URL(filePath: FileManager.default.currentDirectoryPath, directoryHint: .isDirectory))
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
