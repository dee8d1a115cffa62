import ArgumentParser
import FlagChanges
import Foundation

struct HistoryBackup: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "backup", abstract: "Copy the values, the manifest and the history into a new folder.",
        discussion: """
            A server may serve the file meanwhile: the copy is of one moment between two changes, made by SQLite's online \
            backup, and is checked as history verify checks before the folder gets its name. backup.json in it says what \
            was copied, where each file belongs, and the head.

            The folder holds the signing key and the hashes of the tokens, so only its owner may read it. Archives that \
            history prune wrote never change and are not copied. To restore, copy the files back while no server runs.
            """)

    @OptionGroup var served: ServedFileOptions

    @Argument(
        help: "The folder to make: there is none yet, or it is empty.", completion: .directory)
    var out: String

    @OptionGroup var also: OtherFileOptions

    @Option(help: ArgumentHelp("The tokens (default: beside FILE, FILE's name with .tokens.json).", valueName: "F"))
    var tokens: String?

    @Flag(help: "Print as JSON: what backup.json holds.")
    var json = false

    func validate() throws { _ = try files(.current) }

    func run() async throws {
        let printsJSON = try json || FlagboardEnvironment.current.bool("JSON")
        let contents: BackupContents
        do {
            contents = try await FlagBackup(
                of: try files(.current), in: URL(filePath: out), patience: try served.patience
            ).make(now: Date())
        } catch {
            throw CommandOutput.failure(error)
        }
        for path in contents.unrecorded {
            CommandOutput.warn(
                "\(path) was edited outside, which the history does not know yet; the backup has the edit.")
        }
        if let fault = contents.indexFault {
            CommandOutput.warn(
                "The copy's rows are sound, but \(fault): after a restore, run flagboard history reindex.")
        }
        guard !printsJSON else { return try CommandOutput.print(json: contents) }
        let lines = contents.files.map { "  \($0.name)  \($0.use), \($0.bytes) bytes" }
        let verdict = "The copy is sound: \(contents.rows) rows, head \(contents.head)"
        try CommandOutput.print(lines: (["Backed up to \(out):"] + lines + [verdict]).joined(separator: "\n"))
    }

    private func files(_ variables: FlagboardEnvironment) throws -> FlagFiles {
        try also.files(served, variables, tokens: tokens)
    }
}
