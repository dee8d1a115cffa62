import FeatureFlags
import Foundation

/// A time for people, in the page's zone, and for machines.
struct TimeText: Hashable, PagePart {
    /// For example `2026-11-21 15:05:09 UTC+1`.
    let text: String
    /// For a tooltip: `2026-11-21 14:05:09 UTC`.
    let utc: String
    /// For example `2026-11-21T14:05:09Z`.
    let machine: String

    init(_ date: Date) {
        machine = Self.machine(date)
        utc = Self.readable(machine)
        text =
            PageZone.isUTC(PageZone.current)
            ? utc : PageZone.local(date).map { Self.spaced($0.clock) + " " + $0.zone } ?? utc
    }

    static func machine(_ date: Date) -> String { FlagDate.wholeSecondText(date) ?? FlagDate.text(date) }

    /// Returns a time in full precision, the same for every viewer: `2026-11-21 14:05:09.25 UTC`.
    static func exact(_ date: Date) -> String { readable(FlagDate.text(date)) }

    private static func readable(_ text: String) -> String {
        guard text.utf8.last == UInt8(ascii: "Z") else { return text }
        return spaced(String(text.dropLast())) + " UTC"
    }

    private static func spaced(_ clock: String) -> String {
        String(decoding: clock.utf8.map { $0 == UInt8(ascii: "T") ? UInt8(ascii: " ") : $0 }, as: UTF8.self)
    }

    /// The time itself after a month.
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

struct AgoText: Hashable, PagePart {
    /// For example `2 minutes ago`.
    let agoText: String
    let agoTime: TimeText

    init(_ date: Date, now: Date) {
        agoText = TimeText.ago(date, now: now)
        agoTime = TimeText(date)
    }
}

extension TimeText {
    /// Returns only the day if the time is its start.
    static func dayText(_ date: Date) -> String {
        let text = FlagDate.text(date)
        return text.hasSuffix("T00:00:00Z") ? String(text.dropLast(10)) : text
    }
}

/// Words around the age of a time, which a script keeps current.
struct TimedText: Hashable, PagePart {
    let before: String
    let ago: AgoText?
    let after: String

    init(_ before: String, _ date: Date? = nil, _ after: String = "", now: Date) {
        self.before = before
        ago = date.map { AgoText($0, now: now) }
        self.after = after
    }

    init(before: String, ago: AgoText? = nil, after: String = "") {
        (self.before, self.ago, self.after) = (before, ago, after)
    }

    var inParentheses: TimedText { TimedText(before: "(\(before)", ago: ago, after: "\(after))") }

    var plain: String { "\(before)\(ago?.agoText ?? "")\(after)" }
}

/// The time zone of a page: the viewer's, else the server's.
///
/// Outside of pages it is UTC, as in everything stored or sent to programs.
///
/// ```swift
/// PageZone.$current.withValue(settings.timeZone) {
///     TimeText(date).text  // "2026-11-21 15:05:09 UTC+1"
/// }
/// ```
enum PageZone {
    @TaskLocal static var current = TimeZone.gmt

    /// For example `UTC` or `Europe/Berlin`.
    static var name: String { isUTC(current) ? "UTC" : current.identifier }

    static func isUTC(_ zone: TimeZone) -> Bool {
        zone == .gmt || ["UTC", "Etc/UTC", "Etc/UCT", "Etc/GMT", "Zulu", "GMT+0"].contains(zone.identifier)
    }

    /// Local time and offset: `2026-11-21T15:05:09` and `UTC+1`.
    ///
    /// `nil` outside the years 1 to 9999.
    static func local(_ date: Date) -> (clock: String, zone: String)? {
        let offset = isUTC(current) ? 0 : current.secondsFromGMT(for: date)
        guard let text = FlagDate.wholeSecondText(date.addingTimeInterval(Double(offset))) else { return nil }
        return (String(text.dropLast()), words(offset))
    }

    private static func words(_ offset: Int) -> String {
        guard offset != 0 else { return "UTC" }
        let (hours, minutes) = (abs(offset) / 3600, abs(offset) / 60 % 60)
        let rest = minutes == 0 ? "" : ":\(minutes < 10 ? "0" : "")\(minutes)"
        return "UTC\(offset < 0 ? "−" : "+")\(hours)\(rest)"
    }
}

/// Parses typed days and times; a day without a time belongs to a time zone.
enum DayReader {
    static func zone(_ name: String) -> TimeZone? { name.utf8.count > 64 ? nil : TimeZone(identifier: name) }

    static func isDay(_ text: String) -> Bool { text.utf8.count == 10 && FlagDate.parse(text) != nil }

    /// The start of a day, or a time; `nil` if malformed.
    static func start(of text: String, in zone: TimeZone) -> Date? {
        guard let date = FlagDate.parse(text), isDay(text), !PageZone.isUTC(zone) else { return FlagDate.parse(text) }
        let noon = date.addingTimeInterval(43_200)
        return TimeBins.calendar(zone).startOfDay(
            for: noon.addingTimeInterval(-Double(zone.secondsFromGMT(for: noon))))
    }

    /// The first moment after a day, or after a time's second; `nil` if malformed.
    static func end(of text: String, in zone: TimeZone) -> Date? {
        guard let start = start(of: text, in: zone) else { return nil }
        guard isDay(text) else { return start.addingTimeInterval(1) }
        // In the middle of the next day, whatever this one's length.
        return PageZone.isUTC(zone)
            ? start.addingTimeInterval(86_400)
            : TimeBins.calendar(zone).startOfDay(for: start.addingTimeInterval(36 * 3600))
    }
}
