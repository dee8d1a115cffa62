import FlagHistory
import Foundation

/// Consecutive intervals of a chart: days, or longer units if there are too many days.
struct TimeBins: Hashable, Sendable {
    enum Unit: CaseIterable, Hashable, Sendable {
        case day, week, month, year

        /// The word after "changes a".
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

        /// A lower bound in seconds, apart from a change of clocks.
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
    /// Oldest first; the last interval ends with its last day.
    let borders: [Date]

    var count: Int { borders.count - 1 }
    var start: Date { borders[0] }
    var end: Date { borders[count] }

    /// Divides a period by the shortest unit with few enough intervals.
    ///
    /// - Parameters:
    ///   - first: Of too many years, the newest are kept.
    ///   - least: More intervals are put in front if there are fewer.
    init(from first: Date, through last: Date, most: Int, least: Int = 1, in zone: TimeZone) {
        let calendar = Self.calendar(zone)
        let last = max(first, last)
        let span = last.timeIntervalSince(first)
        // The first and last are partial, so there may be two more than fit.
        let unit = Unit.allCases.first { span / $0.shortest + 2 <= Double(most) } ?? .year
        // Ends with the current day: the future is no quiet time.
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

    func place(of time: Date) -> Int? {
        guard start <= time, time < end else { return nil }
        var (low, high) = (0, count)
        while high - low > 1 {
            let middle = (low + high) / 2
            if borders[middle] <= time { low = middle } else { high = middle }
        }
        return low
    }

    func days(of place: Int) -> (first: String, last: String) {
        (Self.day(borders[place], in: zone), Self.day(borders[place + 1].addingTimeInterval(-1), in: zone))
    }

    /// For example `2026-11-21`, `the week of 2026-11-16`, `2026-11` or `2026`.
    func label(of place: Int) -> String {
        let first = days(of: place).first
        return switch unit {
        case .day: first
        case .week: "the week of \(first)"
        case .month: String(first.prefix(7))
        case .year: String(first.prefix(4))
        }
    }

    /// For example `2026-11-21`.
    static func day(_ time: Date, in zone: TimeZone) -> String {
        time.formatted(Date.ISO8601FormatStyle(timeZone: zone).year().month().day())
    }

    /// A single day is not worth a chart.
    static func areOfSeveralDays(_ times: some Collection<Date>, in zone: TimeZone) -> Bool {
        guard let first = times.min(), let last = times.max() else { return false }
        return day(first, in: zone) != day(last, in: zone)
    }

    /// Weeks begin on Monday.
    static func calendar(_ zone: TimeZone) -> Calendar {
        var calendar = Calendar(identifier: .iso8601)
        calendar.timeZone = zone
        return calendar
    }
}

struct ChangeTally: Hashable, Sendable {
    struct Count: Hashable, Sendable {
        var all = 0
        var outside = 0
    }

    let bins: TimeBins
    /// Oldest first.
    let counts: [Count]

    /// Ignores changes outside the intervals.
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

    /// Oldest first.
    var busy: [Int] { counts.indices.filter { counts[$0].all > 0 } }

    var greatest: Int { counts.map(\.all).max() ?? 0 }

    var total: Count {
        counts.reduce(into: Count()) { total, count in
            total.all += count.all
            total.outside += count.outside
        }
    }
}
