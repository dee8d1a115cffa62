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
