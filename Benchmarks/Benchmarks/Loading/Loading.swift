import FeatureFlagsXML
import Foundation

/// Reads a property list several times, as Flagboard does and as Foundation does, in turns, and prints what each time took of
/// the processors, in milliseconds, as JSON.
@main
struct Loading {
    private struct Times: Encodable {
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
        var times = Times()
        for _ in 0..<rounds {
            times.document.append(try milliseconds { _ = try PropertyListDocument(source: source) })
            times.foundation.append(
                try milliseconds { _ = try PropertyListSerialization.propertyList(from: source, format: nil) })
        }
        print(String(decoding: try JSONEncoder().encode(times), as: UTF8.self))
    }

    private static func milliseconds(_ work: () throws -> Void) rethrows -> Double {
        let start = processorTime()
        try work()
        return Double(processorTime() - start) / 1_000_000
    }

    /// What this process has used of the processors so far, in nanoseconds.
    private static func processorTime() -> UInt64 {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    }
}
