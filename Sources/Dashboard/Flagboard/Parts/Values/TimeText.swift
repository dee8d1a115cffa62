import FeatureFlags
import Foundation

/// A time as people read it, in the zone of their page, and as machines do.
struct TimeText: Hashable, PagePart {
    /// As people read it: `2026-11-21 15:05:09 UTC+1`.
    let text: String
    /// The same in UTC, for who points at it: `2026-11-21 14:05:09 UTC`.
    let utc: String
    /// As machines do: `2026-11-21T14:05:09Z`.
    let machine: String

    /// A time to the second.
    init(_ date: Date) {
        machine = FlagDate.wholeSecondText(date) ?? FlagDate.text(date)
        utc = Self.readable(machine)
        text =
            PageZone.isUTC(PageZone.current)
            ? utc : PageZone.local(date).map { Self.spaced($0.clock) + " " + $0.zone } ?? utc
    }

    /// A time to its last digit, as a value is told, which is the same for each viewer: `2026-11-21 14:05:09.25 UTC`.
    static func exact(_ date: Date) -> String { readable(FlagDate.text(date)) }

    /// What ``FlagDate`` writes, as people read it.
    private static func readable(_ text: String) -> String {
        guard text.utf8.last == UInt8(ascii: "Z") else { return text }
        return spaced(String(text.dropLast())) + " UTC"
    }

    private static func spaced(_ clock: String) -> String {
        String(decoding: clock.utf8.map { $0 == UInt8(ascii: "T") ? UInt8(ascii: " ") : $0 }, as: UTF8.self)
    }

    /// How long ago a time was, in words; a time more than a month away is given itself.
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

/// How long ago a time was, which a script keeps true while the page stays open.
struct AgoText: Hashable, PagePart {
    /// Such as `2 minutes ago`.
    let agoText: String
    let agoTime: TimeText

    /// Tells how long ago a time was.
    init(_ date: Date, now: Date) {
        agoText = TimeText.ago(date, now: now)
        agoTime = TimeText(date)
    }

    /// Tells how long ago a time of the last day was; `nil` for any other time.
    init?(recent date: Date, now: Date) {
        guard abs(now.timeIntervalSince(date)) < 86_400 else { return nil }
        self.init(date, now: now)
    }
}

extension TimeText {
    /// A day alone where the time is its start.
    static func dayText(_ date: Date) -> String {
        let text = FlagDate.text(date)
        return text.hasSuffix("T00:00:00Z") ? String(text.dropLast(10)) : text
    }
}
