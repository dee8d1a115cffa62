import FeatureFlags
import FlagChanges
import Foundation

struct PastFilter: Hashable, Sendable {
    enum Extent: String, CaseIterable, Hashable, Sendable {
        case different, same, all

        var label: String {
            switch self {
            case .all: "All"
            case .different: "Changed"
            case .same: "Unchanged"
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

    /// `nil` if not requested or invalid.
    private(set) var instant: HistoryInstant?
    /// `true` for a moment picked by the slider: the page redirects to the resulting time.
    let isPicked: Bool
    /// The day and the time of day as typed, in the page's time zone.
    let day: String
    let clock: String
    var text: String
    var extent: Extent
    /// The page of the list, from 1.
    var page: Int
    /// Problems with the moment, in sentences.
    let problems: [String]
    /// Problems with other parameters, in sentences.
    private(set) var leftOut: [String] = []

    /// Reads the moment, `show`, `q` and `page`.
    ///
    /// The moment is `time` (`2026-11-20T12:00:00Z`), `day` and `clock` in `zone`, `before` (a change's ID), or the
    /// slider's number of `days` after the day `start` in `zone`. A time without a fraction includes its whole second,
    /// as in the filter of the history.
    init(query: [String: String], now: Date) {
        func typed(_ name: String) -> String? {
            query[name].map { $0.trimmingCharacters(in: .whitespacesAndNewlines) }.flatMap { $0.isEmpty ? nil : $0 }
        }
        var problems: [String] = []
        text = query["q"] ?? ""
        extent = typed("show").flatMap(Extent.init(rawValue:)) ?? .different
        if let name = typed("show"), extent.rawValue != name {
            leftOut.append("Unknown filter “\(name)”. Choose one of the links.")
        }
        page = max(1, typed("page").flatMap { Int($0) } ?? 1)
        let zone = typed("zone") ?? "UTC"
        isPicked = typed("days") != nil
        let picked = typed("day").map { PickedTime(Self.joined($0, typed("clock")), in: zone) }
        let written = typed("time") ?? picked.map { $0.text ?? $0.local }
        let slid = Self.slid(typed("start"), typed("days"), zone, now: now)
        if let number = typed("before") {
            instant = Int64(number).map { .before(row: $0) }
            if instant == nil { problems.append("“\(number)” is not a change number.") }
            (day, clock) = ("", "")
        } else if let written {
            let date = FlagDate.parse(written)
            let isFuture = date.map { $0 > now.addingTimeInterval(1) } ?? false
            instant = isFuture ? nil : date.map { .time(Self.throughSecond($0)) }
            if isFuture {
                problems.append("\(Self.shown(written)) is in the future. Choose a time in the past.")
            } else if date == nil {
                problems.append(Self.problem(written, typed("time") == nil ? picked : nil, zone))
            }
            (day, clock) = date.map { Self.parts(of: $0) } ?? (typed("day") ?? "", typed("clock") ?? "")
        } else if isPicked {
            instant = slid.map { .time(Self.throughSecond($0)) }
            (day, clock) = slid.map { Self.parts(of: $0) } ?? ("", "")
            if slid == nil {
                problems.append(
                    "The slider’s position is invalid. Move it again.")
            }
        } else {
            instant = nil
            (day, clock) = ("", "")
            if typed("clock") != nil { problems.append("Enter a date too.") }
        }
        self.problems = problems
    }

    private static let names: Set = [
        "time", "day", "clock", "zone", "before", "start", "days", "show", "q", "page",
    ]

    mutating func tellUnknown(in query: [String: String]) {
        leftOut += UnknownCriteria.problems(in: query, known: Self.names)
    }

    var href: String { PageLink.timeMachine + PageLink.query(moment + criteria) }

    /// The parameters of the moment, for an address or a form.
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

    func showing(_ extent: Extent? = nil, page: Int = 1) -> PastFilter {
        var filter = self
        filter.extent = extent ?? self.extent
        filter.page = page
        return filter
    }

    func at(_ instant: HistoryInstant) -> PastFilter {
        var filter = self
        (filter.instant, filter.page) = (instant, 1)
        return filter
    }

    static func == (left: PastFilter, right: PastFilter) -> Bool {
        left.href == right.href && left.problems == right.problems && left.leftOut == right.leftOut
    }

    func hash(into hasher: inout Hasher) { hasher.combine(href) }

    private static func joined(_ day: String, _ clock: String?) -> String {
        let clock = clock ?? "00:00"
        return "\(day)T\(clock.utf8.count == 5 ? "\(clock):00" : clock)"
    }

    /// In days.
    private static let mostDays = 1000

    /// Returns the slider's time, at most now, or `nil` for invalid values.
    private static func slid(_ start: String?, _ days: String?, _ zone: String, now: Date) -> Date? {
        guard let start, let zone = DayReader.zone(zone), DayReader.isDay(start),
            let days = days.flatMap({ Int($0) }), 0...mostDays ~= days,
            let first = DayReader.start(of: start, in: zone),
            let time = TimeBins.calendar(zone).date(byAdding: .day, value: days, to: first)
        else { return nil }
        return min(time, Date(timeIntervalSinceReferenceDate: now.timeIntervalSinceReferenceDate.rounded(.down)))
    }

    private static func problem(_ written: String, _ picked: PickedTime?, _ zone: String) -> String {
        // A valid day and time may not exist in the zone, and the zone may be unknown.
        if let picked, FlagDate.parse("\(picked.local)Z") != nil { return picked.problem }
        let place = DayReader.zone(zone) == nil ? "" : ", in \(zone)"
        return "“\(shown(written))” is not a time. Enter a date like 2026-01-31 and a time like 12:00:00\(place)."
    }

    private static func shown(_ written: String) -> String {
        written.count > 40 ? written.prefix(40) + "…" : written
    }

    /// The rest of a second, at the history's precision of microseconds.
    private static let second = 0.999_999

    private static func throughSecond(_ date: Date) -> Date {
        date.timeIntervalSinceReferenceDate == date.timeIntervalSinceReferenceDate.rounded(.down)
            ? date.addingTimeInterval(second) : date
    }

    /// A time that includes its whole second has no fraction.
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
    /// Every word must match.
    ///
    /// A word may occur in the flag as it is now, or was then if it is gone, or in the values it held then.
    func flags(having text: String, in view: CatalogueView) -> [PastFlag] {
        let words = FlagSearchIndex.Words(text)
        let known = flags.compactMap { flag in (flag.now ?? flag.then).map { (flag, $0) } }
        guard !words.isEmpty else { return known.map(\.0) }
        let index = FlagSearchIndex(known.map(\.1), view.catalogue.collections)
        let matches = index.matches(words, texts: known.map { ($0.then ?? $1).heldText })
        return zip(known, matches).filter(\.1).map(\.0.0)
    }
}
