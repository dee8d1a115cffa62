import FeatureFlags
import FlagChanges
import FlagHistory
import Foundation

extension FlagTimeline {
    /// What there was in a stretch of time, as far as the history knows.
    ///
    /// It is told from others by its revision, and put in words once: a value may be a megabyte of text.
    struct Held: Hashable {
        /// It in words.
        let label: String
        /// The value; `nil` for none, and where it is not known.
        let value: FlagValue?
        /// How it is filled whatever else there is; `nil` for values other than the Booleans.
        let ownFill: String?
        private let revision: FlagRevision?

        /// What the history does not know.
        static let unknown = Held(label: "not known", value: nil, ownFill: "unknown", revision: nil)

        /// A value, or that there was none.
        static func value(_ value: FlagValue?) -> Held {
            let (label, fill): (String, String?) =
                switch value {
                case nil: ("no value", "absent")
                case .bool(true)?: ("on (true)", "on")
                case .bool(false)?: ("off (false)", "off")
                default: (ShownValue(value, limit: 40).plain, nil)
                }
            return Held(label: label, value: value, ownFill: fill, revision: FlagRevision(of: value))
        }

        static func == (left: Held, right: Held) -> Bool { left.revision == right.revision }

        func hash(into hasher: inout Hasher) { hasher.combine(revision) }
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
                if let fill = held.ownFill {
                    names[held] = fill
                } else if count < most {
                    count += 1
                    names[held] = "value-\(count)"
                } else {
                    hasOther = true
                    names[held] = "other"
                    continue
                }
                keys.append(Key(keyFill: names[held] ?? "other", keyLabel: held.label))
            }
            self.keys = keys + (hasOther ? [Key(keyFill: "other", keyLabel: "other values")] : [])
        }

        func name(of held: Held) -> String { names[held] ?? "other" }
    }
}
