import ArgumentParser
import FeatureFlags
import Foundation

/// Why nothing can be printed.
struct OutputError: Error, CustomStringConvertible {
    let description: String

    init(_ error: any Error) {
        let cause = (error as NSError).userInfo[NSUnderlyingErrorKey] as? NSError
        let text = cause.map { String(cString: strerror(Int32($0.code))) } ?? error.localizedDescription
        description = "standard output can't be written: \(text)"
    }
}

/// What a command says.
enum CommandOutput {
    /// Prints a line on standard output.
    static func print(_ line: String) throws { try print(part: "\(line)\n") }

    /// Prints lines for people on standard output.
    ///
    /// What a file holds may be in them, so nothing in them does anything to a terminal but end a line.
    static func print(lines text: String) throws { try print(Terminal.lines(text)) }

    /// Prints a part of a text on standard output, as it is.
    static func print(part text: String) throws {
        do {
            try FileHandle.standardOutput.write(contentsOf: Data(text.utf8))
        } catch {
            throw OutputError(error)
        }
    }

    /// Prints a value on standard output, as one line of JSON.
    static func print(json value: some Encodable) throws {
        try print(String(decoding: try json(value), as: UTF8.self))
    }

    /// Says something on standard error, as one line of JSON.
    static func log(_ value: some Encodable) {
        do {
            try FileHandle.standardError.write(contentsOf: try json(value) + Data("\n".utf8))
        } catch {
            // Standard error is closed, and there is no other place to say that.
        }
    }

    private static func json(_ value: some Encodable) throws -> Data {
        let encoder = JSONEncoder()
        encoder.dateEncodingStrategy = .iso8601
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return try encoder.encode(value)
    }

    /// Says something to the person at the terminal, beside what is printed for programs.
    ///
    /// What a file holds may be in it, so nothing in it does anything to a terminal but end a line.
    static func note(_ text: String) {
        do {
            try FileHandle.standardError.write(contentsOf: Data("\(Terminal.lines(text))\n".utf8))
        } catch {
            // Standard error is closed, and there is no other place to say that.
        }
    }

    /// Says what a person should know.
    static func warn(_ text: String) { note("flagboard: \(text)") }

    /// Whether standard output is JSON alone, for programs: by `--json`, or by the environment.
    static let isForPrograms: Bool = {
        if CommandLine.arguments.prefix(while: { $0 != "--" }).contains("--json") { return true }
        do {
            return try FlagboardEnvironment.current.bool("JSON")
        } catch {
            // The command itself refuses the variable.
            return false
        }
    }()

    /// Says what went wrong, and ends the command.
    static func failure(_ error: any Error) -> ExitCode {
        let refusal = error as? CommandRefusal
        // Where nothing can be printed, that isn't either.
        if !(error is OutputError) { tellPrograms("\(error)", refusal?.document) }
        warn("\(error)")
        return refusal?.exit ?? .failure
    }

    /// Prints a refusal as JSON, where standard output is for programs.
    ///
    /// - Parameter document: The problem document of the API; `nil` for one that is made here.
    static func tellPrograms(_ detail: String, _ document: JSONValue? = nil) {
        guard isForPrograms else { return }
        let members = ["type": "about:blank", "title": "Not done", "detail": detail]
        let problem = document ?? .object(members.mapValues { .scalar(.string($0)) })
        do {
            try print(FlagJSON.line(problem))
        } catch {
            warn("\(error)")
        }
    }

    /// Puts the null device where a standard stream was closed before the start: the next file that is opened would get
    /// its number, and all that is printed.
    static func occupyStandardStreams() {
        for stream in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO] where fcntl(stream, F_GETFD) == -1 {
            guard open("/dev/null", O_RDWR) == stream else { exit(EXIT_FAILURE) }
        }
    }
}

/// The reason why a command can't start its work, and what to do.
struct StartError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }
}
