import FeatureFlags
import Foundation

/// A time as people read it and as machines do; both in UTC.
struct TimeText: Hashable, Sendable {
    /// As people read it: `2026-11-21 14:05:09 UTC`.
    let text: String
    /// As machines do: `2026-11-21T14:05:09Z`.
    let machine: String

    /// A time to the second.
    init(_ date: Date) {
        machine = FlagDate.wholeSecondText(date) ?? FlagDate.text(date)
        text = Self.readable(machine)
    }

    /// A time to its last digit, as a value is told: `2026-11-21 14:05:09.25 UTC`.
    static func exact(_ date: Date) -> String { readable(FlagDate.text(date)) }

    /// What ``FlagDate`` writes, as people read it.
    private static func readable(_ text: String) -> String {
        guard text.utf8.last == UInt8(ascii: "Z") else { return text }
        let bytes = text.utf8.dropLast().lazy.map { $0 == UInt8(ascii: "T") ? UInt8(ascii: " ") : $0 }
        return String(decoding: Array(bytes) + Array(" UTC".utf8), as: UTF8.self)
    }

    /// How long ago a time was, in words; a time more than a month away is given itself.
    ///
    /// - Parameters:
    ///   - date: The time.
    ///   - now: The time that it is now.
    /// - Returns: Such as `2 minutes ago`.
    static func ago(_ date: Date, now: Date) -> String {
        func words(_ number: Int, _ unit: String) -> String { "\(number) \(unit)\(number == 1 ? "" : "s") ago" }
        let seconds = now.timeIntervalSince(date)
        switch seconds {
        case ..<(-5): return "at \(TimeText(date).text)"
        case ..<10: return "just now"
        case ..<60: return words(Int(seconds), "second")
        case ..<3600: return words(Int(seconds / 60), "minute")
        case ..<86_400: return words(Int(seconds / 3600), "hour")
        case ..<2_678_400: return words(Int(seconds / 86_400), "day")
        default: return "at \(TimeText(date).text)"
        }
    }
}

extension TimeText: PagePart {
    static let fields: PageFields<Self> = ["text": .of(\.text), "machine": .of(\.machine)]
}
