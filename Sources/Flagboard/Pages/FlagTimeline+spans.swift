import FeatureFlags
import FlagHistory
import Foundation

extension FlagTimeline {
    /// What there was in a stretch of time, as far as the history knows.
    enum Held: Hashable {
        case unknown
        /// The value; `nil` for none.
        case value(FlagValue?)

        /// It in words.
        var label: String {
            switch self {
            case .unknown: "not known"
            case .value(nil): "no value"
            case .value(.bool(true)?): "on (true)"
            case .value(.bool(false)?): "off (false)"
            case .value(let value): ShownValue(value, limit: 40).plain
            }
        }
    }

    /// What was held from one time to another.
    struct Span {
        let held: Held
        let start: Date
        let end: Date
        /// The row that began it, or ended what was there before the first one; `nil` for what is not known.
        let record: HistoryRecord?
        /// Whether it is what was there before the first row.
        var isBeforeRecord = false
    }

    /// What a provider held, one stretch after the other.
    struct Spans {
        let spans: [Span]
        /// Where the bar of all time begins.
        let beginning: Date

        /// Joins rows.
        ///
        /// - Parameters:
        ///   - rows: The rows of one provider, newest first.
        ///   - knownFrom: From when on any change would be among them; `nil` where that is not known.
        ///   - now: The time that it is now.
        init(_ rows: [HistoryRecord], knownFrom: Date?, now: Date) {
            let oldestFirst = Array(rows.reversed())
            let first = oldestFirst[0]
            beginning = min(knownFrom ?? first.event.at, first.event.at)
            var spans = [
                Span(held: .unknown, start: .distantPast, end: beginning, record: nil),
                Span(
                    held: .value(first.event.before), start: beginning, end: first.event.at, record: first,
                    isBeforeRecord: true),
            ]
            for (place, row) in oldestFirst.enumerated() {
                let end = place + 1 < oldestFirst.count ? oldestFirst[place + 1].event.at : max(now, row.event.at)
                spans.append(Span(held: .value(row.event.after), start: row.event.at, end: end, record: row))
            }
            self.spans = spans
        }
    }

    /// Which fill stands for what.
    struct Fills {
        let keys: [Key]
        private var names: [Held: String] = [:]

        /// Gives out fills.
        ///
        /// - Parameters:
        ///   - held: What was held, the newest first.
        ///   - most: How many values have a fill of their own, apart from the Booleans.
        init(_ held: [Held], most: Int) {
            var keys: [Key] = []
            var (count, hasOther) = (0, false)
            for held in held where names[held] == nil {
                switch held {
                case .unknown: names[held] = "unknown"
                case .value(nil): names[held] = "absent"
                case .value(.bool(true)?): names[held] = "on"
                case .value(.bool(false)?): names[held] = "off"
                default:
                    guard count < most else {
                        hasOther = true
                        names[held] = "other"
                        continue
                    }
                    count += 1
                    names[held] = "value-\(count)"
                }
                keys.append(Key(keyFill: names[held] ?? "other", keyLabel: held.label))
            }
            self.keys = keys + (hasOther ? [Key(keyFill: "other", keyLabel: "other values")] : [])
        }

        func name(of held: Held) -> String { names[held] ?? "other" }
    }
}
