import ArgumentParser
import FeatureFlags
import FlagChanges
import FlagHistory
import Flagboard
import Foundation

/// `flagboard history export FILE`: the history as the downloads of the dashboard give it.
struct HistoryExport: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export", abstract: "Print the history, oldest row first.",
        discussion: "The same formats as the dashboard's downloads. A server may serve the file meanwhile.")

    /// The formats.
    enum Format: String, CaseIterable, ExpressibleByArgument {
        case jsonl, csv

        var encoding: any HistoryFormat {
            switch self {
            case .jsonl: HistoryJSONLines()
            case .csv: HistoryCSV()
            }
        }
    }

    @OptionGroup var target: HistoryFiles

    @Option(help: "jsonl: every field, as it is hashed; csv: for a spreadsheet.")
    var format = Format.jsonl

    @Option(help: ArgumentHelp("The file to write (default: standard output).", valueName: "F"), completion: .file())
    var output: String?

    @Option(help: ArgumentHelp("Rows of one flag, by its key path.", valueName: "KEY"))
    var key: String?

    @Option(help: ArgumentHelp("Rows by one actor.", valueName: "NAME"))
    var actor: String?

    @Option(
        help: ArgumentHelp("Rows of this day or time in UTC, or later.", valueName: "DATE"),
        transform: PruneDate.init(text:))
    var since: PruneDate?

    @Option(
        help: ArgumentHelp("Rows before this day or time in UTC.", valueName: "DATE"), transform: PruneDate.init(text:))
    var until: PruneDate?

    @ArgumentParser.Flag(help: "Print what is about internal flags too.")
    var showInternal = false

    func validate() throws {
        if target.json, format == .csv { throw ValidationError("--json and --format csv exclude each other.") }
        if let key, FlagKeyPath(text: key) == nil {
            throw ValidationError("--key: \"\(key)\" is no key path; write a / or ~ inside a name as ~1 or ~0.")
        }
    }

    func run() async throws {
        do {
            let reading = try HistoryReading(try target.files, showsInternal: showInternal)
            let query = HistoryQuery(
                key: key.flatMap { FlagKeyPath(text: $0) }, actor: actor, from: since?.date, until: until?.date,
                hiddenKeys: reading.hiddenKeys)
            let count = try write(reading.history, query, format.encoding)
            if let output { CommandOutput.warn("\(count) rows are in \(output)") }
        } catch {
            throw CommandOutput.failure(error)
        }
    }

    /// - Returns: How many rows there were.
    private func write(_ history: HistoryStore, _ query: HistoryQuery, _ format: any HistoryFormat) throws -> Int {
        let file = try output.map(Self.create) ?? FileHandle.standardOutput
        try file.write(contentsOf: Data(format.header.utf8))
        var (last, count): (Int64, Int) = (0, 0)
        while true {
            let records = try history.records(matching: query, after: last)
            guard let newest = records.last else { break }
            var text = ""
            for record in records { text += try format.line(of: record) }
            try file.write(contentsOf: Data(text.utf8))
            (last, count) = (newest.id, count + records.count)
        }
        if output != nil { try file.synchronize() }
        return count
    }

    /// Creates the output, which nobody else may read, or empties it.
    private static func create(_ path: String) throws -> FileHandle {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            throw StartFailure("\(path) can't be written: \(String(cString: strerror(errno)))")
        }
        return FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    }
}
