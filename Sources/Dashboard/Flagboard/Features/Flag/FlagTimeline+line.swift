import FeatureFlags
import Foundation

extension FlagTimeline {
    /// A number over time as a line of steps, with what it says in words.
    struct NumberLine: Hashable, PagePart {
        let lineLabel: String
        /// All of the line in words.
        let lineSummary: String
        let path: String
        /// The least number and the greatest, at the lower and the upper edge.
        let least: String
        let greatest: String
        /// The stretches of time, each with what was held then.
        let stretches: [Segment]
        let lineStart: String
        let lineEnd: String

        /// Draws a line; `nil` where what was held is not only numbers that have a place on it.
        ///
        /// - Parameter spans: What was held, one stretch after the other.
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

        /// A value as a number; `nil` for a value of another kind.
        private static func number(_ value: FlagValue) -> Double? {
            switch value {
            case .integer(let number): Double(number)
            case .double(let number): number
            default: nil
            }
        }
    }
}
