import Foundation

/// How long a receiver asks to be left alone (RFC 9110, section 10.2.3).
enum RetryAfter {
    /// Reads the header.
    ///
    /// - Returns: How long, nothing for a time that is over; `nil` where the text is neither.
    static func duration(_ text: String, at now: Date) -> Duration? {
        let text = text.trimmingCharacters(in: .whitespaces)
        if let seconds = UInt32(text) { return .seconds(Int64(seconds)) }
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = .gmt
        formatter.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
        return formatter.date(from: text).map { .seconds(max(0, $0.timeIntervalSince(now))) }
    }
}
