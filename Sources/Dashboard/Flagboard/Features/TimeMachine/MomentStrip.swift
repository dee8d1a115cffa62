import FlagChanges
import FlagHistory
import Foundation

/// The last 90 days, to pick a moment from.
struct MomentStrip: Hashable, PagePart {
    let summary: String
    let bars: [ChartBar]
    let ticks: [ChartTick]
    let firstDay: String
    /// The slider's range in days, its position and the position's label.
    let dayCount: String
    let dayNumber: String
    let dayText: String
    /// The position of the label, as an attribute and as one of three sides for the style sheet.
    let labelX: String
    let labelSide: String
    let markX: String
    /// The share of the strip before the history began; `nil` if the history reaches further back.
    let unknownWidth: String?
    /// For the slider's form; `nil` for UTC.
    let stripZone: String?
    let hasOutside: Bool
    /// A note that older changes aren't drawn.
    let cutNote: String?

    static let days = 90

    static func bins(now: Date, in zone: TimeZone) -> TimeBins {
        let first = now.addingTimeInterval(-Double(days - 1) * 86_400)
        return TimeBins(from: first, through: now, most: days + 3, least: days, in: zone)
    }

    /// `nil` with changes on fewer than two days.
    ///
    /// - Parameters:
    ///   - filter: Kept by each bar's link.
    ///   - time: The moment; `nil` when none is shown.
    init?(_ past: MomentSurroundings, _ filter: PastFilter, at time: Date?, in bins: TimeBins) {
        let tally = ChangeTally(past.summary, in: bins)
        let (total, busy) = (tally.total, tally.busy.count)
        guard busy > 1 else { return nil }
        let scale = ChartScale(start: bins.start, end: bins.end)
        bars = ChartBar.bars(of: tally) { filter.at(.time(bins.borders[$0])).href }
        ticks = ChartTick.ticks(of: bins)
        firstDay = bins.days(of: 0).first
        let outside = total.outside > 0 ? " (\(ChartBar.outsideWords(total.outside)))" : ""
        summary = "\(ShownCount.words(total.all)) on \(busy) days\(outside)"
        // The end of today is in the future, and means now.
        let place = time.map { time in bins.place(of: time) ?? (time < bins.start ? 0 : bins.count) } ?? bins.count
        let number = time == nil ? bins.count : place
        dayCount = String(bins.count)
        dayNumber = String(number)
        dayText = number == bins.count ? "now" : TimeBins.day(bins.borders[number], in: bins.zone)
        let share = Double(number) / Double(bins.count)
        labelX = ChartScale.percent(share)
        labelSide = share < 0.15 ? "start" : share > 0.9 ? "end" : "middle"
        markX = time.map { scale.place(of: $0) } ?? "100.00%"
        let begin = past.begin.map { scale.share(of: $0) } ?? 0
        unknownWidth = begin > 0 ? ChartScale.percent(begin) : nil
        stripZone = PageZone.isUTC(bins.zone) ? nil : bins.zone.identifier
        hasOutside = total.outside > 0
        cutNote =
            past.summary.isComplete
            ? nil : "Only the latest \(ShownCount.words(past.summary.count)) are shown."
    }
}

struct MomentSurroundings: Sendable {
    let summary: HistorySummary
    /// The oldest row still in the history.
    let begin: Date?
    let neighbours: NeighbouringChanges
    /// `false` for the default, the moment before the last change.
    let isAskedFor: Bool
}
