import Foundation

struct ChartBar: Hashable, PagePart {
    let href: String
    let stretch: String
    let changes: String
    let outside: String?
    /// Clickable, in per cent of the drawing.
    let roomX: String
    let roomWidth: String
    let barX: String
    let barWidth: String
    /// The bar; edits from outside are drawn over its upper part.
    let barY: String
    let barHeight: String
    let outsideHeight: String?
    /// Only the newest bar is a tab stop; arrow keys lead on from there.
    let isStop: Bool

    /// Limit of a bar's width: with few bars, wider ones would look like more.
    private static let widest = 0.04
    private static let (lowest, highest) = (0.06, 0.96)

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

    static func outsideWords(_ count: Int) -> String { "\(ShownCount.text(count)) external" }
}

struct ChartTick: Hashable, PagePart {
    let tickX: String
    let tickLabel: String
    /// The label is left of the line, since the chart ends right of it.
    let isLate: Bool

    private static let most = 12
    private static let late = 0.93

    /// Starts of months, or of years if there are too many months.
    static func ticks(of bins: TimeBins) -> [ChartTick] {
        let calendar = TimeBins.calendar(bins.zone)
        let scale = ChartScale(start: bins.start, end: bins.end)
        for (component, length) in [(Calendar.Component.month, 7), (.year, 4)] {
            var ticks: [ChartTick] = []
            var next = calendar.dateInterval(of: component, for: bins.start)?.end
            while let time = next, time < bins.end, ticks.count <= most {
                let label = String(TimeBins.day(time, in: bins.zone).prefix(length))
                ticks.append(
                    ChartTick(
                        tickX: scale.place(of: time), tickLabel: label, isLate: scale.share(of: time) > late))
                next = calendar.dateInterval(of: component, for: time)?.end
            }
            if ticks.count <= most { return ticks }
        }
        return []
    }
}

enum ShownCount {
    static func text(_ number: Int) -> String {
        number.formatted(.number.locale(Locale(identifier: "en_US")))
    }

    static func words(_ count: Int) -> String { count == 1 ? "1 change" : "\(text(count)) changes" }
}

/// The scale of a chart, in per cent of its width and height.
struct ChartScale: Hashable, Sendable {
    let start: Date
    let end: Date

    /// Returns a time's position from 0 to 1, clamped to the edges.
    func share(of time: Date) -> Double {
        let length = end.timeIntervalSince(start)
        guard length > 0 else { return time < end ? 0 : 1 }
        return min(max(time.timeIntervalSince(start) / length, 0), 1)
    }

    func place(of time: Date) -> String { Self.percent(share(of: time)) }

    /// An SVG attribute with two decimals, independent of the locale.
    static func percent(_ share: Double) -> String {
        let number = Int((share * 10_000).rounded())
        let (whole, rest) = number.quotientAndRemainder(dividingBy: 100)
        return "\(whole).\(rest < 10 ? "0" : "")\(rest)%"
    }
}
