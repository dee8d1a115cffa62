import FlagHistory
import Foundation

/// How many changes there are over time, as bars that lead to the changes of their days.
struct DayChart: Hashable, PagePart {
    /// What it shows: `Changes a day`.
    let caption: String
    /// All of it in words.
    let summary: String
    let bars: [ChartBar]
    let ticks: [ChartTick]
    /// Where it begins and ends.
    let firstDay: String
    let lastDay: String
    /// The number that the highest bar stands for.
    let highest: String
    /// What the stretches are called, as the head of a column.
    let stretches: String
    /// Whether there are edits from outside in it.
    let hasOutside: Bool
    /// That it is not all of it; `nil` where it is.
    let cutNote: String?

    /// How many bars there are at most, each wide enough to be hit, and how many have room at least.
    static let (mostBars, leastRoom) = (60, 14)

    /// Draws the changes on an axis of time, from the first one until now, or as far as the filter goes; `nil` where there are
    /// changes on fewer than two days.
    ///
    /// - Parameter filter: What is listed; each bar's link keeps it.
    init?(_ summary: HistorySummary, _ filter: HistoryFilter, now: Date, in zone: TimeZone = PageZone.current) {
        let times = summary.quarters.map(\.start)
        guard let oldest = times.min(), let newest = times.max(), TimeBins.areOfSeveralDays(times, in: zone) else {
            return nil
        }
        let asked = filter.range
        let end = asked.until.map { min($0.addingTimeInterval(-1), max(now, newest)) } ?? max(now, newest)
        // What was not counted is not shown as quiet.
        let start = summary.isComplete ? min(asked.from ?? oldest, oldest) : oldest
        let bins = TimeBins(
            from: start, through: max(end, newest), most: Self.mostBars,
            least: asked.from == nil && summary.isComplete ? Self.leastRoom : 1, in: zone)
        let tally = ChangeTally(summary, in: bins)
        bars = ChartBar.bars(of: tally) { filter.href(of: bins, at: $0) }
        ticks = ChartTick.ticks(of: bins)
        (firstDay, lastDay) = (bins.days(of: 0).first, bins.days(of: bins.count - 1).last)
        caption = "Changes a \(bins.unit.word)"
        stretches = bins.unit.word.capitalized
        let (total, busy) = (tally.total, tally.busy.count)
        hasOutside = total.outside > 0
        highest = ShownCount.text(tally.greatest)
        let places = "\(busy) of \(bins.count) \(bins.unit.word)s"
        let outside = total.outside > 0 ? ", \(ChartBar.outsideWords(total.outside))" : ""
        self.summary = "\(ShownCount.words(total.all))\(outside), \(bins.unit == .day ? "on" : "in") \(places)"
        cutNote =
            total.all < summary.count
            ? "Only the newest \(ShownCount.words(total.all)) are drawn."
            : summary.isComplete
                ? nil : "Only the newest \(ShownCount.words(summary.count)) are counted: there are older ones."
    }
}

extension ShownCount {
    /// How many changes there are, as far as they were counted.
    static func changes(_ page: HistoryPage) -> String {
        let number = words(page.total)
        guard !page.isTotalExact else { return number }
        return page.total >= HistoryPage.countLimit ? "More than \(number)" : "At least \(number)"
    }
}
