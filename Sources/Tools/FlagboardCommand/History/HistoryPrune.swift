import ArgumentParser
import FlagChanges
import FlagHistory
import Foundation

struct HistoryPrune: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "prune", abstract: "Move the oldest rows to a signed archive.",
        discussion: """
            A row is removed only after the archive is complete on disk and was read back. The chain continues from a \
            signed anchor that names the archive, and the history gets a row of the kind prune. Batches stay together. \
            Rows that a repeated request may still need stay for a day, with all newer rows; the command prints how \
            many. Stop the server for the file first.
            """)

    @OptionGroup var target: HistoryFiles

    @Option(
        help: ArgumentHelp("Rows before this day or time (UTC).", valueName: "DATE"),
        transform: PruneDate.init(text:))
    var before: PruneDate?

    @Option(
        help: ArgumentHelp(
            "Rows older than this age: 90d, 12w or 36h.", valueName: "AGE"), transform: PruneAge.init(text:))
    var keep: PruneAge?

    @Option(help: ArgumentHelp("All but the newest N rows.", valueName: "N"))
    var keepRows: Int?

    @Option(
        help: ArgumentHelp(
            """
            The archive file to create (default: beside the history, such as flags.history.1-500.jsonl).
            """, valueName: "F"), completion: .file()
    )
    var archive: String?

    @Option(help: ArgumentHelp("The reason, shown in the history.", valueName: "WHY"))
    var reason = ""

    func validate() throws {
        guard [before != nil, keep != nil, keepRows != nil].count(where: { $0 }) == 1 else {
            throw ValidationError("Choose which rows to move with one of --before, --keep and --keep-rows.")
        }
        guard keepRows ?? 0 >= 0 else { throw ValidationError("--keep-rows needs a number of rows, such as 10000.") }
    }

    func run() async throws {
        let now = Date()
        let (anchor, heldBack): (HistoryAnchor?, PrunableRows.HeldBack?)
        do {
            (anchor, heldBack) = try target.maintenance().prune(
                extent(now), archive: archive.map { URL(filePath: $0) }, reason: reason, now: now)
        } catch {
            throw CommandOutput.failure(error)
        }
        if try target.printsJSON {
            try CommandOutput.print(json: PruneFields(anchor, heldBack))
        } else {
            let moved = anchor.map {
                "Moved \(Terminal.count($0.count, "row")) (\($0.first) to \($0.last)) to \($0.archive), SHA-256 \($0.archiveHash.hexadecimal)"
            }
            try CommandOutput.print(
                lines: ([moved ?? "Nothing to prune."] + [heldBack.map(Self.text)]).compactMap(\.self)
                    .joined(separator: "\n"))
        }
    }

    private static func text(_ rows: PrunableRows.HeldBack) -> String {
        let time = rows.until.formatted(Date.ISO8601FormatStyle(timeZone: .gmt))
        return rows.count == 1
            ? "1 more row stays until \(time) because a repeated request may need it."
            : "\(rows.count) more rows stay until \(time) because a repeated request may need one of them, and rows "
                + "are moved in order."
    }

    private func extent(_ now: Date) -> PruningExtent {
        if let before { return .before(before.date) }
        if let keep { return .before(now.addingTimeInterval(-keep.seconds)) }
        return .keepingRows(keepRows ?? .max)
    }
}

private struct PruneFields: Encodable {
    var pruned = 0
    var first: Int64?
    var last: Int64?
    var archive: String?
    var sha256: String?
    var heldBack: Int?
    var heldBackUntil: Date?

    init(_ anchor: HistoryAnchor?, _ rows: PrunableRows.HeldBack?) {
        (heldBack, heldBackUntil) = (rows?.count, rows?.until)
        guard let anchor else { return }
        (pruned, first, last) = (anchor.count, anchor.first, anchor.last)
        (archive, sha256) = (anchor.archive, anchor.archiveHash.hexadecimal)
    }
}

/// A day or a time in UTC: `2026-01-31`, `2026-01-31T12:00:00Z`.
struct PruneDate: Sendable {
    let date: Date

    init(text: String) throws {
        let day = Date.ISO8601FormatStyle(timeZone: .gmt).year().month().day()
        if let date = try? day.parse(text), date.formatted(day) == text {
            self.date = date
        } else if let date = try? Date.ISO8601FormatStyle(timeZone: .gmt).parse(text) {
            self.date = date
        } else {
            throw ValidationError(
                "\"\(text)\" is not a valid date. Use a date like 2026-01-31 or 2026-01-31T12:00:00Z.")
        }
    }
}

/// A span of hours, days or weeks: `90d`.
struct PruneAge: Sendable {
    private static let units: [Character: Double] = ["h": 3600, "d": 86_400, "w": 604_800]

    let seconds: Double

    init(text: String) throws {
        guard let unit = text.last.flatMap({ Self.units[$0] }), let number = UInt32(text.dropLast()) else {
            throw ValidationError(
                "\"\(text)\" is not a valid age. Use an age like 90d (days), 12w (weeks) or 36h (hours).")
        }
        seconds = Double(number) * unit
    }
}
