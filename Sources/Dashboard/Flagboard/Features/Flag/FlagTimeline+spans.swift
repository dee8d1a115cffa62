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
        private static let absent = Held(
            label: "no value", value: nil, ownFill: "absent", revision: FlagRevision(of: nil))
        private static let on = Held(
            label: "on (true)", value: .bool(true), ownFill: "on", revision: FlagRevision(of: .bool(true)))
        private static let off = Held(
            label: "off (false)", value: .bool(false), ownFill: "off", revision: FlagRevision(of: .bool(false)))

        /// A value, or that there was none.
        static func value(_ value: FlagValue?) -> Held {
            switch value {
            case nil: absent
            case .bool(let isOn)?: isOn ? on : off
            default:
                Held(
                    label: ShownValue(value, limit: 40).plain, value: value, ownFill: nil,
                    revision: FlagRevision(of: value))
            }
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
        let change: Int64?
        /// Whether it is what was there before the first row.
        var isBeforeChange = false
        /// Whether a row tells how it began.
        var isBegunByChange: Bool { change != nil && !isBeforeChange }
    }

    /// What a provider held, one stretch after the other.
    struct Spans {
        let spans: [Span]
        /// Where the bar of all time begins.
        let beginning: Date

        /// Joins steps.
        ///
        /// - Parameter knownFrom: From when on any change would be among them; `nil` where that is not known.
        init(_ steps: [ValueSteps.Step], knownFrom: Date?, now: Date) {
            let oldestFirst = Array(steps.reversed())
            let first = oldestFirst[0]
            beginning = min(knownFrom ?? first.at, first.at)
            var spans = [
                Span(held: .unknown, start: .distantPast, end: beginning, change: nil),
                Span(
                    held: .value(first.before), start: beginning, end: first.at, change: first.id, isBeforeChange: true),
            ]
            for (place, step) in oldestFirst.enumerated() {
                let end = place + 1 < oldestFirst.count ? oldestFirst[place + 1].at : max(now, step.at)
                spans.append(Span(held: .value(step.after), start: step.at, end: end, change: step.id))
            }
            self.spans = spans
        }
    }

    /// Which fill stands for what.
    struct Fills {
        let keys: [Key]
        /// The fill of several changes that are drawn as one.
        let several = "several"
        private var names: [Held: String] = [:]

        /// Gives out fills.
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
            if hasOther { keys.append(Key(keyFill: "other", keyLabel: "other values")) }
            self.keys = keys + [Key(keyFill: several, keyLabel: "several changes, too close to be drawn apart")]
        }

        func name(of held: Held) -> String { names[held] ?? "other" }
    }
}
