import Foundation

/// The contents of files as a repository keeps them, from one `git cat-file --batch` that runs for as long as this is there.
final class GitBlobs {
    private let process: Process
    private let (questions, answers) = (Pipe(), Pipe())
    /// What was read of the answers and not used yet.
    private var rest = Data()

    /// - Parameter git: The git to ask.
    /// - Throws: Where it can't be run.
    init(_ git: GitProgram) throws {
        process = git.process(["cat-file", "--batch"])
        process.standardInput = questions
        process.standardOutput = answers
        try process.run()
    }

    deinit {
        // It ends where nothing more can be asked; where the pipe can't be closed, it was closed already.
        _ = Result { try questions.fileHandleForWriting.close() }
        process.waitUntilExit()
    }

    /// The content of a file.
    func content(_ hash: String) throws -> Data {
        try questions.fileHandleForWriting.write(contentsOf: Data("\(hash)\n".utf8))
        let header = String(decoding: try bytes(through: UInt8(ascii: "\n")), as: UTF8.self)
        let words = header.split(whereSeparator: \.isWhitespace)
        guard words.count == 3, words[1] == "blob", let size = Int(words[2]) else {
            throw GitError("git has no file \(hash): \(header.trimmingCharacters(in: .whitespacesAndNewlines))")
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
        guard !more.isEmpty else { throw GitError("git cat-file ended before it had answered. Try again.") }
        rest += more
    }
}
