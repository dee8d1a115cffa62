import FeatureFlags
import FlagChanges
import FlagHistory
import Foundation

/// What each provider held for a flag, and when: a bar for each, over the last 30 days and over all that is known.
struct FlagTimeline: Hashable, Sendable {
    let providers: [ProviderBars]
    /// What the fills stand for.
    let legend: [Key]
    /// That the bars don't go back to the beginning; `nil` where they do.
    let cutNote: String?

    /// The bars of one provider.
    struct ProviderBars: Hashable, Sendable {
        let barProvider: String
        let bars: [Bar]
        /// What the bars show, as a list, the newest first.
        let spans: [SpanRow]
    }

    /// One bar.
    struct Bar: Hashable, Sendable {
        let rangeLabel: String
        /// All of the bar in words.
        let summary: String
        let segments: [Segment]
        let startDay: String
        let endDay: String
    }

    /// A stretch of a bar, in hundredths of it.
    struct Segment: Hashable, Sendable {
        let x: String
        let width: String
        /// How it is filled: `unknown`, `absent`, `on`, `off`, `value-1` to `value-8`, or `other`.
        let fill: String
        let title: String
    }

    /// A fill with what it stands for.
    struct Key: Hashable, Sendable {
        let keyFill: String
        let keyLabel: String
    }

    /// A stretch of time with what was held.
    struct SpanRow: Hashable, Sendable {
        let held: ShownValue
        /// When it began; `nil` for what was there before the first change.
        let since: TimeText?
        /// When that ended which was there before the first change; else `nil`.
        let until: TimeText?
        let duration: String
        let changeHref: String
        let changeNumber: Int64
    }

    /// How many rows the bars are made of at most, how many stretches are listed, and how many values have fills of their own.
    static let rowLimit = 200
    private static let (listed, mostFills) = (50, 8)

    /// Makes the bars; `nil` where the history knows nothing of the flag's values.
    ///
    /// - Parameters:
    ///   - entry: The flag.
    ///   - page: The newest rows of its history.
    ///   - historyBegin: When the first row was written that the history still has, of whatever flag.
    ///   - providers: The names of the providers, in order of precedence.
    ///   - now: The time that it is now.
    init?(_ entry: FlagEntry, _ page: HistoryPage, historyBegin: Date? = nil, providers: [String], now: Date) {
        let rows = page.records.filter {
            [.set, .reset, .external].contains($0.event.kind) && $0.event.provider != nil && $0.event.type != nil
        }
        guard !rows.isEmpty else { return nil }
        let byProvider = Dictionary(grouping: rows) { $0.event.provider ?? "" }
        let names =
            providers.filter { byProvider[$0] != nil } + byProvider.keys.filter { !providers.contains($0) }.sorted()
        // Whatever changed the flag before the oldest of these rows is not looked at.
        let begin = page.hasOlder ? page.records.last?.event.at : historyBegin
        let histories = names.map { ($0, Spans(byProvider[$0] ?? [], knownFrom: begin, now: now)) }
        let fills = Fills(histories.flatMap { $0.1.spans.reversed().map(\.held) }, most: Self.mostFills)
        self.providers = histories.map { name, history in
            ProviderBars(
                barProvider: name,
                bars: [
                    Bar("Last 30 days", name, history, from: now.addingTimeInterval(-30 * 86_400), to: now, fills),
                    Bar(
                        page.hasOlder ? "These changes" : "All time", name, history, from: history.beginning, to: now,
                        fills),
                ],
                spans: history.spans.reversed().prefix(Self.listed).compactMap(SpanRow.init))
        }
        let shown = Set(self.providers.flatMap(\.bars).flatMap(\.segments).map(\.fill))
        legend = fills.keys.filter { shown.contains($0.keyFill) }
        cutNote = page.hasOlder ? "Made of the newest \(page.records.count) changes of this flag." : nil
    }
}

