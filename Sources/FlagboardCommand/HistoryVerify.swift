import ArgumentParser
import FlagChanges
import FlagHistory
import Foundation

/// `flagboard history verify FILE`: whether anybody has altered the history.
struct HistoryVerify: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify", abstract: "Check that nobody has altered the history, and that the files agree with it.",
        discussion: """
            Prints what was found. The exit code is 0 where all is sound, 1 where a row was altered, removed or added by \
            somebody else, 2 where a file holds something else than the history knows, and 3 where a change was \
            interrupted, which the next start of serve decides.

            The newest rows can be cut off, and all hashes computed anew, without breaking the chain: keep the head that \
            is printed elsewhere, and give it with --expect later.
            """)

    @Argument(help: "The values: an XML property list, such as flags.xml.", completion: .file())
    var file: String

    @Option(help: ArgumentHelp("The head of an earlier check, as it was printed.", valueName: "ID:HASH"))
    var expect: ExpectedHead?

    @Option(
        help: ArgumentHelp("The definitions (default: beside FILE, FILE's name with .manifest.xml).", valueName: "F"))
    var manifest: String?

    @Option(help: ArgumentHelp("The history (default: beside FILE, FILE's name with .history.sqlite).", valueName: "F"))
    var history: String?

    @Flag(help: "Print as JSON.")
    var json = false

    func run() async throws {
        let files = FlagFiles(
            values: URL(filePath: file), manifest: manifest.map { URL(filePath: $0) },
            history: history.map { URL(filePath: $0) })
        let finding: HistoryAudit
        do {
            finding = try HistoryAudit.run(files, expecting: expect?.head)
        } catch {
            FileHandle.standardError.write(Data("flagboard: \(error)\n".utf8))
            throw ExitCode.failure
        }
        print(try json ? finding.json : finding.text)
        if let code = finding.exitCode { throw code }
    }
}

/// A head as it is printed: the number of the last row and its hash, `12:9f86d081…`.
struct ExpectedHead: ExpressibleByArgument {
    let head: ChainHead

    init?(argument: String) {
        let parts = argument.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2, let id = Int64(parts[0]), id >= 0, let hash = Self.bytes(parts[1]), hash.count == 32
        else {
            return nil
        }
        head = ChainHead(id: id, hash: hash)
    }

    private static func bytes(_ text: Substring) -> Data? {
        let digits = text.unicodeScalars.map { Character($0).hexDigitValue }
        guard digits.count.isMultiple(of: 2) else { return nil }
        var data = Data()
        for index in stride(from: 0, to: digits.count, by: 2) {
            guard let high = digits[index], let low = digits[index + 1] else { return nil }
            data.append(UInt8(high << 4 | low))
        }
        return data
    }
}

extension HistoryAudit {
    fileprivate var exitCode: ExitCode? {
        switch self {
        case .sound: nil
        case .tampered: ExitCode(1)
        case .differs: ExitCode(2)
        case .interrupted: ExitCode(3)
        }
    }

    fileprivate var text: String {
        switch self {
        case .sound(let head): "The history is sound: \(head.id) rows, head \(head.text)"
        case .tampered(let row, let reason): "The history was altered at row \(row): \(reason)"
        case .differs(let paths):
            "The history is sound, but not what it knows: \(paths.joined(separator: ", ")). "
                + "Start flagboard serve on the file to record what was edited outside."
        case .interrupted(let path):
            "A change of \(path) is under way or was interrupted. Where no flagboard serves the file, start it: it decides "
                + "the change."
        }
    }

    fileprivate var json: String {
        get throws {
            let fields =
                switch self {
                case .sound(let head): Fields(result: "sound", rows: head.id, head: head.text)
                case .tampered(let row, let reason): Fields(result: "tampered", row: row, reason: reason)
                case .differs(let paths): Fields(result: "differs", paths: paths)
                case .interrupted(let path): Fields(result: "interrupted", path: path)
                }
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
            return String(decoding: try encoder.encode(fields), as: UTF8.self)
        }
    }
}

/// What `--json` prints; a finding has some of them.
private struct Fields: Encodable {
    var result: String
    var rows: Int64?
    var head: String?
    var row: Int64?
    var reason: String?
    var paths: [String]?
    var path: String?
}

extension ChainHead {
    /// The head as `--expect` takes it.
    fileprivate var text: String {
        "\(id):" + hash.map { String(format: "%02x", $0) }.joined()
    }
}
