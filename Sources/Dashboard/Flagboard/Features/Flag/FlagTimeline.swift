import FeatureFlags
import FlagChanges
import FlagHistory
import Foundation

/// A flag's values over time: a line for numbers, otherwise bars.
struct FlagTimeline: Hashable, PagePart {
    let providers: [ProviderBars]
    let legend: [Key]
    /// A note on missing or unproven changes.
    let cutNote: String?

    struct ProviderBars: Hashable, PagePart {
        let barProvider: String
        /// `nil` unless every value is a number.
        let line: NumberLine?
        let bars: [Bar]
        /// Newest first.
        let spans: [SpanRow]
        /// `nil` if the list is complete.
        let spansNote: String?
    }

    struct Bar: Hashable, PagePart {
        let rangeLabel: String
        let summary: String
        let segments: [Segment]
        let startDay: String
        let endDay: String
    }

    /// One value, or several that are too short to draw apart.
    ///
    /// The unit is a hundredth of the bar.
    struct Segment: Hashable, PagePart {
        let x: String
        let width: String
        /// `unknown`, `absent`, `on`, `off`, `value-1` to `value-8`, `other`, or `several`.
        let fill: String
        let title: String
    }

    struct Key: Hashable, PagePart {
        let keyFill: String
        let keyLabel: String
    }

    struct SpanRow: Hashable, PagePart {
        let held: ShownValue
        /// `nil` before the first change.
        let since: TimeText?
        /// The end of the value before the first change.
        let until: TimeText?
        let duration: String
        let changeHref: String
        let changeNumber: Int64
    }

    /// The most changes read, stretches listed, and values with their own fill.
    static let rowLimit = 200
    private static let (listed, mostFills) = (50, 8)

    /// `nil` unless the flag's values changed on at least two days.
    init?(_ history: ValueSteps, historyBegin: Date? = nil, providers: [String], now: Date) {
        guard TimeBins.areOfSeveralDays(history.steps.map(\.at), in: PageZone.current) else { return nil }
        let byProvider = Dictionary(grouping: history.steps, by: \.provider)
        let names =
            providers.filter { byProvider[$0] != nil } + byProvider.keys.filter { !providers.contains($0) }.sorted()
        // Changes before the oldest of these are not read.
        let begin = history.cutOff ?? historyBegin
        let isCut = history.cutOff != nil
        let histories = names.map { ($0, Spans(byProvider[$0] ?? [], knownFrom: begin, now: now)) }
        let fills = Fills(histories.flatMap { $0.1.spans.reversed().map(\.held) }, most: Self.mostFills)
        self.providers = histories.map { name, history in
            let month = now.addingTimeInterval(-30 * 86_400)
            let known = history.spans.filter { $0.held != .unknown }
            let all = Bar(
                isCut ? "These changes" : "All time", name, history.spans, from: history.beginning, to: now, fills)
            let line = NumberLine(name, history.spans, all, from: history.beginning, to: now)
            return ProviderBars(
                barProvider: name, line: line,
                bars: line == nil
                    ? [Bar("Last 30 days", name, history.spans, from: month, to: now, fills), all] : [],
                spans: known.suffix(Self.listed).reversed().compactMap(SpanRow.init),
                spansNote: known.count > Self.listed ? "Only the newest \(Self.listed) are listed." : nil)
        }
        let shown = Set(self.providers.flatMap(\.bars).flatMap(\.segments).map(\.fill))
        legend = fills.keys.filter { shown.contains($0.keyFill) }
        let altered = history.steps.filter(\.isAltered).map(\.id).min()
        let notes = [
            isCut ? "Based on the newest \(history.rowCount) changes to this flag." : nil,
            altered.map { "Unverified: change \($0) was altered after it was recorded." },
        ].compactMap(\.self)
        cutNote = notes.isEmpty ? nil : notes.joined(separator: " ")
    }
}

extension FlagTimeline.SpanRow {
    fileprivate init?(_ span: FlagTimeline.Span) {
        guard let change = span.change else { return nil }
        held = ShownValue(span.held.value, limit: 60)
        since = span.isBeforeChange ? nil : TimeText(span.start)
        until = span.isBeforeChange ? TimeText(span.end) : nil
        duration = Self.words(span.end.timeIntervalSince(span.start))
        changeHref = PageLink.change(change)
        changeNumber = change
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

extension FlagTimeline {
    struct NumberLine: Hashable, PagePart {
        let lineLabel: String
        let lineSummary: String
        let path: String
        let least: String
        let greatest: String
        let stretches: [Segment]
        let lineStart: String
        let lineEnd: String

        /// `nil` if a value is not a number; `spans` must be in order, without gaps.
        init?(_ provider: String, _ spans: [Span], _ bar: Bar, from start: Date, to end: Date) {
            let shown = spans.filter { start <= $0.end && $0.start <= end && $0.held != .unknown }
            var texts: [Double: String] = [:]
            var stretches: [StepLine.Stretch] = []
            for span in shown {
                var number: Double?
                if let value = span.held.value {
                    guard let known = Self.number(value) else { return nil }
                    number = known
                    texts[known] = span.held.label
                }
                stretches.append(StepLine.Stretch(number: number, start: max(span.start, start), end: span.end))
            }
            guard let line = StepLine(stretches, on: ChartScale(start: start, end: end)) else { return nil }
            path = line.path
            least = texts[line.least] ?? ""
            greatest = texts[line.greatest] ?? ""
            let last = shown.last?.held.label ?? ""
            let range = line.least == line.greatest ? "always \(least)" : "from \(least) to \(greatest)"
            lineLabel = bar.rangeLabel
            let changes = ShownCount.words(shown.count(where: \.isBegunByChange))
            lineSummary = "\(provider), \(bar.rangeLabel.lowercased()): \(changes); \(range), now \(last)"
            self.stretches = bar.segments
            (lineStart, lineEnd) = (bar.startDay, bar.endDay)
        }

        private static func number(_ value: FlagValue) -> Double? {
            switch value {
            case .integer(let number): Double(number)
            case .double(let number): number
            default: nil
            }
        }
    }
}
