import ArgumentParser
import DurableFiles
import Flagboard
import FlagChanges
import Foundation

struct GitInstall: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "install",
        abstract: "Set up a Git repository to merge and diff flags one by one.",
        discussion: """
            Adds Flagboard to .git/config as a merge driver and as a text converter for diffs, and adds a line for \
            each file to .gitattributes. Commit .gitattributes, and run git install again in each clone. Lines in \
            .gitignore keep the history, its key, tokens, webhooks and locks out of commits. Existing settings stay as \
            they are. Where Git can't run Flagboard, it diffs and merges the files line by line as usual.
            """)

    @Argument(
        help: ArgumentHelp(
            """
            The values files. The manifest beside each one is included (default: every flags.xml and \
            flags.manifest.xml).
            """,
            valueName: "file"),
        completion: .file())
    var files: [String] = []

    @Option(
        help: ArgumentHelp(
            "A folder in the repository (default: the folder of the first FILE, or the current one).", valueName: "D"),
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
            let served = files.map { FlagFiles(values: URL(filePath: $0)) }.filter { !Self.isManifest($0.values) }
            let ignored = try GitIgnore(in: repository.top).add(
                files.isEmpty
                    ? GitIgnore.everywhere : served.flatMap { GitIgnore.patterns(beside: $0, repository) })
            if files.isEmpty || !served.isEmpty { try Self.warnOfSecrets(beside: served, repository) }
            if json {
                return try CommandOutput.print(json: Done(settings: changed, patterns: added, ignored: ignored))
            }
            for name in changed { try CommandOutput.print("Set \(name) in the repository's configuration.") }
            for pattern in added { try CommandOutput.print("Added \(ValueWords.text(pattern)) to .gitattributes.") }
            for pattern in ignored { try CommandOutput.print("Added \(ValueWords.text(pattern)) to .gitignore.") }
            guard !changed.isEmpty || !added.isEmpty || !ignored.isEmpty else {
                return try CommandOutput.print("Already set up. Nothing was changed.")
            }
            let lists = (added.isEmpty ? [] : [".gitattributes"]) + (ignored.isEmpty ? [] : [".gitignore"])
            if !lists.isEmpty {
                try CommandOutput.print(
                    "Commit \(lists.joined(separator: " and ")), and run git install in each clone.")
            }
        }
    }

    private static func isManifest(_ file: URL) -> Bool { file.lastPathComponent.hasSuffix(".manifest.xml") }

    private static func warnOfSecrets(beside files: [FlagFiles], _ repository: GitRepository) throws {
        for path in try GitIgnore.committedSecrets(beside: files, repository) {
            let line = ShellText.word(path).map { ": git rm --cached -- \($0)" } ?? "."
            CommandOutput.warn(
                "\(ValueWords.text(path)) is in the repository, so everyone with access to the repository has its "
                    + "secrets. Create new ones. To remove the file from Git, run this at the top of the work tree\(line)"
            )
        }
    }

    private func repository() throws -> GitRepository {
        if let directory { return try GitRepository(of: URL(filePath: directory, directoryHint: .isDirectory)) }
        if let file = files.first { return try GitRepository(holding: URL(filePath: file).absoluteURL) }
        return try GitRepository(
            of: URL(filePath: FileManager.default.currentDirectoryPath, directoryHint: .isDirectory))
    }

    private static let everywhere = ["flags.xml", "flags.manifest.xml"]

    private func patterns(_ file: String, _ repository: GitRepository) throws -> [String] {
        let files = FlagFiles(values: URL(filePath: file))
        let values = files.providers[0].url
        guard try AtomicFile.signature(of: values)?.kind == .regular else {
            throw PlainError(
                "\(file) doesn't exist, so nothing was set up. Specify values files, such as flags.xml.")
        }
        return try (Self.isManifest(values) ? [values] : [values, files.manifest]).map { url in
            guard let path = repository.path(of: url) else {
                throw PlainError(
                    "\(file) is not in the work tree \(repository.top.path(percentEncoded: false)), so nothing was set "
                        + "up. Specify files in one repository.")
            }
            return GitAttributes.pattern(path)
        }
    }

    private struct Done: Encodable {
        let settings: [String]
        let patterns: [String]
        let ignored: [String]
    }
}

struct GitUninstall: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "uninstall", abstract: "Remove what git install set up in a repository.")

    @Option(
        help: ArgumentHelp(
            "A folder in the repository (default: the current one).", valueName: "D"), completion: .directory)
    var directory: String?

    @Flag(help: "Print as JSON.")
    var json = false

    @OptionGroup var waiting: TimeoutOptions

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
                CommandOutput.warn(".gitattributes still has this line: \(ValueWords.text(line)). Remove it yourself.")
            }
            let ignored = try GitIgnore(in: repository.top).remove()
            if json {
                return try CommandOutput.print(
                    json: Done(settings: removed, patterns: lines.removed, ignored: ignored))
            }
            for name in removed { try CommandOutput.print("Removed \(name) from the repository's configuration.") }
            for (count, file) in [(lines.removed, ".gitattributes"), (ignored, ".gitignore")] where count > 0 {
                try CommandOutput.print("Removed \(count == 1 ? "1 line" : "\(count) lines") from \(file).")
            }
            if removed.isEmpty, lines.removed == 0, ignored == 0 { try CommandOutput.print("Nothing was set up here.") }
        }
    }

    private struct Done: Encodable {
        let settings: [String]
        let patterns: Int
        let ignored: Int
    }
}
