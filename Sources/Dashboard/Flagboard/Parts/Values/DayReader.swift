import FeatureFlags
import Foundation

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
