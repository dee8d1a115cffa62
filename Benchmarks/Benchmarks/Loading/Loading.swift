import FeatureFlagsXML
import Foundation

/// Reads a property list several times, as Flagboard does and as Foundation does, in turns, and prints as JSON what each time
/// took of the processors, in milliseconds, and how many bytes of memory the first document took.
@main
struct Loading {
    private struct Costs: Encodable {
        let memory: Int
        var document: [Double] = []
        var foundation: [Double] = []
    }

    static func main() throws {
        let arguments = CommandLine.arguments
        guard arguments.count == 3, let rounds = Int(arguments[2]) else {
            print("usage: Loading FILE ROUNDS")
            exit(2)
        }
        let source = try Data(contentsOf: URL(filePath: arguments[1]))
        let empty = try residentSize()
        let first = try PropertyListDocument(source: source)
        var costs = Costs(memory: try residentSize() - empty)
        withExtendedLifetime(first) {}
        for _ in 0..<rounds {
            costs.document.append(try milliseconds { _ = try PropertyListDocument(source: source) })
            costs.foundation.append(
                try milliseconds { _ = try PropertyListSerialization.propertyList(from: source, format: nil) })
        }
        print(String(decoding: try JSONEncoder().encode(costs), as: UTF8.self))
    }

    private static func milliseconds(_ work: () throws -> Void) rethrows -> Double {
        let start = processorTime()
        try work()
        return Double(processorTime() - start) / 1_000_000
    }

    /// What this process holds in memory, in bytes.
    private static func residentSize() throws -> Int {
        let pages = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8).split(separator: " ")
        guard pages.count > 1, let resident = Int(pages[1]) else { throw CocoaError(.fileReadCorruptFile) }
        return resident * Int(getpagesize())
    }

    /// What this process has used of the processors so far, in nanoseconds.
    private static func processorTime() -> UInt64 {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    }
}
