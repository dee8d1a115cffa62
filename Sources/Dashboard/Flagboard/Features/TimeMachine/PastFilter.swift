import FeatureFlags
import FlagChanges
import Foundation

/// Which moment of the past to look at, and which of its flags to list.
struct PastFilter: Hashable, Sendable {
    /// Which flags to list.
    enum Extent: String, CaseIterable, Hashable, Sendable {
        case different, all, same

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
    private(set) var instant: HistoryInstant?
    /// Whether the moment was picked by the slider, whose fields are left behind for the time that they come to.
    let isPicked: Bool
    /// The day and the time of day in the time zone of the page, as they were typed.
    let day: String
    let clock: String
    var text: String
    var extent: Extent
    /// Which page of the list, from 1.
    var page: Int
    /// What is not valid of the moment, in sentences.
    let problems: [String]
    /// What else was asked for that there is not, in sentences.
    private(set) var leftOut: [String] = []

    /// Reads `time` (`2026-11-20T12:00:00Z`), or `day` and `clock` in `zone`, or `before` (the number of a change), or what the
    /// slider sends: so many `days` after the day `start` in `zone`; and `show`, `q` and `page`.
    ///
    /// A time without fractions of a second counts through that second, as it does in the history's own filter.
    init(query: [String: String], now: Date) {
        func typed(_ name: String) -> String? {
            query[name].map { $0.trimmingCharacters(in: .whitespacesAndNewlines) }.flatMap { $0.isEmpty ? nil : $0 }
        }
        var problems: [String] = []
        text = query["q"] ?? ""
        extent = typed("show").flatMap(Extent.init(rawValue:)) ?? .different
        if let name = typed("show"), extent.rawValue != name {
            leftOut.append("There is nothing called \"\(name)\" to show: choose a link.")
        }
        page = max(1, typed("page").flatMap { Int($0) } ?? 1)
        let zone = typed("zone") ?? "UTC"
        isPicked = typed("days") != nil
        let picked = typed("day").map { PickedTime(Self.joined($0, typed("clock")), in: zone) }
        let written = typed("time") ?? picked.map { $0.text ?? $0.local }
        let slid = Self.slid(typed("start"), typed("days"), zone, now: now)
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
                problems.append(Self.problem(written, typed("time") == nil ? picked : nil, zone))
            }
            (day, clock) = date.map { Self.parts(of: $0) } ?? (typed("day") ?? "", typed("clock") ?? "")
        } else if isPicked {
            instant = slid.map { .time(Self.throughSecond($0)) }
            (day, clock) = slid.map { Self.parts(of: $0) } ?? ("", "")
            if slid == nil {
                problems.append(
                    "The slider sends a day to count from, and a number of days: pick a moment by it again.")
            }
        } else {
            instant = nil
            (day, clock) = ("", "")
            if typed("clock") != nil { problems.append("A time needs its date: give both.") }
        }
        self.problems = problems
    }

    /// The items that the page is asked with.
    private static let names: Set = [
        "time", "day", "clock", "zone", "before", "start", "days", "show", "q", "page",
    ]

    /// Says of what else a query asks for that the page is not narrowed by it.
    mutating func tellUnknown(in query: [String: String]) {
        leftOut += UnknownCriteria.problems(in: query, known: Self.names)
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
            ("show", extent == .different ? nil : extent.rawValue), ("q", text),
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

    /// This filter at another moment.
    func at(_ instant: HistoryInstant) -> PastFilter {
        var filter = self
        (filter.instant, filter.page) = (instant, 1)
        return filter
    }

    /// The page of a time.
    static func href(_ date: Date) -> String { PageLink.timeMachine + PageLink.query([("time", text(date))]) }

    static func == (left: PastFilter, right: PastFilter) -> Bool {
        left.href == right.href && left.problems == right.problems && left.leftOut == right.leftOut
    }

    func hash(into hasher: inout Hasher) { hasher.combine(href) }

    private static func joined(_ day: String, _ clock: String?) -> String {
        let clock = clock ?? "00:00"
        return "\(day)T\(clock.utf8.count == 5 ? "\(clock):00" : clock)"
    }

    /// How many days the slider may lead from where it begins.
    private static let mostDays = 1000

    /// The time that the slider stands at: where a day begins, or now where that is later; `nil` where it sends no such thing.
    private static func slid(_ start: String?, _ days: String?, _ zone: String, now: Date) -> Date? {
        guard let start, let zone = DayReader.zone(zone), DayReader.isDay(start),
            let days = days.flatMap({ Int($0) }), 0...mostDays ~= days,
            let first = DayReader.start(of: start, in: zone),
            let time = TimeBins.calendar(zone).date(byAdding: .day, value: days, to: first)
        else { return nil }
        return min(time, Date(timeIntervalSinceReferenceDate: now.timeIntervalSinceReferenceDate.rounded(.down)))
    }

    /// Why what was typed is no time, in a sentence.
    private static func problem(_ written: String, _ picked: PickedTime?, _ zone: String) -> String {
        // A day and time that there is may be none in a zone, and the zone may be none.
        if let picked, FlagDate.parse("\(picked.local)Z") != nil { return picked.problem }
        let place = DayReader.zone(zone) == nil ? "" : ", in \(zone)"
        return "\"\(shown(written))\" is not a time; write the date as 2026-01-31 and the time as 12:00:00\(place)."
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
        let text = PageZone.local(date)?.clock ?? ""
        return (String(text.prefix(10)), String(text.dropFirst(11)))
    }
}

extension PastState {
    /// The flags that have every word of a text in what they are searched by now (or then, where they are gone), or in the
    /// text that they held then.
    func flags(having text: String, in view: CatalogueView) -> [PastFlag] {
        let words = FlagSearchIndex.Words(text)
        let known = flags.compactMap { flag in (flag.now ?? flag.then).map { (flag, $0) } }
        guard !words.isEmpty else { return known.map(\.0) }
        let index = FlagSearchIndex(known.map(\.1), view.catalogue.collections)
        let matches = index.matches(words, texts: known.map { ($0.then ?? $1).heldText })
        return zip(known, matches).filter(\.1).map(\.0.0)
    }
}
