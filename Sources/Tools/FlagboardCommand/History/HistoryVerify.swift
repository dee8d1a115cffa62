import ArgumentParser
import FlagChanges
import FlagHistory
import Foundation

struct HistoryVerify: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify", abstract: "Check that the history is unaltered and matches the files.",
        discussion: """
            Exits with 0 if everything is intact; with 1 if another program altered, removed or added a row, if the \
            key, the checkpoints or an anchor are missing or altered, or if the search index doesn't match the rows; \
            with 2 if a file has changes that the history doesn't include; and with 3 if a change was interrupted, \
            which the next start of serve resolves.

            The signed checkpoints beside the history reveal rows that were cut off or rewritten with new hashes. They \
            don't protect against a person who has the signing key, or against restoring older copies of all files. To \
            detect that too, keep the printed head on another machine and pass it to --expect later.
            """)

    @OptionGroup var target: HistoryFiles

    @Option(help: ArgumentHelp("The head printed by an earlier check.", valueName: "ID:HASH"))
    var expect: ExpectedHead?

    @Option(
        name: .customLong("archive"),
        help: ArgumentHelp(
            "An archive from history prune to check as well. Can be repeated.", valueName: "F"), completion: .file())
    var archives: [String] = []

    func validate() throws {
        if let missing = archives.first(where: { !FileManager.default.fileExists(atPath: $0) }) {
            throw ValidationError("The archive \(missing) doesn't exist.")
        }
    }

    func run() async throws {
        let finding: HistoryAudit
        var canBeAccepted = true
        do {
            let files = try target.found
            finding = try HistoryAudit.run(
                files, expecting: expect?.head, archives: archives.map { URL(filePath: $0) })
            switch finding {
            case .tampered, .unproven: canBeAccepted = try HistoryAudit.canBeAccepted(files)
            default: break
            }
        } catch {
            throw CommandOutput.failure(error)
        }
        if try target.printsJSON {
            try CommandOutput.print(json: VerifyFields(finding))
        } else {
            try CommandOutput.print(lines: finding.text(canBeAccepted: canBeAccepted))
        }
        if let code = finding.exitCode { throw code }
    }
}

/// A head as printed: the last row's number and hash, `12:9f86d081…`.
struct ExpectedHead: ExpressibleByArgument {
    let head: ChainHead

    init?(argument: String) {
        let parts = argument.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2, let id = Int64(parts[0]), id >= 0, let hash = Data(hexadecimal: parts[1]),
            hash.count == 32
        else { return nil }
        head = ChainHead(id: id, hash: hash)
    }
}

extension HistoryAudit {
    fileprivate var exitCode: ExitCode? {
        switch self {
        case .sound: nil
        case .tampered, .unproven, .wrongIndex, .wrongArchive: ExitCode(1)
        case .differs: ExitCode(2)
        case .interrupted: ExitCode(3)
        }
    }

    /// The advice if no row is wrong, but what was signed.
    private static let advice =
        "If this was intended, run `flagboard history accept FILE --reason WHY` to continue from here and record it."

    /// The advice if a row or the record of a file is wrong, or a file unusable, which is never accepted.
    private static let adviceOfDamage =
        "This can't be accepted. Restore an earlier copy, such as one from `flagboard history backup`, or "
        + "move the history, its key and its checkpoints away to start a new one."

    fileprivate func text(canBeAccepted: Bool) -> String {
        switch self {
        case .sound(let coverage, let unknown): ([coverage.text] + unknown.map(Self.remark)).joined(separator: "\n")
        case .tampered(let row, let reason):
            "The history was altered at row \(row): \(reason)\n\(canBeAccepted ? Self.advice : Self.adviceOfDamage)"
        case .unproven(let reason):
            "The chain of rows is unbroken, but it can't be proven complete: \(reason)\n\(canBeAccepted ? Self.advice : Self.adviceOfDamage)"
        case .wrongIndex(let reason):
            "The history's rows are intact, but \(reason), so searches may miss rows. Stop the server, then run "
                + "`flagboard history reindex FILE` to rebuild the index."
        case .wrongArchive(let reason):
            "The history's own rows are intact, but \(reason). Use --archive to pass the "
                + "unchanged archives that the rows were moved to."
        case .differs(let paths):
            "The history is intact, but these files have changes that it doesn't include: "
                + "\(paths.joined(separator: ", ")). Run flagboard serve on the file to record the external edits."
        case .interrupted(let path):
            "A change to \(path) is in progress or was interrupted. If no server is running for the file, start one to "
                + "complete or undo the change."
        }
    }

    private static func remark(_ path: String) -> String {
        "\(path) was not compared: the history has no record of this file, because flagboard serve has never run on it "
            + "under this name."
    }
}

extension HistoryCoverage {
    fileprivate var text: String {
        var lines = ["The history is intact: \(Terminal.count(count, "row")), head \(head.text)"]
        let time = signedAt.formatted(Date.ISO8601FormatStyle(timeZone: .gmt))
        lines.append(
            signedID == head.id
                ? "Every row is covered by the checkpoint of \(time)."
                : "Rows up to \(signedID) are covered by the checkpoint of \(time). Newer rows are protected only by "
                    + "the chain."
        )
        if let last = anchors.last {
            lines.append(
                "Rows up to \(last.last) were pruned. \(Self.checked(archives)) of \(anchors.count) archives were "
                    + "checked.")
        }
        lines.append("The fingerprint of the signing key is \(key.hexadecimal).")
        return lines.joined(separator: "\n")
    }

    private static func checked(_ count: Int) -> String { count == 0 ? "None" : "\(count)" }
}

/// The output of `--json`; each finding has some of the fields.
private struct VerifyFields: Encodable {
    var result: String
    var rows: Int?
    var head: String?
    var signed: Int64?
    var key: String?
    var pruned: Int64?
    var unknown: [String]?
    var row: Int64?
    var reason: String?
    var paths: [String]?
    var path: String?

    init(_ finding: HistoryAudit) {
        switch finding {
        case .sound(let coverage, let unknown):
            result = "sound"
            (rows, head, signed) = (coverage.count, coverage.head.text, coverage.signedID)
            (key, pruned) = (coverage.key.hexadecimal, coverage.anchors.last?.last)
            self.unknown = unknown.isEmpty ? nil : unknown
        case .tampered(let row, let reason): (result, self.row, self.reason) = ("tampered", row, reason)
        case .unproven(let reason): (result, self.reason) = ("unproven", reason)
        case .wrongIndex(let reason): (result, self.reason) = ("wrongIndex", reason)
        case .wrongArchive(let reason): (result, self.reason) = ("wrongArchive", reason)
        case .differs(let paths): (result, self.paths) = ("differs", paths)
        case .interrupted(let path): (result, self.path) = ("interrupted", path)
        }
    }
}

extension ChainHead {
    fileprivate var text: String { "\(id):\(hash.hexadecimal)" }
}
