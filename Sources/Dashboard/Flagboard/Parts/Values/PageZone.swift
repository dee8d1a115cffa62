import FeatureFlags
import Foundation

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
