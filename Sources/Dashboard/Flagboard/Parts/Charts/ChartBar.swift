import Foundation

/// The bar of one stretch of time in a chart, which leads to what happened then.
struct ChartBar: Hashable, PagePart {
    let href: String
    /// The stretch in words: `2026-11-21`.
    let stretch: String
    /// How many changes, in words.
    let changes: String
    /// How many of them are edits from outside, in words; `nil` for none.
    let outside: String?
    /// Where its room begins and how wide that is, in hundredths of the drawing's width.
    let roomX: String
    let roomWidth: String
    let barX: String
    let barWidth: String
    /// Where the bar begins and how high it is; edits from outside are drawn over its upper part.
    let barY: String
    let barHeight: String
    let outsideHeight: String?
    /// Whether the Tab key stops at it: it does at the newest, and the arrow keys lead on from there.
    let isStop: Bool

    /// How wide a bar is at most: where there are few, wider ones would look like more.
    private static let widest = 0.04
    /// How high a bar is at least, so that it is seen, and at most.
    private static let (lowest, highest) = (0.06, 0.96)

    /// Draws the bars of the stretches that have changes.
    static func bars(of tally: ChangeTally, href: (Int) -> String) -> [ChartBar] {
        let (bins, greatest, busy) = (tally.bins, max(tally.greatest, 1), tally.busy)
        let scale = ChartScale(start: bins.start, end: bins.end)
        return busy.map { place in
            let count = tally.counts[place]
            let (from, to) = (scale.share(of: bins.borders[place]), scale.share(of: bins.borders[place + 1]))
            let width = min((to - from) * 0.8, widest)
            let height = max(lowest, highest * Double(count.all) / Double(greatest))
            return ChartBar(
                href: href(place), stretch: bins.label(of: place), changes: ShownCount.words(count.all),
                outside: count.outside > 0 ? outsideWords(count.outside) : nil, roomX: ChartScale.percent(from),
                roomWidth: ChartScale.percent(to - from), barX: ChartScale.percent((from + to - width) / 2),
                barWidth: ChartScale.percent(width), barY: ChartScale.percent(1 - height),
                barHeight: ChartScale.percent(height),
                outsideHeight: count.outside > 0
                    ? ChartScale.percent(height * Double(count.outside) / Double(count.all)) : nil,
                isStop: place == busy.last)
        }
    }

    /// How many edits from outside there are, in words.
    static func outsideWords(_ count: Int) -> String { "\(ShownCount.text(count)) from outside" }
}

/// A line in a chart where a month or a year begins.
struct ChartTick: Hashable, PagePart {
    let tickX: String
    let tickLabel: String

    /// How many there are at most: more of them would leave no room for their labels.
    private static let most = 12

    /// Where months begin in a chart, or years where there are too many months.
    static func ticks(of bins: TimeBins) -> [ChartTick] {
        let calendar = TimeBins.calendar(bins.zone)
        let scale = ChartScale(start: bins.start, end: bins.end)
        for (component, length) in [(Calendar.Component.month, 7), (.year, 4)] {
            var ticks: [ChartTick] = []
            var next = calendar.dateInterval(of: component, for: bins.start)?.end
            while let time = next, time < bins.end, ticks.count <= most {
                let label = String(TimeBins.day(time, in: bins.zone).prefix(length))
                ticks.append(ChartTick(tickX: scale.place(of: time), tickLabel: label))
                next = calendar.dateInterval(of: component, for: time)?.end
            }
            if ticks.count <= most { return ticks }
        }
        return []
    }
}

/// Numbers as the pages write them.
enum ShownCount {
    /// A number with its thousands parted: `1,000`.
    static func text(_ number: Int) -> String {
        number.formatted(.number.locale(Locale(identifier: "en_US")))
    }

    /// So many changes.
    static func words(_ count: Int) -> String { count == 1 ? "1 change" : "\(text(count)) changes" }
}

/// Where times and numbers stand in a chart, in hundredths of its width and height.
struct ChartScale: Hashable, Sendable {
    let start: Date
    let end: Date

    /// Where a time stands, from 0 to 1; what is outside is put on the nearest edge.
    func share(of time: Date) -> Double {
        let length = end.timeIntervalSince(start)
        guard length > 0 else { return time < end ? 0 : 1 }
        return min(max(time.timeIntervalSince(start) / length, 0), 1)
    }

    /// Where a time stands, as an attribute of SVG has it.
    func place(of time: Date) -> String { Self.percent(share(of: time)) }

    /// A share as an attribute of SVG has it: hundredths of a per cent, without what a locale would make of the point.
    static func percent(_ share: Double) -> String {
        let number = Int((share * 10_000).rounded())
        let (whole, rest) = number.quotientAndRemainder(dividingBy: 100)
        return "\(whole).\(rest < 10 ? "0" : "")\(rest)%"
    }
}
