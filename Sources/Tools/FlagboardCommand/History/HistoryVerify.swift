import ArgumentParser
import FlagChanges
import FlagHistory
import Foundation

struct HistoryVerify: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify", abstract: "Check that the history is unaltered, and that the files agree with it.",
        discussion: """
            Prints what was found. The exit code is 0 where all is sound, 1 where a row was altered, removed or added by \
            another program, where the key, the checkpoints or an anchor are gone or altered, or where the search index is \
            not that of the rows, 2 where a file holds \
            something else than the history knows, and 3 where a change was interrupted, which the next start of serve \
            decides.

            Rows that were cut off, and rows whose hashes were computed anew, are found by the signed checkpoints beside \
            the history. A person with the signing key can forge those, and older copies of all files can't be told from \
            the newest: keep the head that is printed on another machine, and give it with --expect later.
            """)

    @OptionGroup var target: HistoryFiles

    @Option(help: ArgumentHelp("The head of an earlier check, as it was printed.", valueName: "ID:HASH"))
    var expect: ExpectedHead?

    @Option(
        name: .customLong("archive"),
        help: ArgumentHelp(
            "A file that history prune wrote, to check it too. May be given several times.", valueName: "F"))
    var archives: [String] = []

    func validate() throws {
        if let missing = archives.first(where: { !FileManager.default.fileExists(atPath: $0) }) {
            throw ValidationError("There is no archive \(missing).")
        }
    }

    func run() async throws {
        let finding: HistoryAudit
        var canBeAccepted = true
        do {
            let files = try target.files
            finding = try HistoryAudit.run(
                files, expecting: expect?.head, archives: archives.map { URL(filePath: $0) })
            if case .tampered = finding { canBeAccepted = try HistoryAudit.canBeAccepted(files) }
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
        "If that was done on purpose, `flagboard history accept FILE --reason WHY` goes on from here, and records it."

    /// The advice if a row is wrong, which is never accepted.
    private static let adviceOfRow =
        "A row that was altered is not accepted: put back a copy from before, such as `flagboard history backup` makes, or move "
        + "the history away, with its key and its checkpoints, to begin a new one."

    fileprivate func text(canBeAccepted: Bool) -> String {
        switch self {
        case .sound(let coverage, let unknown): ([coverage.text] + unknown.map(Self.remark)).joined(separator: "\n")
        case .tampered(let row, let reason):
            "The history was altered at row \(row): \(reason)\n\(canBeAccepted ? Self.advice : Self.adviceOfRow)"
        case .unproven(let reason):
            "The history’s rows follow from one another, but nothing proves that they are all: \(reason)\n\(Self.advice)"
        case .wrongIndex(let reason):
            "The history’s rows are sound, but \(reason): a search may leave rows out. End the server, then run "
                + "`flagboard history reindex FILE`, which makes the index anew."
        case .wrongArchive(let reason):
            "The history’s own rows are sound, but \(reason). Name the archives that its rows were moved to, as they were "
                + "written."
        case .differs(let paths):
            "The history is sound, but not what it knows: \(paths.joined(separator: ", ")). "
                + "Start flagboard serve on the file to record what was edited outside."
        case .interrupted(let path):
            "A change of \(path) is under way or was interrupted. Where no flagboard serves the file, start it: it decides "
                + "the change."
        }
    }

    private static func remark(_ path: String) -> String {
        "It does not know \(path), so that file was not compared: flagboard serve has not served it under this name."
    }
}

extension HistoryCoverage {
    fileprivate var text: String {
        var lines = ["The history is sound: \(count) rows, head \(head.text)"]
        let time = signedAt.formatted(Date.ISO8601FormatStyle(timeZone: .gmt))
        lines.append(
            signedID == head.id
                ? "Every row is covered by the checkpoint of \(time)."
                : "Rows up to \(signedID) are covered by the checkpoint of \(time); newer ones rest on the chain alone."
        )
        if let last = anchors.last {
            lines.append(
                "Rows up to \(last.last) were pruned; \(Self.checked(archives)) of \(anchors.count) archives checked.")
        }
        lines.append("The signing key is \(key.hexadecimal).")
        return lines.joined(separator: "\n")
    }

    private static func checked(_ count: Int) -> String { count == 0 ? "none" : "\(count)" }
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
