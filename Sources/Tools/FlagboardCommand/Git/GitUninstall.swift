import ArgumentParser
import Flagboard
import Foundation

/// `flagboard git uninstall`.
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