extension FlagTimeline.Bar {
    fileprivate init(
        _ label: String, _ provider: String, _ history: FlagTimeline.Spans, from start: Date, to end: Date,
        _ fills: FlagTimeline.Fills
    ) {
        rangeLabel = label
        let length = max(end.timeIntervalSince(start), 0.001)
        var segments: [FlagTimeline.Segment] = []
        var (shares, order): ([FlagTimeline.Held: Double], [FlagTimeline.Held]) = ([:], [])
        for span in history.spans {
            let (from, to) = (max(span.start, start), min(span.end, end))
            guard from < to else { continue }
            let share = to.timeIntervalSince(from) / length
            if shares[span.held] == nil { order.append(span.held) }
            shares[span.held, default: 0] += share
            segments.append(
                FlagTimeline.Segment(
                    x: Self.percent(from.timeIntervalSince(start) / length), width: Self.percent(share),
                    fill: fills.name(of: span.held),
                    title: "\(span.held.label) from \(TimeText(from).text) to \(TimeText(to).text)"))
        }
        self.segments = segments
        let told = order.sorted { shares[$0, default: 0] > shares[$1, default: 0] }.prefix(8).map { held in
            "\(held.label) \(Self.words(shares[held, default: 0]))"
        }
        summary = "\(provider), \(label.lowercased()): \(told.joined(separator: ", "))"
        // Of a bar that is shorter than two days, the days alone would tell little.
        let isShort = end.timeIntervalSince(start) < 2 * 86_400
        startDay = isShort ? TimeText(start).text : HistoryDay.date(start)
        endDay = isShort ? TimeText(end).text : HistoryDay.date(end)
    }

    private static func percent(_ share: Double) -> String {
        // Hundredths of a per cent, without what a locale would make of the point.
        let number = Int((share * 10_000).rounded())
        let rest = number % 100
        return "\(number / 100).\(rest < 10 ? "0" : "")\(rest)%"
    }

    private static func words(_ share: Double) -> String {
        let percent = Int((share * 100).rounded())
        return switch percent {
        case 100 where share < 1: "for almost all of the time"
        case 100: "all of the time"
        case 0: "for less than 1 % of the time"
        default: "for \(percent) % of the time"
        }
    }
}

extension FlagTimeline.SpanRow {
    fileprivate init?(_ span: FlagTimeline.Span) {
        guard span.held != .unknown, let record = span.record else { return nil }
        held = ShownValue(span.held.value, limit: 60)
        since = span.isBeforeRecord ? nil : TimeText(span.start)
        until = span.isBeforeRecord ? TimeText(span.end) : nil
        duration = Self.words(span.end.timeIntervalSince(span.start))
        changeHref = PageLink.change(record.id)
        changeNumber = record.id
    }

    private static func words(_ seconds: TimeInterval) -> String {
        func words(_ number: Double, _ unit: String) -> String {
            "for \(Int(number)) \(unit)\(Int(number) == 1 ? "" : "s")"
        }
        return switch max(seconds, 0) {
        case ..<60: words(seconds, "second")
        case ..<3600: words(seconds / 60, "minute")
        case ..<86_400: words(seconds / 3600, "hour")
        default: words(seconds / 86_400, "day")
        }
    }
}

extension FlagTimeline: PagePart {
    static let fields: PageFields<Self> = [
        "providers": .of(\.providers), "legend": .of(\.legend), "cutNote": .of(\.cutNote),
    ]
}

extension FlagTimeline.ProviderBars: PagePart {
    static let fields: PageFields<Self> = [
        "barProvider": .of(\.barProvider), "bars": .of(\.bars), "spans": .of(\.spans),
    ]
}

extension FlagTimeline.Key: PagePart {
    static let fields: PageFields<Self> = ["keyFill": .of(\.keyFill), "keyLabel": .of(\.keyLabel)]
}

extension FlagTimeline.Bar: PagePart {
    static let fields: PageFields<Self> = [
        "rangeLabel": .of(\.rangeLabel), "summary": .of(\.summary), "segments": .of(\.segments),
        "startDay": .of(\.startDay), "endDay": .of(\.endDay),
    ]
}

extension FlagTimeline.SpanRow: PagePart {
    static let fields: PageFields<Self> = [
        "held": .of(\.held), "since": .of(\.since), "until": .of(\.until), "duration": .of(\.duration),
        "changeHref": .of(\.changeHref), "changeNumber": .of(\.changeNumber),
    ]
}

extension FlagTimeline.Segment: PagePart {
    static let fields: PageFields<Self> = [
        "x": .of(\.x), "width": .of(\.width), "fill": .of(\.fill), "title": .of(\.title),
    ]
}
