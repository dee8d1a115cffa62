import Foundation

/// Dates as text: ISO 8601 in UTC, as RealFlags stores them and property lists write them.
public enum FlagDate {
    /// Reads `2026-01-31T12:00:00Z`, with or without fractional seconds or another zone (`+02:00`), or a day alone
    /// (`2026-01-31`, its start in UTC).
    ///
    /// Days that the calendar does not have are refused.
    ///
    /// - Parameter text: The text.
    /// - Returns: The date, or `nil` where the text is none.
    public static func parse(_ text: String) -> Date? {
        guard let parts = text.wholeMatch(of: shape)?.output, isRealDay(year: parts.1, month: parts.2, day: parts.3)
        else { return nil }
        for style in styles(hasTime: parts.4 != nil) {
            if case .success(let date) = Result(catching: { try style.parse(text) }) { return date }
        }
        return nil
    }

    /// The date as `2026-01-31T12:00:00Z`; fractions of a second show only where there are some.
    ///
    /// - Parameter date: The date.
    /// - Returns: The text.
    public static func text(_ date: Date) -> String {
        let isWhole = date.timeIntervalSince1970.rounded(.down) == date.timeIntervalSince1970
        return date.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: !isWhole))
    }

    /// Foundation's parser ignores what follows a date, so the whole text is matched first.
    private static var shape: Regex<(Substring, Substring, Substring, Substring, Substring?)> {
        /(\d{4})-(\d\d)-(\d\d)(T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d))?/
    }

    private static func styles(hasTime: Bool) -> [Date.ISO8601FormatStyle] {
        hasTime
            ? [Date.ISO8601FormatStyle(), Date.ISO8601FormatStyle(includingFractionalSeconds: true)]
            : [Date.ISO8601FormatStyle().year().month().day()]
    }

    /// Foundation rolls 30 February over into March.
    private static func isRealDay(year: Substring, month: Substring, day: Substring) -> Bool {
        DateComponents(
            calendar: Calendar(identifier: .gregorian), timeZone: .gmt, year: Int(year), month: Int(month),
            day: Int(day)
        ).isValidDate
    }
}

/// Numbers as text.
public enum FlagNumber {
    /// A whole number without a fraction (`5`), any other with as many digits as it takes (`0.1`).
    ///
    /// - Parameter number: The number.
    /// - Returns: The text.
    public static func text(_ number: Double) -> String {
        Int128(exactly: number).map(String.init) ?? "\(number)"
    }
}
