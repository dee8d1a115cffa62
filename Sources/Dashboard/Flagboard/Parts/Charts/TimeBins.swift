import FlagHistory
import Foundation

/// Stretches of time of which a chart has a place for each, without a gap: days, or weeks, months or years where days were too
/// many.
struct TimeBins: Hashable, Sendable {
    /// How long a stretch is.
    enum Unit: CaseIterable, Hashable, Sendable {
        case day, week, month, year

        /// A stretch in words, to follow on "changes a".
        var word: String {
            switch self {
            case .day: "day"
            case .week: "week"
            case .month: "month"
            case .year: "year"
            }
        }

        fileprivate var component: Calendar.Component {
            switch self {
            case .day: .day
            case .week: .weekOfYear
            case .month: .month
            case .year: .year
            }
        }

        /// The seconds that none is shorter than, but for an hour that a clock is set by.
        fileprivate var shortest: TimeInterval {
            switch self {
            case .day: 86_400
            case .week: 7 * 86_400
            case .month: 28 * 86_400
            case .year: 365 * 86_400
            }
        }
    }

    let unit: Unit
    let zone: TimeZone
    /// Where each begins, the oldest first, and where the last one ends: with the day of its last time.
    let borders: [Date]

    /// How many there are.
    var count: Int { borders.count - 1 }
    /// Where the first one begins.
    var start: Date { borders[0] }
    /// Where the last one ends.
    var end: Date { borders[count] }

    /// Parts a stretch of time by the shortest unit of which there are few enough.
    ///
    /// - Parameters:
    ///   - first: A time in the first one; of years, the newest ones are kept where they are too many.
    ///   - most: How many there are at most.
    ///   - least: How many there are at least; more are put in front of the first one where they lack.
    init(from first: Date, through last: Date, most: Int, least: Int = 1, in zone: TimeZone) {
        let calendar = Self.calendar(zone)
        let last = max(first, last)
        let span = last.timeIntervalSince(first)
        // The first and the last one are there in part, so there may be two more than fit.
        let unit = Unit.allCases.first { span / $0.shortest + 2 <= Double(most) } ?? .year
        // What is still to come is no quiet time: the last one ends with the day of its time.
        let end = calendar.dateInterval(of: .day, for: last)?.end ?? last.addingTimeInterval(Unit.day.shortest)
        var borders = [end]
        while borders.count <= most, borders.count <= least || first < borders[borders.count - 1] {
            let border = borders[borders.count - 1]
            guard let before = calendar.dateInterval(of: unit.component, for: border.addingTimeInterval(-1))?.start,
                before < border
            else { break }
            borders.append(before)
        }
        if borders.count == 1 { borders.append(end.addingTimeInterval(-unit.shortest)) }
        self.unit = unit
        self.zone = zone
        self.borders = borders.reversed()
    }

    /// Which one a time is in; `nil` where it is before all of them, or after.
    func place(of time: Date) -> Int? {
        guard start <= time, time < end else { return nil }
        var (low, high) = (0, count)
        while high - low > 1 {
            let middle = (low + high) / 2
            if borders[middle] <= time { low = middle } else { high = middle }
        }
        return low
    }

    /// The first day of one, and the last: `2026-11-16`.
    func days(of place: Int) -> (first: String, last: String) {
        (Self.day(borders[place], in: zone), Self.day(borders[place + 1].addingTimeInterval(-1), in: zone))
    }

    /// One in words: `2026-11-21`, `the week of 2026-11-16`, `2026-11` or `2026`.
    func label(of place: Int) -> String {
        let first = days(of: place).first
        return switch unit {
        case .day: first
        case .week: "the week of \(first)"
        case .month: String(first.prefix(7))
        case .year: String(first.prefix(4))
        }
    }

    /// The day of a time: `2026-11-21`.
    static func day(_ time: Date, in zone: TimeZone) -> String {
        time.formatted(Date.ISO8601FormatStyle(timeZone: zone).year().month().day())
    }

    /// Whether some times are not all of one day: what happened on a single day is not worth a picture.
    static func areOfSeveralDays(_ times: some Collection<Date>, in zone: TimeZone) -> Bool {
        guard let first = times.min(), let last = times.max() else { return false }
        return day(first, in: zone) != day(last, in: zone)
    }

    /// The days of a zone, whose weeks begin on Mondays.
    static func calendar(_ zone: TimeZone) -> Calendar {
        var calendar = Calendar(identifier: .iso8601)
        calendar.timeZone = zone
        return calendar
    }
}

/// How many changes there were in each stretch of a chart.
struct ChangeTally: Hashable, Sendable {
    /// The changes of one stretch.
    struct Count: Hashable, Sendable {
        /// How many there are.
        var all = 0
        /// How many of them are edits from outside.
        var outside = 0
    }

    let bins: TimeBins
    /// The changes of each stretch, the oldest first.
    let counts: [Count]

    /// Counts the changes of a summary.
    ///
    /// - Parameter bins: The stretches; what is outside of them is not counted.
    init(_ summary: HistorySummary, in bins: TimeBins) {
        var counts = [Count](repeating: Count(), count: bins.count)
        for quarter in summary.quarters {
            guard let place = bins.place(of: quarter.start) else { continue }
            counts[place].all += quarter.count
            counts[place].outside += quarter.outside
        }
        self.bins = bins
        self.counts = counts
    }

    /// The stretches that have changes, the oldest first.
    var busy: [Int] { counts.indices.filter { counts[$0].all > 0 } }

    /// The most changes of one stretch.
    var greatest: Int { counts.map(\.all).max() ?? 0 }

    /// All of them.
    var total: Count {
        counts.reduce(into: Count()) { total, count in
            total.all += count.all
            total.outside += count.outside
        }
    }
}
