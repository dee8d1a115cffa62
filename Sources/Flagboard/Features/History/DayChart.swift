import FlagHistory
import Foundation

/// How many changes there are each day, as bars that lead to the day.
struct DayChart: Hashable, Sendable {
    /// What it shows, in a sentence.
    let caption: String
    /// The drawing's width in its own units; its height is ``height``.
    let width: Int
    let bars: [Bar]
    /// The day of the first bar, where that stands at the left edge.
    let firstDay: String?
    /// The day of the last bar, or the days of all where they don't reach the left edge.
    let lastDay: String
    /// The number that the highest bar stands for, in words.
    let highest: String

    /// The bar of one day.
    struct Bar: Hashable, Sendable {
        let href: String
        let day: String
        /// How many changes, in words.
        let changes: String
        /// Where its day begins.
        let left: Int
        /// Where the bar begins, after a gap.
        let barLeft: Int
        let barTop: Int
        let barHeight: Int
    }

    /// How many days are shown, and how many have room at least.
    private static let (mostDays, leastRoom) = (60, 14)
    static let (slot, height) = (10, 60)

    /// Draws the newest days that have changes; `nil` where there are none.
    ///
    /// - Parameters:
    ///   - summary: The changes by day.
    ///   - filter: What is listed; each day's link keeps it.
    init?(_ summary: HistorySummary, _ filter: HistoryFilter) {
        let days = summary.days.prefix(Self.mostDays).reversed()
        guard let first = days.first, let last = days.last, let greatest = days.map(\.count).max() else { return nil }
        let room = max(days.count, Self.leastRoom)
        width = room * Self.slot
        bars = days.enumerated().map { place, day in
            let date = HistoryDay.date(day.start)
            let height = max(2, day.count * (Self.height - 4) / greatest)
            let left = (room - days.count + place) * Self.slot
            return Bar(
                href: filter.href(replacing: ["from": date, "to": date]), day: date, changes: Self.words(day.count),
                left: left, barLeft: left + 1, barTop: Self.height - height, barHeight: height)
        }
        let (from, to) = (HistoryDay.date(first.start), HistoryDay.date(last.start))
        firstDay = days.count == room ? from : nil
        lastDay = days.count == room || days.count == 1 ? to : "\(from) to \(to)"
        highest = Self.words(greatest)
        let isCut = !summary.isComplete || summary.days.count > Self.mostDays
        let newest = summary.isComplete ? "" : " of the newest \(ShownCount.text(summary.count)) changes"
        caption = "Changes per day\(newest)" + (isCut ? ", as far back as they are counted" : "")
    }

    private static func words(_ count: Int) -> String {
        count == 1 ? "1 change" : "\(ShownCount.text(count)) changes"
    }
}

/// Numbers as the pages write them.
enum ShownCount {
    /// A number with its thousands parted: `1,000`.
    static func text(_ number: Int) -> String {
        number.formatted(.number.locale(Locale(identifier: "en_US")))
    }

    /// How many changes there are, as far as they were counted.
    static func changes(_ page: HistoryPage) -> String {
        let number = page.total == 1 ? "1 change" : "\(text(page.total)) changes"
        guard !page.isTotalExact else { return number }
        return page.total >= HistoryPage.countLimit ? "More than \(number)" : "At least \(number)"
    }
}

extension DayChart: PagePart {
    static let fields: PageFields<Self> = [
        "caption": .of(\.caption), "width": .of(\.width), "bars": .of(\.bars), "firstDay": .of(\.firstDay),
        "lastDay": .of(\.lastDay), "highest": .of(\.highest),
    ]
}

extension DayChart.Bar: PagePart {
    static let fields: PageFields<Self> = [
        "href": .of(\.href), "day": .of(\.day), "changes": .of(\.changes), "left": .of(\.left),
        "barLeft": .of(\.barLeft), "barTop": .of(\.barTop), "barHeight": .of(\.barHeight),
    ]
}
