import Foundation

/// Times as the history keeps them: whole microseconds since 1970 in UTC.
enum HistoryTime {
    /// A quarter of an hour in microseconds.
    static let quarter: Int64 = 900_000_000

    /// The nearest microsecond.
    ///
    /// A `Date` is a binary fraction of seconds, so cutting digits off would turn the date of 1 microsecond into 0 at
    /// every other reading. The nearest one is stable: `microseconds(date(microseconds(d))) == microseconds(d)`, which
    /// the second pass makes so even where a `Date` is coarser than a microsecond (some 270 years from 2001 on).
    static func microseconds(_ date: Date) -> Int64 {
        nearest(self.date(nearest(date)))
    }

    /// The date of a number of microseconds.
    static func date(_ microseconds: Int64) -> Date {
        Date(timeIntervalSinceReferenceDate: Double(microseconds - reference) / 1_000_000)
    }

    /// 2001-01-01, where `Date` counts from.
    private static let reference: Int64 = 978_307_200_000_000

    private static func nearest(_ date: Date) -> Int64 {
        let microseconds = (date.timeIntervalSinceReferenceDate * 1_000_000).rounded()
        guard !microseconds.isNaN else { return 0 }
        return Int64(min(max(microseconds, -9e18), 9e18)) + reference
    }
}
