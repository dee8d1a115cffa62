import ArgumentParser
import FeatureFlags
import FlagChanges
import FlagHistory
import Flagboard
import Foundation

struct HistoryExport: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export", abstract: "Print the history, oldest row first.",
        discussion: "The same formats as the dashboard's downloads. A server may serve the file meanwhile.")

    enum Format: String, CaseIterable, ExpressibleByArgument {
        case jsonl, csv

        func encoding(hasByteOrderMark: Bool) -> any HistoryFormat {
            switch self {
            case .jsonl: HistoryJSONLines()
            case .csv: HistoryCSV(hasByteOrderMark: hasByteOrderMark)
            }
        }
    }

    @OptionGroup var target: HistoryFiles

    @Option(help: "jsonl: every field, as it is hashed; csv: for a spreadsheet.")
    var format = Format.jsonl

    @ArgumentParser.Flag(help: "Begin csv with a byte order mark, by which Excel knows UTF-8.")
    var bom = false

    @Option(help: ArgumentHelp("The file to write (default: standard output).", valueName: "F"), completion: .file())
    var output: String?

    @ArgumentParser.Flag(help: "Replace the output where there is such a file.")
    var force = false

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
        if force, output == nil { throw ValidationError("--force goes with --output.") }
        if target.json, format == .csv { throw ValidationError("--json and --format csv exclude each other.") }
        if bom, format != .csv { throw ValidationError("--bom goes with --format csv.") }
        if let key, FlagKeyPath(text: key) == nil {
            throw ValidationError("--key: \"\(key)\" is no key path; write a / or ~ inside a name as ~1 or ~0.")
        }
    }

    func run() async throws {
        do {
            let files = try target.files
            let file = try OutputFile(output, besides: files, replacing: force)
            let reading = try HistoryReading(files, showsInternal: showInternal)
            let query = HistoryQuery(
                key: key.flatMap { FlagKeyPath(text: $0) }, actor: actor, from: since?.date, until: until?.date,
                hiddenKeys: reading.hiddenKeys)
            let count = try write(reading.history, query, format.encoding(hasByteOrderMark: bom), to: file)
            try file.finish()
            if let output { CommandOutput.warn("\(count) rows are in \(output)") }
        } catch {
            throw CommandOutput.failure(error)
        }
    }

    /// Writes the rows, and returns their number.
    private func write(
        _ history: HistoryStore, _ query: HistoryQuery, _ format: any HistoryFormat, to file: OutputFile
    ) throws -> Int {
        try file.write(format.header)
        var (last, count): (Int64, Int) = (0, 0)
        while true {
            let records = try history.records(matching: query, after: last)
            guard let newest = records.last else { return count }
            var text = ""
            for record in records { text += try format.line(of: record) }
            try file.write(text)
            (last, count) = (newest.id, count + records.count)
        }
    }
}
