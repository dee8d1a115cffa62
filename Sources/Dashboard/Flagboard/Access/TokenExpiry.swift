import Foundation

/// When a token ends, as people write it.
public enum TokenExpiry {
    /// Reads such a text.
    ///
    /// - Parameters:
    ///   - text: A number of days, `30d`, or the last day on which the token is good, `2030-01-31`, in UTC.
    ///   - now: The time that it is.
    /// - Returns: The time from which on the token is void; `nil` where the text is neither, or that time is past.
    public static func time(_ text: String, at now: Date) -> Date? {
        let time = days(text).map { now.addingTimeInterval(Double($0) * day) } ?? endOfDay(text)
        return time.flatMap { $0 > now ? $0 : nil }
    }

    /// How to write it, for a person who wrote something else.
    public static let advice =
        "write a number of days, such as 30d, or the last day on which the token is good, such as 2030-01-31, which must "
        + "not be past"

    private static let day: TimeInterval = 86_400

    private static func days(_ text: String) -> Int? {
        guard text.utf8.last == UInt8(ascii: "d"), text.utf8.count <= 6 else { return nil }
        let digits = text.dropLast()
        guard digits.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else { return nil }
        return Int(digits)
    }

    private static func endOfDay(_ text: String) -> Date? {
        let style = Date.ISO8601FormatStyle(timeZone: .gmt).year().month().day()
        guard text.utf8.count == 10 else { return nil }
        switch Result(catching: { try style.parse(text) }) {
        // What is no day of the calendar is taken for another one.
        case .success(let start) where start.formatted(style) == text: return start.addingTimeInterval(day)
        default: return nil
        }
    }
}
