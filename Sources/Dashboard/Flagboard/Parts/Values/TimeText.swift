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

/// Words with how long ago something was among them, which a script keeps true while the page stays open.
struct TimedText: Hashable, PagePart {
    /// What stands before the time.
    let before: String
    /// The time; `nil` where the words tell none.
    let ago: AgoText?
    /// What stands behind it.
    let after: String

    /// Puts words together.
    ///
    /// - Parameters:
    ///   - before: What stands before the time.
    ///   - date: The time; `nil` for none.
    init(_ before: String, _ date: Date? = nil, _ after: String = "", now: Date) {
        self.before = before
        ago = date.map { AgoText($0, now: now) }
        self.after = after
    }

    /// Puts words together, by default without a time.
    init(before: String, ago: AgoText? = nil, after: String = "") {
        (self.before, self.ago, self.after) = (before, ago, after)
    }

    /// The words in parentheses.
    var inParentheses: TimedText { TimedText(before: "(\(before)", ago: ago, after: "\(after))") }

    /// The words as the page shows them at first.
    var plain: String { "\(before)\(ago?.agoText ?? "")\(after)" }
}

/// The time zone in which a page tells times: its viewer's, else the server's.
///
/// What is kept or sent to programs is told in UTC, which it is outside of pages.
///
/// ```swift
/// PageZone.$current.withValue(settings.timeZone) {
///     TimeText(date).text  // "2026-11-21 15:05:09 UTC+1"
/// }
/// ```
enum PageZone {
    /// The zone of the page that is being made.
    @TaskLocal static var current = TimeZone.gmt

    /// How it is called: `UTC`, or `Europe/Berlin`.
    static var name: String { isUTC(current) ? "UTC" : current.identifier }

    /// Whether a zone's clocks show UTC at all times.
    static func isUTC(_ zone: TimeZone) -> Bool {
        zone == .gmt || ["UTC", "Etc/UTC", "Etc/UCT", "Etc/GMT", "Zulu", "GMT+0"].contains(zone.identifier)
    }

    /// A time as the clocks of the zone show it, to the second, as ISO 8601 writes it without a zone.
    ///
    /// - Returns: Such as `2026-11-21T15:05:09`, with how far it is ahead of UTC, such as `UTC+1`; `nil` where the year is
    ///   none of 1 to 9999.
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

/// Reads days and times as people type them: a day alone is that of a time zone.
enum DayReader {
    /// The time zone of a name.
    ///
    /// - Returns: `nil` where there is none of it.
    static func zone(_ name: String) -> TimeZone? { name.utf8.count > 64 ? nil : TimeZone(identifier: name) }

    /// Whether a text is a day without a time, as a date field of a browser takes it.
    static func isDay(_ text: String) -> Bool { text.utf8.count == 10 && FlagDate.parse(text) != nil }

    /// Where a day begins, or a time.
    ///
    /// - Returns: `nil` where the text is neither.
    static func start(of text: String, in zone: TimeZone) -> Date? {
        guard let date = FlagDate.parse(text), isDay(text), !PageZone.isUTC(zone) else { return FlagDate.parse(text) }
        let noon = date.addingTimeInterval(43_200)
        return TimeBins.calendar(zone).startOfDay(
            for: noon.addingTimeInterval(-Double(zone.secondsFromGMT(for: noon))))
    }

    /// The first moment that is too late: a day counts through its end, a time through its second.
    ///
    /// - Returns: `nil` where the text is neither.
    static func end(of text: String, in zone: TimeZone) -> Date? {
        guard let start = start(of: text, in: zone) else { return nil }
        guard isDay(text) else { return start.addingTimeInterval(1) }
        // In the middle of the next day, however long this one is.
        return PageZone.isUTC(zone)
            ? start.addingTimeInterval(86_400)
            : TimeBins.calendar(zone).startOfDay(for: start.addingTimeInterval(36 * 3600))
    }
}
