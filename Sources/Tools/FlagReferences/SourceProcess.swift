import DurableFiles
import Foundation

/// The runs for one look, one after another, since a file may end a run.
///
/// One thread uses it; ``SourceLook/stop()`` may end it at any time.
final class SourceProcess {
    /// The largest answer about one file, in bytes.
    private static let largestAnswer = 64 << 20

    private let program: SourceProgram
    private let look: SourceLook
    private var run: Run?

    private struct Run {
        let process = Process()
        let questions = Pipe()
        let answers = Pipe()
    }

    init(_ program: SourceProgram, for look: SourceLook) { (self.program, self.look) = (program, look) }

    /// - Throws: ``SourceProblem`` if the parser fails, or the program can't run.
    func facts(in text: String, of path: String) throws(SourceProblem) -> SourceFacts {
        let text = Data(text.utf8)
        let seconds = program.seconds(for: text)
        let answer: SourceAnswer
        do {
            let run = try run ?? begin()
            self.run = run
            try run.questions.fileHandleForWriting.write(
                contentsOf: SourceFrame(seconds: seconds, count: text.count).data + text)
            let answers = run.answers.fileHandleForReading
            guard let frame = SourceFrame(try answers.readWhole(SourceFrame.size)) else {
                throw end(seconds).problem(of: path)
            }
            guard frame.count <= Self.largestAnswer else {
                end()
                throw SourceProblem(
                    file: path, reason: "its flag references take more than \(Self.largestAnswer >> 20) MiB")
            }
            answer = try JSONDecoder().decode(SourceAnswer.self, from: answers.readWhole(frame.count))
        } catch let problem as SourceProblem {
            throw problem
        } catch {
            var ending = end(seconds)
            ending.reason += " (\(error.localizedDescription))"
            throw ending.problem(of: path)
        }
        switch answer {
        case .facts(let facts): return facts
        case .tooDeep(let limit):
            throw SourceProblem(file: path, reason: "its code is nested more than \(limit) levels deep")
        }
    }

    func end() { _ = end(0) }

    private func begin() throws -> Run {
        let run = Run()
        run.process.executableURL = program.executable
        run.process.arguments = program.arguments
        // The parser gets no settings of the server, and reports a crash by its signal alone.
        run.process.environment = ProcessInfo.processInfo.environment.filter { !$0.key.hasPrefix("FLAGBOARD_") }
            .merging(["SWIFT_BACKTRACE": "enable=no"]) { $1 }
        run.process.standardInput = run.questions
        run.process.standardOutput = run.answers
        run.process.standardError = FileHandle.nullDevice
        // Writing to an ended program then fails, rather than ending this process.
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, SIGPIPE)
        pthread_sigmask(SIG_BLOCK, &signals, nil)
        try run.process.run()
        look.watch(run.process)
        return run
    }

    private struct Ending {
        var reason: String
        /// `true` if the file is the cause.
        var isOfContent = true

        func problem(of path: String) -> SourceProblem {
            var problem = SourceProblem(file: path, reason: reason)
            problem.isOfContent = isOfContent
            return problem
        }
    }

    private func end(_ seconds: Int) -> Ending {
        guard let run else { return Ending(reason: "can't start the Swift parser", isOfContent: false) }
        self.run = nil
        // Fails only if the pipe is closed already.
        _ = Result { try run.questions.fileHandleForWriting.close() }
        run.process.waitUntilExit()
        look.watch(nil)
        let status = run.process.terminationStatus
        switch (run.process.terminationReason, status) {
        case (.uncaughtSignal, SIGXCPU):
            return Ending(reason: "parsing its code takes more than \(seconds) second\(seconds == 1 ? "" : "s")")
        case (.uncaughtSignal, SIGKILL):
            return Ending(reason: "the Swift parser was terminated (signal \(SIGKILL))", isOfContent: false)
        case (.uncaughtSignal, _):
            return Ending(
                reason: "its code is nested too deeply for the parser, or needs too much memory (signal \(status))")
        case (_, SourceProgram.unknownProtocol):
            return Ending(
                reason: "\(program.executable.path) is from a different version than flagboard; install both from the "
                    + "same build",
                isOfContent: false)
        case (_, let code):
            return Ending(reason: "the Swift parser exited with code \(code)", isOfContent: false)
        }
    }
}

/// `flagboard-references`, which reads source files outside this process.
///
/// The parser recurses for each level of code, and some levels double its time. Neither can be stopped in a thread, but
/// the kernel ends a process that takes too much.
package struct SourceProgram: Hashable, Sendable {
    package static let name = "flagboard-references"
    /// The start arguments, by which other versions refuse the messages.
    package static let protocolArguments = ["--protocol", "1"]
    /// The exit code for any other arguments.
    package static let unknownProtocol: Int32 = 64

    let executable: URL
    let arguments: [String]
    /// The processor time for a small file, in seconds.
    let seconds: Int

    init(executable: URL, arguments: [String] = protocolArguments, seconds: Int = 10) {
        (self.executable, self.arguments, self.seconds) = (executable, arguments, seconds)
    }

    /// Finds the program beside this one, or else on the `PATH`.
    package static func find() throws(PlainError) -> SourceProgram {
        #if os(Linux)
            let own = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
        #else
            let own = (Bundle.main.executableURL ?? URL(filePath: CommandLine.arguments[0])).resolvingSymlinksInPath()
        #endif
        guard let executable = ProgramSearch.find(name, before: [own.deletingLastPathComponent()]) else {
            throw PlainError(
                """
                Can't find \(name), the program that parses Swift code, beside flagboard or on the PATH. Build it with \
                swift build -c release --product \(name), and put it beside flagboard
                """)
        }
        try DescriptorLimit.check(toStart: name)
        return SourceProgram(executable: executable)
    }

    func seconds(for text: Data) -> Int { seconds + text.count / Self.bytesOfSecond }

    /// A debug build parses that many bytes in a second.
    private static let bytesOfSecond = 64 * 1024
}
