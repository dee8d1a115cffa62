import FlagChanges
import FlagHistory
import Foundation

/// The last 90 days as a strip of bars to pick a moment from, with a slider beneath it.
struct MomentStrip: Hashable, PagePart {
    /// All of it in words.
    let summary: String
    let bars: [ChartBar]
    let ticks: [ChartTick]
    let firstDay: String
    /// How many days the slider leads over, at which it stands, and what it says there.
    let dayCount: String
    let dayNumber: String
    let dayText: String
    /// Where the moment stands in the strip.
    let markX: String
    /// How much of the strip is from before the history began; `nil` where it goes back further.
    let unknownWidth: String?
    /// The time zone whose days are meant, for the slider's form; `nil` for UTC.
    let stripZone: String?
    /// Whether there are edits from outside in it.
    let hasOutside: Bool
    /// That not all changes are drawn; `nil` where they are.
    let cutNote: String?

    /// How many days it shows, today among them.
    static let days = 90

    /// Where the strip begins.
    static func bins(now: Date, in zone: TimeZone) -> TimeBins {
        let first = now.addingTimeInterval(-Double(days - 1) * 86_400)
        return TimeBins(from: first, through: now, most: days + 3, least: days, in: zone)
    }

    /// Draws the strip; `nil` where there are changes on fewer than two days of it.
    ///
    /// - Parameters:
    ///   - filter: What was asked for; each bar's link keeps it.
    ///   - time: The moment; `nil` where none is shown.
    init?(_ past: MomentSurroundings, _ filter: PastFilter, at time: Date?, in bins: TimeBins) {
        let tally = ChangeTally(past.summary, in: bins)
        let (total, busy) = (tally.total, tally.busy.count)
        guard busy > 1 else { return nil }
        let scale = ChartScale(start: bins.start, end: bins.end)
        bars = ChartBar.bars(of: tally) { filter.at(.time(bins.borders[$0])).href }
        ticks = ChartTick.ticks(of: bins)
        firstDay = bins.days(of: 0).first
        let outside = total.outside > 0 ? ", \(ChartBar.outsideWords(total.outside))" : ""
        summary = "\(ShownCount.words(total.all))\(outside), on \(busy) of \(bins.count) days"
        // The border at the end of the last day is later than now, for which it stands.
        let place = time.map { time in bins.place(of: time) ?? (time < bins.start ? 0 : bins.count) } ?? bins.count
        let number = time == nil ? bins.count : place
        dayCount = String(bins.count)
        dayNumber = String(number)
        dayText = number == bins.count ? "now" : TimeBins.day(bins.borders[number], in: bins.zone)
        markX = time.map { scale.place(of: $0) } ?? "100.00%"
        let begin = past.begin.map { scale.share(of: $0) } ?? 0
        unknownWidth = begin > 0 ? ChartScale.percent(begin) : nil
        stripZone = PageZone.isUTC(bins.zone) ? nil : bins.zone.identifier
        hasOutside = total.outside > 0
        cutNote =
            past.summary.isComplete
            ? nil : "Only the newest \(ShownCount.words(past.summary.count)) are drawn: there are older ones."
    }
}

/// What the history tells of the time around a moment.
struct MomentSurroundings: Sendable {
    /// The changes of the last days.
    let summary: HistorySummary
    /// When the first row was written that the history still has.
    let begin: Date?
    /// The changes around the moment.
    let neighbours: NeighbouringChanges
    /// Whether the moment was asked for; else it is the one before the last change.
    let isAskedFor: Bool
}
