import FlagReferences
import Foundation
import SwiftSyntax

/// `flagboard-references`: reads Swift source files for `flagboard`, which no file must end.
@main
struct FlagReferencesTool {
    /// The bytes of memory that reading may take, the stack among them.
    private static let memory = 2 << 30
    /// The bytes of the stack, for code that is nested as deeply as the parser goes.
    private static let stack = 512 << 20
    /// The bytes below the stack that end the process; more than any one call takes.
    private static let guardBytes = 4 << 20

    /// Reads the files that standard input gives until that ends, and answers on standard output.
    static func main() throws {
        guard CommandLine.arguments.dropFirst().elementsEqual(SourceProgram.protocolArguments) else {
            let usage = "This program reads Swift code for flagboard references and serve --source: run those.\n"
            try FileHandle.standardError.write(contentsOf: Data(usage.utf8))
            exit(SourceProgram.unknownProtocol)
        }
        // What serves pages comes first.
        _ = nice(10)
        try limit(RLIMIT_CORE, to: 0)
        try limit(RLIMIT_DATA, to: memory)
        let outcome = OnStack { try answer() }
        let attributes = UnsafeMutablePointer<pthread_attr_t>.allocate(capacity: 1)
        defer { attributes.deallocate() }
        try check(pthread_attr_init(attributes))
        defer { pthread_attr_destroy(attributes) }
        try check(pthread_attr_setstacksize(attributes, stack))
        try check(pthread_attr_setguardsize(attributes, guardBytes))
        var thread = pthread_t()
        let start: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? = { pointer in
            if let pointer { Unmanaged<OnStack>.fromOpaque(pointer).takeUnretainedValue().run() }
            return nil
        }
        try check(pthread_create(&thread, attributes, start, Unmanaged.passUnretained(outcome).toOpaque()))
        try check(pthread_join(thread, nil))
        try outcome.result?.get()
    }

    /// What a thread of its own does.
    private final class OnStack {
        private let body: () throws -> Void
        private(set) var result: Result<Void, any Error>?

        init(_ body: @escaping () throws -> Void) { self.body = body }

        func run() {
            // A thread gets the signals that the one before it blocks, and the kernel ends the process by one.
            var signals = sigset_t()
            sigemptyset(&signals)
            pthread_sigmask(SIG_SETMASK, &signals, nil)
            result = Result(catching: body)
        }
    }

    private static func answer() throws {
        let (input, output) = (FileHandle.standardInput, FileHandle.standardOutput)
        while let frame = SourceFrame(try input.readWhole(SourceFrame.size)) {
            let text = try input.readWhole(frame.count)
            var used = timespec()
            clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used)
            try limit(RLIMIT_CPU, to: used.tv_sec + 1 + frame.seconds)
            let answer: SourceAnswer
            do throws(SourceDepthError) {
                answer = .facts(try SourceReader.facts(in: String(decoding: text, as: UTF8.self)))
            } catch {
                answer = .tooDeep(error.limit)
            }
            let message = try JSONEncoder().encode(answer)
            try output.write(contentsOf: SourceFrame(count: message.count).data + message)
        }
    }

    #if canImport(Darwin)
        private typealias Resource = CInt
    #else
        private typealias Resource = __rlimit_resource
    #endif

    /// Has the kernel end this process where it takes more of something.
    private static func limit(_ resource: Resource, to wanted: Int) throws {
        #if canImport(Darwin)
            let number = resource
        #else
            let number = __rlimit_resource_t(resource.rawValue)
        #endif
        var limit = rlimit()
        try check(getrlimit(number, &limit) == 0 ? 0 : errno)
        limit.rlim_cur = min(rlim_t(wanted), limit.rlim_max)
        try check(setrlimit(number, &limit) == 0 ? 0 : errno)
    }

    private static func check(_ code: CInt) throws {
        guard code == 0 else { throw POSIXError(POSIXErrorCode(rawValue: code) ?? .EINVAL) }
    }
}

/// Code that is nested too deeply to be read: whatever walks it calls itself for each level.
struct SourceDepthError: Error {
    /// How many levels there may be.
    let limit: Int

    /// How deeply code may be nested: each member that is asked of another one is a level, as are brackets and blocks.
    static let maximum = 10_000
    /// How many brackets, blocks and types the parser follows one within the other, some of which are several levels for it.
    static let parserMaximum = 1_000
}

extension SourceFileSyntax {
    /// Looks how deeply the code is nested, without a call for each level.
    ///
    /// - Throws: ``SourceDepthError`` where that is more than ``SourceDepthError/maximum``.
    func checkDepth() throws(SourceDepthError) {
        var waiting = [(Syntax(self), depth: 0)]
        while let (node, depth) = waiting.popLast() {
            guard depth <= SourceDepthError.maximum else { throw SourceDepthError(limit: SourceDepthError.maximum) }
            for child in node.children(viewMode: .sourceAccurate) where !child.is(TokenSyntax.self) {
                waiting.append((child, depth + 1))
            }
        }
    }
}
