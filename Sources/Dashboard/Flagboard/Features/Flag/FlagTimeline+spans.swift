import FeatureFlags
import FlagChanges
import FlagHistory
import Foundation

extension FlagTimeline {
    /// A value over a stretch of time.
    ///
    /// It is compared by revision and formatted once, as it may be a megabyte of text.
    struct Held: Hashable {
        let label: String
        /// `nil` for no value, and for an unknown one.
        let value: FlagValue?
        /// The fixed fill of a Boolean, absent or unknown value.
        let ownFill: String?
        private let revision: FlagRevision?

        static let unknown = Held(label: "no data", value: nil, ownFill: "unknown", revision: nil)
        private static let absent = Held(
            label: "no value", value: nil, ownFill: "absent", revision: FlagRevision(of: nil))
        private static let on = Held(
            label: "on (true)", value: .bool(true), ownFill: "on", revision: FlagRevision(of: .bool(true)))
        private static let off = Held(
            label: "off (false)", value: .bool(false), ownFill: "off", revision: FlagRevision(of: .bool(false)))

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

    struct Span {
        let held: Held
        let start: Date
        let end: Date
        /// The change that began the stretch, or ended the first one; `nil` if unknown.
        let change: Int64?
        /// The stretch ends with the first change.
        var isBeforeChange = false
        var isBegunByChange: Bool { change != nil && !isBeforeChange }
    }

    /// A provider's values in order, without gaps.
    struct Spans {
        let spans: [Span]
        let beginning: Date

        /// `knownFrom` is the time since which `steps` are complete; `nil` if unknown.
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

    struct Fills {
        let keys: [Key]
        let several = "several"
        private var names: [Held: String] = [:]

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
            self.keys = keys + [Key(keyFill: several, keyLabel: "multiple changes")]
        }

        func name(of held: Held) -> String { names[held] ?? "other" }
    }
}
