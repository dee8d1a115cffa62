import Foundation

/// Times as stored: whole microseconds since 1970 in UTC.
enum HistoryTime {
    static let quarter: Int64 = 900_000_000

    /// Returns the nearest microsecond.
    ///
    /// Stable: `microseconds(date(microseconds(d))) == microseconds(d)`. The second pass is for times at which a `Date`
    /// is coarser than a microsecond (some 270 years from 2001 on). Truncating would change some dates at every other
    /// reading.
    static func microseconds(_ date: Date) -> Int64 {
        nearest(self.date(nearest(date)))
    }

    static func date(_ microseconds: Int64) -> Date {
        let (offset, isTooEarly) = microseconds.subtractingReportingOverflow(reference)
        return Date(timeIntervalSinceReferenceDate: Double(isTooEarly ? .min : offset) / 1_000_000)
    }

    /// 2001-01-01, the reference date of `Date`.
    private static let reference: Int64 = 978_307_200_000_000

    private static func nearest(_ date: Date) -> Int64 {
        let microseconds = (date.timeIntervalSinceReferenceDate * 1_000_000).rounded()
        guard !microseconds.isNaN else { return 0 }
        return Int64(min(max(microseconds, -9e18), 9e18)) + reference
    }
}

extension HistoryRecord {
    /// The time of the change in microseconds, the history's precision: `2026-11-21T14:05:09.000123Z`.
    package var exactTime: String {
        let microseconds = (event.at.timeIntervalSinceReferenceDate * 1_000_000).rounded()
        let seconds = (microseconds / 1_000_000).rounded(.down)
        let fraction = String(Int64(microseconds - seconds * 1_000_000))
        let whole = Date(timeIntervalSinceReferenceDate: seconds)
            .formatted(Date.ISO8601FormatStyle(timeZone: .gmt)).dropLast()
        return "\(whole).\(String(repeating: "0", count: 6 - fraction.utf8.count))\(fraction)Z"
    }
}
