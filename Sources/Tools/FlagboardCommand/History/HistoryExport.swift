import ArgumentParser
import FeatureFlags
import FlagChanges
import FlagHistory
import Flagboard
import Foundation

struct HistoryExport: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export", abstract: "Export the history, oldest row first.",
        discussion: "The formats are those of the dashboard's downloads. A server can keep running.")

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

    @Option(help: "jsonl: all fields, exactly as they are hashed; csv: for spreadsheets.")
    var format = Format.jsonl

    @ArgumentParser.Flag(help: "Start csv with a byte order mark, so that Excel reads it as UTF-8.")
    var bom = false

    @OptionGroup var destination: OutputOptions

    @Option(
        help: ArgumentHelp("Only rows of this flag, by its key path.", valueName: "KEY"),
        completion: FlagCompletion.keys
    )
    var key: String?

    @Option(help: ArgumentHelp("Only rows by this actor.", valueName: "NAME"))
    var actor: String?

    @Option(
        help: ArgumentHelp("Only rows from this day or time (UTC) on.", valueName: "DATE"),
        transform: PruneDate.init(text:))
    var since: PruneDate?

    @Option(
        help: ArgumentHelp(
            "Only rows before this day or time (UTC).", valueName: "DATE"), transform: PruneDate.init(text:))
    var until: PruneDate?

    @ArgumentParser.Flag(help: "Include internal flags.")
    var showInternal = false

    func validate() throws {
        if target.json, format == .csv { throw ValidationError("--json and --format csv can't be combined.") }
        if bom, format != .csv { throw ValidationError("Use --bom only with --format csv.") }
        if let key, FlagKeyPath(text: key) == nil {
            throw ValidationError("--key: \"\(key)\" is not a valid key path. Write / or ~ inside a name as ~1 or ~0.")
        }
    }

    func run() async throws {
        do {
            let files = try target.found
            let file = try destination.file(besides: files, isPrivate: true)
            let reading = try HistoryReading(files, showsInternal: showInternal)
            let query = HistoryQuery(
                key: key.flatMap { FlagKeyPath(text: $0) }, actor: actor, from: since?.date, until: until?.date,
                hiddenKeys: reading.hiddenKeys)
            let count = try write(reading.history, query, format.encoding(hasByteOrderMark: bom), to: file)
            try file.finish()
            guard count > 0 else { return CommandOutput.note("No rows match.") }
            if let output = destination.output {
                CommandOutput.warn("Exported \(Terminal.count(count, "row")) to \(output)")
            }
        } catch {
            throw CommandOutput.failure(error)
        }
    }

    /// Returns the number of rows.
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
