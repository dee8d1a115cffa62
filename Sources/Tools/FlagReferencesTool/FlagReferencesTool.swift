import FlagReferences
import Foundation
import SwiftSyntax

/// `flagboard-references`: no source file that it reads can end `flagboard`.
@main
struct FlagReferencesTool {
    /// In bytes, stack included.
    private static let memory = 2 << 30
    /// In bytes, for code as nested as the parser allows.
    private static let stack = 512 << 20
    /// The guard bytes below the stack, more than any one call takes.
    private static let guardBytes = 4 << 20

    /// Answers each file on standard input, until that ends.
    static func main() throws {
        guard CommandLine.arguments.dropFirst().elementsEqual(SourceProgram.protocolArguments) else {
            let usage =
                "This program parses Swift code for flagboard references and serve --source. Run these "
                + "instead.\n"
            try FileHandle.standardError.write(contentsOf: Data(usage.utf8))
            exit(SourceProgram.unknownProtocol)
        }
        // The server of the pages has priority.
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

    private final class OnStack {
        private let body: () throws -> Void
        private(set) var result: Result<Void, any Error>?

        init(_ body: @escaping () throws -> Void) { self.body = body }

        func run() {
            // A thread inherits blocked signals, and the kernel ends the process by one.
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
            let answer = SourceReader.answer(for: String(decoding: text, as: UTF8.self))
            let message = try JSONEncoder().encode(answer)
            try output.write(contentsOf: SourceFrame(count: message.count).data + message)
        }
    }

    #if canImport(Darwin)
        private typealias Resource = CInt
    #else
        private typealias Resource = __rlimit_resource
    #endif

    /// The kernel ends a process that exceeds a limit.
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

/// Limits of nested code, since walks over it recurse.
enum SourceDepth {
    /// Each member access, bracket and block is one.
    static let maximum = 10_000
    /// The most nested brackets, blocks and types; the parser counts some as several levels.
    static let parserMaximum = 1_000
}

extension SourceFileSyntax {
    /// Checks the nesting of the code without recursion.
    var isTooDeep: Bool {
        var waiting = [(Syntax(self), depth: 0)]
        while let (node, depth) = waiting.popLast() {
            guard depth <= SourceDepth.maximum else { return true }
            for child in node.children(viewMode: .sourceAccurate) where !child.is(TokenSyntax.self) {
                waiting.append((child, depth + 1))
            }
        }
        return false
    }
}
