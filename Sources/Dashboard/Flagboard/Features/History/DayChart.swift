import FlagHistory
import Foundation

/// The number of changes over time, as bars that link to their days.
struct DayChart: Hashable, PagePart {
    /// For example `Changes per day`.
    let caption: String
    let summary: String
    let bars: [ChartBar]
    let ticks: [ChartTick]
    let firstDay: String
    let lastDay: String
    let highest: String
    let stretches: String
    let hasOutside: Bool
    /// `nil` if complete.
    let cutNote: String?

    /// The most bars, each wide enough to click, and the room for at least so many.
    static let (mostBars, leastRoom) = (60, 14)

    /// `nil` unless there are changes on two days.
    init?(_ summary: HistorySummary, _ filter: HistoryFilter, now: Date, in zone: TimeZone = PageZone.current) {
        let times = summary.quarters.map(\.start)
        guard let oldest = times.min(), let newest = times.max(), TimeBins.areOfSeveralDays(times, in: zone) else {
            return nil
        }
        let asked = filter.range
        let end = asked.until.map { min($0.addingTimeInterval(-1), max(now, newest)) } ?? max(now, newest)
        // Uncounted changes must not look like quiet days.
        let start = summary.isComplete ? min(asked.from ?? oldest, oldest) : oldest
        let bins = TimeBins(
            from: start, through: max(end, newest), most: Self.mostBars,
            least: asked.from == nil && summary.isComplete ? Self.leastRoom : 1, in: zone)
        let tally = ChangeTally(summary, in: bins)
        bars = ChartBar.bars(of: tally) { filter.href(of: bins, at: $0) }
        ticks = ChartTick.ticks(of: bins)
        (firstDay, lastDay) = (bins.days(of: 0).first, bins.days(of: bins.count - 1).last)
        caption = "Changes per \(bins.unit.word)"
        stretches = bins.unit.word.capitalized
        let (total, busy) = (tally.total, tally.busy.count)
        hasOutside = total.outside > 0
        highest = ShownCount.text(tally.greatest)
        let places = busy == 1 ? "1 \(bins.unit.word)" : "\(busy) \(bins.unit.word)s"
        let outside = total.outside > 0 ? " (\(ChartBar.outsideWords(total.outside)))" : ""
        self.summary = "\(ShownCount.words(total.all)) \(bins.unit == .day ? "on" : "in") \(places)\(outside)"
        cutNote =
            total.all < summary.count
            ? "Shows the latest \(ShownCount.words(total.all))."
            : summary.isComplete
                ? nil : "Only the latest \(ShownCount.words(summary.count)) are counted."
    }
}

extension ShownCount {
    static func changes(_ page: HistoryPage, without omitted: Int = 0) -> String {
        let number = words(page.total - omitted)
        guard !page.isTotalExact else { return number }
        return page.total >= HistoryPage.countLimit ? "More than \(number)" : "At least \(number)"
    }
}
