import ArgumentParser
import FlagChanges
import FlagHistory
import Foundation

struct HistoryPrune: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "prune", abstract: "Move the oldest rows into a signed archive.",
        discussion: """
            The archive is complete on the disk, and was read back, before a row is removed. The chain goes on from a \
            signed anchor that names the archive, and a row of the kind prune tells of it. Rows that were applied \
            together stay together. Those that a repeated request may still ask for stay for a day, with all newer ones; \
            how many that are is said. No server may serve the file meanwhile.
            """)

    @OptionGroup var target: HistoryFiles

    @Option(
        help: ArgumentHelp("Rows before the first one of this day or time in UTC.", valueName: "DATE"),
        transform: PruneDate.init(text:))
    var before: PruneDate?

    @Option(
        help: ArgumentHelp("Rows older than this: 90d, 12w or 36h.", valueName: "AGE"), transform: PruneAge.init(text:))
    var keep: PruneAge?

    @Option(help: ArgumentHelp("All but the newest N rows.", valueName: "N"))
    var keepRows: Int?

    @Option(
        help: ArgumentHelp(
            "The archive, a new file (default: beside the history, such as flags.history.1-500.jsonl).", valueName: "F")
    )
    var archive: String?

    @Option(help: ArgumentHelp("Why, for the history.", valueName: "WHY"))
    var reason = ""

    func validate() throws {
        guard [before != nil, keep != nil, keepRows != nil].count(where: { $0 }) == 1 else {
            throw ValidationError("Say which rows to move: one of --before, --keep and --keep-rows.")
        }
        guard keepRows ?? 0 >= 0 else { throw ValidationError("--keep-rows takes a number of rows, such as 10000.") }
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
                "Moved \($0.count) rows, \($0.first) to \($0.last), to \($0.archive), SHA-256 \($0.archiveHash.hexadecimal)"
            }
            try CommandOutput.print(
                lines: ([moved ?? "There is nothing to prune."] + [heldBack.map(Self.text)]).compactMap(\.self)
                    .joined(separator: "\n"))
        }
    }

    private static func text(_ rows: PrunableRows.HeldBack) -> String {
        let time = rows.until.formatted(Date.ISO8601FormatStyle(timeZone: .gmt))
        return rows.count == 1
            ? "1 more row stays until \(time): a request that is repeated may ask for it."
            : "\(rows.count) more rows stay until \(time): a request that is repeated may ask for one of them, and rows go in "
                + "their order."
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
            throw ValidationError("\"\(text)\" is no date; write it as 2026-01-31 or 2026-01-31T12:00:00Z.")
        }
    }
}

/// A span of hours, days or weeks: `90d`.
struct PruneAge: Sendable {
    private static let units: [Character: Double] = ["h": 3600, "d": 86_400, "w": 604_800]

    let seconds: Double

    init(text: String) throws {
        guard let unit = text.last.flatMap({ Self.units[$0] }), let number = UInt32(text.dropLast()) else {
            throw ValidationError("\"\(text)\" is no age; write it as 90d (days), 12w (weeks) or 36h (hours).")
        }
        seconds = Double(number) * unit
    }
}
