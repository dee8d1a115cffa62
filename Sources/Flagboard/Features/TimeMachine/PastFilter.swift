import FeatureFlags
import FlagChanges
import Foundation

/// Which moment of the past to look at, and which of its flags to list.
struct PastFilter: Hashable, Sendable {
    /// Which flags to list.
    enum Extent: String, CaseIterable, Hashable, Sendable {
        case all, different, same

        /// The extent in words.
        var label: String {
            switch self {
            case .all: "All"
            case .different: "Different now"
            case .same: "Same now"
            }
        }

        func contains(_ flag: PastFlag) -> Bool {
            switch self {
            case .all: flag.then != nil || flag.isDifferent
            case .different: flag.isDifferent
            case .same: flag.then != nil && !flag.isDifferent
            }
        }
    }

    /// The moment; `nil` where none was asked for, or it is none.
    let instant: HistoryInstant?
    /// The day and the time of day in UTC, as they were typed.
    let day: String
    let clock: String
    var text: String
    var extent: Extent
    /// Which page of the list, from 1.
    var page: Int
    /// What is not valid, in sentences.
    let problems: [String]

    /// Reads `time` (`2026-11-20T12:00:00Z`), or `day` and `clock`, or `before` (the number of a change); and `show`, `q`
    /// and `page`.
    ///
    /// A time without fractions of a second counts through that second, as it does in the history's own filter.
    ///
    /// - Parameters:
    ///   - query: The fields of a request.
    ///   - now: The time.
    init(query: [String: String], now: Date) {
        func typed(_ name: String) -> String? {
            query[name].map { $0.trimmingCharacters(in: .whitespacesAndNewlines) }.flatMap { $0.isEmpty ? nil : $0 }
        }
        var problems: [String] = []
        text = query["q"] ?? ""
        extent = typed("show").flatMap(Extent.init(rawValue:)) ?? .all
        page = max(1, typed("page").flatMap { Int($0) } ?? 1)
        let written = typed("time") ?? typed("day").map { Self.joined($0, typed("clock")) }
        if let number = typed("before") {
            instant = Int64(number).map { .before(row: $0) }
            if instant == nil { problems.append("\"\(number)\" is not the number of a change.") }
            (day, clock) = ("", "")
        } else if let written {
            let date = FlagDate.parse(written)
            let isFuture = date.map { $0 > now.addingTimeInterval(1) } ?? false
            instant = isFuture ? nil : date.map { .time(Self.throughSecond($0)) }
            if isFuture {
                problems.append("\(Self.shown(written)) is still to come: nobody knows the flags of then.")
            } else if date == nil {
                problems.append(
                    "\"\(Self.shown(written))\" is not a time; write the date as 2026-01-31 and the time as 12:00:00, in "
                        + "UTC.")
            }
            (day, clock) = date.map { Self.parts(of: $0) } ?? (typed("day") ?? "", typed("clock") ?? "")
        } else {
            instant = nil
            (day, clock) = ("", "")
            if typed("clock") != nil { problems.append("A time needs its date: give both.") }
        }
        self.problems = problems
    }

    /// The page of this moment with this filter.
    var href: String { PageLink.timeMachine + PageLink.query(moment + criteria) }

    /// What names the moment in an address or a form.
    var moment: [(String, String?)] {
        switch instant {
        case .time(let date): [("time", Self.text(date))]
        case .before(let row): [("before", String(row))]
        case nil: []
        }
    }

    private var criteria: [(String, String?)] {
        [
            ("show", extent == .all ? nil : extent.rawValue), ("q", text),
            ("page", page > 1 ? String(page) : nil),
        ]
    }

    /// This filter with another extent or page.
    func showing(_ extent: Extent? = nil, page: Int = 1) -> PastFilter {
        var filter = self
        filter.extent = extent ?? self.extent
        filter.page = page
        return filter
    }

    /// The page of a time.
    static func href(_ date: Date) -> String { PageLink.timeMachine + PageLink.query([("time", text(date))]) }

    static func == (left: PastFilter, right: PastFilter) -> Bool {
        left.href == right.href && left.problems == right.problems
    }

    func hash(into hasher: inout Hasher) { hasher.combine(href) }

    private static func joined(_ day: String, _ clock: String?) -> String {
        let clock = clock ?? "00:00"
        return "\(day)T\(clock.utf8.count == 5 ? "\(clock):00" : clock)Z"
    }

    private static func shown(_ written: String) -> String {
        written.count > 40 ? written.prefix(40) + "…" : written
    }

    /// How much of a second counts with it: all that the history can tell.
    private static let second = 0.999_999

    private static func throughSecond(_ date: Date) -> Date {
        date.timeIntervalSinceReferenceDate == date.timeIntervalSinceReferenceDate.rounded(.down)
            ? date.addingTimeInterval(second) : date
    }

    /// A time as the address has it: one that counts through its second is written as that second.
    private static func text(_ date: Date) -> String {
        let start = Date(timeIntervalSinceReferenceDate: date.timeIntervalSinceReferenceDate.rounded(.down))
        return FlagDate.text(throughSecond(start) == date ? start : date)
    }

    private static func parts(of date: Date) -> (day: String, clock: String) {
        let text = FlagDate.wholeSecondText(date) ?? ""
        return (String(text.prefix(10)), String(text.dropFirst(11).prefix(8)))
    }
}
