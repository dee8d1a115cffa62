import DurableFiles
import Foundation

/// The runs of a program that read the source files of one look, one after the other: a file may end a run.
///
/// One thread asks it, and ``SourceLook/stop()`` may end it at any time.
final class SourceProcess {
    /// The most bytes of what is found in one file.
    private static let largestAnswer = 64 << 20

    private let program: SourceProgram
    private let look: SourceLook
    private var run: Run?

    private struct Run {
        let process = Process()
        let questions = Pipe()
        let answers = Pipe()
    }

    /// Nothing runs before the first file.
    init(_ program: SourceProgram, for look: SourceLook) { (self.program, self.look) = (program, look) }

    /// Reads a file.
    ///
    /// - Throws: ``SourceProblem`` where the code is too much for the parser, or the program can't be run.
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
                    file: path, reason: "what it says of flags takes more than \(Self.largestAnswer >> 20) MiB")
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

    /// Ends the run that waits for a file.
    func end() { _ = end(0) }

    private func begin() throws -> Run {
        let run = Run()
        run.process.executableURL = program.executable
        run.process.arguments = program.arguments
        // Nothing of what a server is told is for the parser; a crash is told by its signal alone.
        run.process.environment = ProcessInfo.processInfo.environment.filter { !$0.key.hasPrefix("FLAGBOARD_") }
            .merging(["SWIFT_BACKTRACE": "enable=no"]) { $1 }
        run.process.standardInput = run.questions
        run.process.standardOutput = run.answers
        run.process.standardError = FileHandle.nullDevice
        // A program that has ended takes nothing: the write fails then, and this process goes on.
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, SIGPIPE)
        pthread_sigmask(SIG_BLOCK, &signals, nil)
        try run.process.run()
        look.watch(run.process)
        return run
    }

    /// Why a run ended.
    private struct Ending {
        var reason: String
        /// Whether it comes of the file that was read.
        var isOfContent = true

        func problem(of path: String) -> SourceProblem {
            var problem = SourceProblem(file: path, reason: reason)
            problem.isOfContent = isOfContent
            return problem
        }
    }

    /// Waits for the end of the run, and says why it came.
    private func end(_ seconds: Int) -> Ending {
        guard let run else { return Ending(reason: "the program that reads it can't be started", isOfContent: false) }
        self.run = nil
        // Where the pipe can't be closed, it was closed already.
        _ = Result { try run.questions.fileHandleForWriting.close() }
        run.process.waitUntilExit()
        look.watch(nil)
        let status = run.process.terminationStatus
        switch (run.process.terminationReason, status) {
        case (.uncaughtSignal, SIGXCPU):
            return Ending(reason: "parsing its code takes more than \(seconds) second\(seconds == 1 ? "" : "s")")
        case (.uncaughtSignal, SIGKILL):
            return Ending(reason: "the program that reads it was ended (signal \(SIGKILL))", isOfContent: false)
        case (.uncaughtSignal, _):
            return Ending(
                reason: "its code is nested too deeply for the parser, or needs too much memory (signal \(status))")
        case (_, SourceProgram.unknownProtocol):
            return Ending(
                reason: "\(program.executable.path) is not of the version of this program; install both from one build",
                isOfContent: false)
        case (_, let code):
            return Ending(reason: "the program that reads it ended with code \(code)", isOfContent: false)
        }
    }
}

/// The program `flagboard-references`, which reads source files for this process, and is ended by the kernel where a file takes
/// too much.
///
/// The parser calls itself for each level of code, and takes twice the time for each level of some: a thread can be kept from
/// neither.
package struct SourceProgram: Hashable, Sendable {
    /// The name of its file.
    package static let name = "flagboard-references"
    /// What it is started with, so that no program of another version misreads the messages.
    package static let protocolArguments = ["--protocol", "1"]
    /// Its exit code where it is started with anything else.
    package static let unknownProtocol: Int32 = 64

    let executable: URL
    let arguments: [String]
    /// The seconds of processor time that a small file may take.
    let seconds: Int

    /// - Parameter seconds: The seconds of processor time that a small file may take; a large one has more.
    init(executable: URL, arguments: [String] = protocolArguments, seconds: Int = 10) {
        (self.executable, self.arguments, self.seconds) = (executable, arguments, seconds)
    }

    /// Finds the program beside the one that runs, or else on the `PATH`.
    ///
    /// - Throws: ``SourceAccessError`` that says how to get it.
    package static func find() throws(SourceAccessError) -> SourceProgram {
        #if os(Linux)
            let own = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
        #else
            let own = (Bundle.main.executableURL ?? URL(filePath: CommandLine.arguments[0])).resolvingSymlinksInPath()
        #endif
        return try find(in: [own.deletingLastPathComponent()] + searchPath)
    }

    static func find(in folders: [URL]) throws(SourceAccessError) -> SourceProgram {
        let places = folders.map { $0.appending(path: name) }
        guard let executable = places.first(where: { AtomicFile.look(at: $0)?.kind == .regular }) else {
            throw SourceAccessError(
                """
                Swift code is read by a program of its own, \(name), which is neither beside flagboard nor on the PATH; \
                build it with swift build -c release --product \(name), and put it beside flagboard
                """)
        }
        return SourceProgram(executable: executable)
    }

    private static var searchPath: [URL] {
        (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").map { URL(filePath: String($0)) }
    }

    /// The seconds of processor time that a text may take.
    func seconds(for text: Data) -> Int { seconds + text.count / Self.bytesOfSecond }

    /// The bytes for which a file has one second more: a program that was built for debugging parses that much.
    private static let bytesOfSecond = 64 * 1024
}
