import FeatureFlags
import FlagChanges
import FlagHistory
import Foundation
import Mustache

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
        /// How it is filled: `absent`, `on`, `off`, `value-1` to `value-8`, or `other`.
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
        let since: TimeText
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
    ///   - providers: The names of the providers, in order of precedence.
    ///   - now: The time that it is now.
    init?(_ entry: FlagEntry, _ page: HistoryPage, providers: [String], now: Date) {
        let rows = page.records.filter {
            [.set, .reset, .external].contains($0.event.kind) && $0.event.provider != nil && $0.event.type != nil
        }
        guard !rows.isEmpty else { return nil }
        let byProvider = Dictionary(grouping: rows) { $0.event.provider ?? "" }
        let names =
            providers.filter { byProvider[$0] != nil } + byProvider.keys.filter { !providers.contains($0) }.sorted()
        let histories = names.map { ($0, Spans(byProvider[$0] ?? [], now: now)) }
        let fills = Fills(histories.flatMap { $0.1.spans.reversed().map(\.value) }, most: Self.mostFills)
        self.providers = histories.map { name, history in
            ProviderBars(
                barProvider: name,
                bars: [
                    Bar("Last 30 days", name, history, from: now.addingTimeInterval(-30 * 86_400), to: now, fills),
                    Bar("All time", name, history, from: history.beginning, to: now, fills),
                ],
                spans: history.spans.reversed().prefix(Self.listed).compactMap(SpanRow.init))
        }
        legend = fills.keys
        cutNote = page.hasOlder ? "Made of the newest \(page.records.count) changes of this flag." : nil
    }
}

extension FlagTimeline {
    /// A value, or that there was none, from one time to another.
    fileprivate struct Span {
        let value: FlagValue?
        let start: Date
        let end: Date
        /// The row that began it; `nil` for what was there before.
        let record: HistoryRecord?
    }

    /// What a provider held, one stretch after the other.
    fileprivate struct Spans {
        let spans: [Span]
        /// Where the bar of all time begins: a little before the first change, so that what was there before is seen.
        let beginning: Date

        /// - Parameters:
        ///   - rows: The rows of one provider, newest first.
        ///   - now: The time that it is now.
        init(_ rows: [HistoryRecord], now: Date) {
            let oldestFirst = Array(rows.reversed())
            let first = oldestFirst[0].event
            beginning = first.at.addingTimeInterval(-max(3600, now.timeIntervalSince(first.at) * 0.05))
            var spans = [Span(value: first.before, start: .distantPast, end: first.at, record: nil)]
            for (place, row) in oldestFirst.enumerated() {
                let end = place + 1 < oldestFirst.count ? oldestFirst[place + 1].event.at : max(now, row.event.at)
                spans.append(Span(value: row.event.after, start: row.event.at, end: end, record: row))
            }
            self.spans = spans
        }
    }

    /// Which fill stands for which value.
    fileprivate struct Fills {
        let keys: [Key]
        private var names: [FlagValue?: String] = [:]

        /// - Parameters:
        ///   - values: What was held, the newest first.
        ///   - most: How many values have a fill of their own, apart from the Booleans.
        init(_ values: [FlagValue?], most: Int) {
            var keys: [Key] = []
            var (count, hasOther) = (0, false)
            for value in values where names[value] == nil {
                switch value {
                case nil: names[value] = "absent"
                case .bool(true)?: names[value] = "on"
                case .bool(false)?: names[value] = "off"
                default:
                    guard count < most else {
                        hasOther = true
                        names[value] = "other"
                        continue
                    }
                    count += 1
                    names[value] = "value-\(count)"
                }
                keys.append(Key(keyFill: names[value] ?? "other", keyLabel: FlagTimeline.label(value)))
            }
            self.keys = keys + (hasOther ? [Key(keyFill: "other", keyLabel: "other values")] : [])
        }

        func name(of value: FlagValue?) -> String { (names[value] ?? nil) ?? "other" }
    }

    fileprivate static func label(_ value: FlagValue?) -> String {
        switch value {
        case nil: "no value"
        case .bool(true)?: "on (true)"
        case .bool(false)?: "off (false)"
        default: ShownValue(value, limit: 40).plain
        }
    }
}

extension FlagTimeline.Bar {
    fileprivate init(
        _ label: String, _ provider: String, _ history: FlagTimeline.Spans, from start: Date, to end: Date,
        _ fills: FlagTimeline.Fills
    ) {
        rangeLabel = label
        let length = max(end.timeIntervalSince(start), 1)
        var segments: [FlagTimeline.Segment] = []
        var (shares, order): ([FlagValue?: Double], [FlagValue?]) = ([:], [])
        for span in history.spans {
            let (from, to) = (max(span.start, start), min(span.end, end))
            guard from < to else { continue }
            let share = to.timeIntervalSince(from) / length
            if shares[span.value] == nil { order.append(span.value) }
            shares[span.value, default: 0] += share
            segments.append(
                FlagTimeline.Segment(
                    x: Self.percent(from.timeIntervalSince(start) / length), width: Self.percent(share),
                    fill: fills.name(of: span.value),
                    title: "\(FlagTimeline.label(span.value)) from \(TimeText(from).text) to \(TimeText(to).text)"))
        }
        self.segments = segments
        let told = order.sorted { shares[$0, default: 0] > shares[$1, default: 0] }.prefix(8).map { value in
            "\(FlagTimeline.label(value)) \(Self.words(shares[value, default: 0]))"
        }
        summary = "\(provider), \(label.lowercased()): \(told.joined(separator: ", "))"
        startDay = HistoryDay.date(start)
        endDay = HistoryDay.date(end)
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
        guard let record = span.record else { return nil }
        held = ShownValue(span.value, limit: 60)
        since = TimeText(span.start)
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

extension FlagTimeline.Segment: MustacheParent {
    /// The property of this name; written out, since a bar has many and reflection is slow.
    func child(named name: String) -> Any? {
        switch name {
        case "x": x
        case "width": width
        case "fill": fill
        case "title": title
        default: nil
        }
    }
}

extension FlagTimeline.SpanRow: MustacheParent {
    /// The property of this name; written out, since a bar has many and reflection is slow.
    func child(named name: String) -> Any? {
        switch name {
        case "held": held
        case "since": since
        case "duration": duration
        case "changeHref": changeHref
        case "changeNumber": changeNumber
        default: nil
        }
    }
}
