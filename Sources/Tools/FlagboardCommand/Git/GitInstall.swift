import ArgumentParser
import DurableFiles
import Flagboard
import FlagChanges
import Foundation

struct GitInstall: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "install",
        abstract: "Set up a repository: flags are merged one by one, and shown so in differences.",
        discussion: """
            Two settings of the repository name Flagboard as a merge driver and as what makes a text of a file \
            (.git/config), and a line of .gitattributes for each file says that they are for it. Commit .gitattributes; \
            in each clone, install again. Lines of .gitignore keep the history, its key, tokens, webhooks and locks beside the \
            values out of commits. What is there already stays as it is. Where git can't run Flagboard, it shows and merges \
            the files by lines, as ever.
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
                return try CommandOutput.print("All of that was set up already; nothing was changed.")
            }
            let lists = (added.isEmpty ? [] : [".gitattributes"]) + (ignored.isEmpty ? [] : [".gitignore"])
            if !lists.isEmpty {
                try CommandOutput.print("Commit \(lists.joined(separator: " and ")), and install in each clone.")
            }
        }
    }

    private static func isManifest(_ file: URL) -> Bool { file.lastPathComponent.hasSuffix(".manifest.xml") }

    private static func warnOfSecrets(beside files: [FlagFiles], _ repository: GitRepository) throws {
        for path in try GitIgnore.committedSecrets(beside: files, repository) {
            let line = ShellText.word(path).map { ": git rm --cached -- \($0)" } ?? "."
            CommandOutput.warn(
                "\(ValueWords.text(path)) is in the repository, and who has the repository has its secrets: make them anew, "
                    + "and take the file out at the top of the work tree\(line)")
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
                "\(file): there is no such file, so nothing was set up. Give values files, such as flags.xml.")
        }
        return try (Self.isManifest(values) ? [values] : [values, files.manifest]).map { url in
            guard let path = repository.path(of: url) else {
                throw PlainError(
                    "\(file) is not in the work tree \(repository.top.path(percentEncoded: false)): nothing was set up. "
                        + "Give files of one repository.")
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
        commandName: "uninstall", abstract: "Take back what install set up in a repository.")

    @Option(
        help: ArgumentHelp("A folder of the repository (default: this one).", valueName: "D"), completion: .directory)
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
                CommandOutput.warn(".gitattributes still says: \(ValueWords.text(line)). Remove that line yourself.")
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
