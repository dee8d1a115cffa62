import Foundation

/// A time as people read it and as machines do; both in UTC.
struct TimeText: Hashable, Sendable {
    /// As people read it: `2026-11-21 14:05:09 UTC`.
    let text: String
    /// As machines do: `2026-11-21T14:05:09Z`.
    let machine: String

    init(_ date: Date) {
        let style = Date.ISO8601FormatStyle(timeZone: .gmt).year().month().day()
        machine = date.formatted(Date.ISO8601FormatStyle(timeZone: .gmt))
        text = date.formatted(style.dateTimeSeparator(.space).time(includingFractionalSeconds: false)) + " UTC"
    }
}
