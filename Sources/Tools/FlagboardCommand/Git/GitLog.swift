import DurableFiles
import Foundation

struct GitCommit {
    let hash: String
    /// The shortest unique beginning.
    let shortHash: String
    let author: String
    let email: String
    let date: Date
    let subject: String
    /// The content's hash in each parent; `nil` if there was no file.
    var before: [String?] = []
    /// The hash after the commit.
    var after: String?
}

struct GitLog {
    private static let fields = ["%H", "%h", "%aN", "%aE", "%at", "%s"]

    /// Newest first; merges only if their file is that of no parent.
    let commits: [GitCommit]

    /// `name` is from the folder of `git`.
    init(of name: String, _ git: GitProgram) throws {
        let format = (["commit"] + Self.fields).joined(separator: "%x00")
        let said = try git.output([
            "-c", "log.follow=false", "-c", "log.showSignature=false", "log", "-c", "--raw", "--no-abbrev",
            "--no-renames",
            "--no-color", "--encoding=UTF-8", "--format=\(format)", "--", ":(literal)\(name)",
        ])
        var commits: [GitCommit] = []
        for line in said.split(separator: UInt8(ascii: "\n")).map({ String(decoding: $0, as: UTF8.self) }) {
            if line.hasPrefix("commit\0") {
                let fields = line.split(separator: "\0", omittingEmptySubsequences: false).map(String.init)
                guard fields.count == Self.fields.count + 1, let seconds = TimeInterval(fields[5]) else {
                    throw PlainError("can't parse a line printed by git log: \(line)")
                }
                commits.append(
                    GitCommit(
                        hash: fields[1], shortHash: fields[2], author: fields[3], email: fields[4],
                        date: Date(timeIntervalSince1970: seconds), subject: fields[6]))
            } else if let content = Self.contents(line), !commits.isEmpty {
                (commits[commits.count - 1].before, commits[commits.count - 1].after) = content
            }
        }
        self.commits = commits
    }

    /// Reads a line such as `:100644 100644 HASH HASH M`; a merge has a colon for each parent.
    private static func contents(_ line: String) -> (before: [String?], after: String?)? {
        let parents = line.prefix { $0 == ":" }.count
        let words = line.dropFirst(parents).split(separator: " ")
        guard parents > 0, words.count > 2 * parents + 2 else { return nil }
        let hashes = words[(parents + 1)...(2 * parents + 1)].map { word in
            word.allSatisfy { $0 == "0" } ? nil : String(word)
        }
        return (Array(hashes.dropLast()), hashes[parents])
    }
}

/// The contents of files in a repository, from one running `git cat-file --batch`.
final class GitBlobs {
    private let process: Process
    private let (questions, answers) = (Pipe(), Pipe())
    /// The bytes that were read and not used yet.
    private var rest = Data()

    init(_ git: GitProgram) throws {
        process = git.process(["cat-file", "--batch"])
        process.standardInput = questions
        process.standardOutput = answers
        try process.run()
    }

    deinit {
        // Ends the process; fails only if the pipe is closed already.
        _ = Result { try questions.fileHandleForWriting.close() }
        process.waitUntilExit()
    }

    func content(_ hash: String) throws -> Data {
        try questions.fileHandleForWriting.write(contentsOf: Data("\(hash)\n".utf8))
        let header = String(decoding: try bytes(through: UInt8(ascii: "\n")), as: UTF8.self)
        let words = header.split(whereSeparator: \.isWhitespace)
        guard words.count == 3, words[1] == "blob", let size = Int(words[2]) else {
            throw PlainError("Git has no file \(hash): \(header.trimmingCharacters(in: .whitespacesAndNewlines))")
        }
        return try bytes(size + 1).dropLast()
    }

    private func bytes(through end: UInt8) throws -> Data {
        while true {
            if let index = rest.firstIndex(of: end) { return take(index - rest.startIndex + 1) }
            try readMore()
        }
    }

    private func bytes(_ count: Int) throws -> Data {
        while rest.count < count { try readMore() }
        return take(count)
    }

    private func take(_ count: Int) -> Data {
        let taken = Data(rest.prefix(count))
        rest = Data(rest.dropFirst(count))
        return taken
    }

    private func readMore() throws {
        let more = answers.fileHandleForReading.availableData
        guard !more.isEmpty else { throw PlainError("git cat-file ended before it responded. Try again.") }
        rest += more
    }
}
