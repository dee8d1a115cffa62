import ArgumentParser
import FlagChanges
import Foundation

struct HistoryBackup: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "backup", abstract: "Back up the values, manifest and history to a new folder.",
        discussion: """
            A server can keep running: the copy is a consistent state between two changes. It is made with SQLite's online \
            backup, and checked as by history verify before the folder gets its final name. backup.json in the \
            folder lists what was copied, where each file belongs, and the head.

            The folder contains the signing key and the hashes of the tokens, so only its owner can read it. Archives \
            from history prune never change and are not copied. To restore, stop the server and copy the files back.
            """)

    @OptionGroup var served: ServedFileOptions

    @Argument(
        help: "The folder to create. It must not exist or must be empty.", completion: .directory)
    var out: String

    @OptionGroup var also: OtherFileOptions

    @Option(
        help: ArgumentHelp("The tokens (default: beside FILE, FILE's name with .tokens.json).", valueName: "F"),
        completion: .file())
    var tokens: String?

    @Flag(help: "Print the content of backup.json.")
    var json = false

    func validate() throws { _ = try files(.current) }

    func run() async throws {
        let printsJSON = try json || FlagboardEnvironment.current.bool("JSON")
        let contents: BackupContents
        do {
            contents = try await FlagBackup(
                of: try files(.current).asServed(), in: URL(filePath: out), patience: try served.patience
            ).make(now: Date())
        } catch {
            throw CommandOutput.failure(error)
        }
        for path in contents.unrecorded {
            CommandOutput.warn(
                "\(path) was edited externally and the edit isn't in the history yet. The backup includes it.")
        }
        if let fault = contents.indexFault {
            CommandOutput.warn(
                "The rows in the copy are intact, but \(fault). After a restore, run flagboard history reindex.")
        }
        guard !printsJSON else { return try CommandOutput.print(json: contents) }
        let lines = contents.files.map { "  \($0.name)  \($0.use), \($0.bytes) bytes" }
        let verdict = "The copy is intact: \(Terminal.count(contents.rows, "row")), head \(contents.head)"
        try CommandOutput.print(lines: (["Backed up to \(out):"] + lines + [verdict]).joined(separator: "\n"))
    }

    private func files(_ variables: FlagboardEnvironment) throws -> FlagFiles {
        try also.files(served, variables, tokens: tokens)
    }
}
