import ArgumentParser
import FeatureFlags
import Foundation

struct OutputError: Error, CustomStringConvertible {
    let description: String

    init(_ error: any Error) {
        let cause = (error as NSError).userInfo[NSUnderlyingErrorKey] as? NSError
        let text = cause.map { String(cString: strerror(Int32($0.code))) } ?? error.localizedDescription
        description = "can't write to standard output: \(text)"
    }
}

enum CommandOutput {
    static func print(_ line: String) throws { try print(part: "\(line)\n") }

    /// Escapes terminal controls from files.
    static func print(lines text: String) throws { try print(Terminal.lines(text)) }

    /// Prints text as it is.
    static func print(part text: String) throws {
        do {
            try FileHandle.standardOutput.write(contentsOf: Data(text.utf8))
        } catch {
            throw OutputError(error)
        }
    }

    static func print(json value: some Encodable) throws {
        try print(String(decoding: try json(value), as: UTF8.self))
    }

    static func log(_ value: some Encodable) {
        do {
            try FileHandle.standardError.write(contentsOf: try json(value) + Data("\n".utf8))
        } catch {
            // Standard error is closed, and there is no other place to report that.
        }
    }

    private static func json(_ value: some Encodable) throws -> Data {
        let encoder = JSONEncoder()
        encoder.dateEncodingStrategy = .iso8601
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return try encoder.encode(value)
    }

    /// Escapes terminal controls from files.
    static func note(_ text: String) {
        do {
            try FileHandle.standardError.write(contentsOf: Data("\(Terminal.lines(text))\n".utf8))
        } catch {
            // Standard error is closed, and there is no other place to report that.
        }
    }

    static func warn(_ text: String) { note("flagboard: \(text)") }

    /// `true` if standard output is only JSON, by `--json` or the environment.
    static let isForPrograms: Bool = {
        if CommandLine.arguments.prefix(while: { $0 != "--" }).contains("--json") { return true }
        do {
            return try FlagboardEnvironment.current.bool("JSON")
        } catch {
            // The command itself refuses the variable.
            return false
        }
    }()

    static func failure(_ error: any Error) -> ExitCode {
        let refusal = error as? CommandRefusal
        // If printing failed, this would too.
        let exit = refusal?.exit ?? .failed
        if !(error is OutputError) { tellPrograms("\(error)", exit, refusal?.document) }
        warn("\(error)")
        return exit
    }

    /// Prints a refusal as JSON, if standard output is for programs; makes a missing document.
    static func tellPrograms(_ detail: String, _ exit: ExitCode, _ document: JSONValue? = nil) {
        guard isForPrograms else { return }
        let members = ["type": "about:blank", "title": "Failed", "detail": detail, "code": exit.code]
        let problem = document ?? .object(members.mapValues { .scalar(.string($0)) })
        do {
            try print(FlagJSON.line(problem))
        } catch {
            warn("\(error)")
        }
    }

    /// Opens the null device in place of streams that were closed before the start.
    ///
    /// Otherwise the next opened file would get the stream's number, and all that is printed.
    static func occupyStandardStreams() {
        for stream in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO] where fcntl(stream, F_GETFD) == -1 {
            guard open("/dev/null", O_RDWR) == stream else { exit(EXIT_FAILURE) }
        }
    }
}
