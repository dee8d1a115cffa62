import FeatureFlags
import Foundation

/// The newest rows of a query as value changes, which are cheaper to read than whole rows.
public struct ValueSteps: Hashable, Sendable {
    /// A change of a provider's value.
    public struct Step: Hashable, Sendable, Identifiable {
        /// The row.
        public let id: Int64
        /// The time of the change.
        public let at: Date
        /// The provider.
        public let provider: String
        /// The value before; `nil` for none.
        public let before: FlagValue?
        /// The value after; `nil` for none.
        public let after: FlagValue?
        /// `true` if another program altered the row.
        public let isAltered: Bool

        /// Makes a step.
        public init(
            id: Int64, at: Date, provider: String, before: FlagValue?, after: FlagValue?, isAltered: Bool = false
        ) {
            self.id = id
            self.at = at
            self.provider = provider
            self.before = before
            self.after = after
            self.isAltered = isAltered
        }
    }

    /// The steps, newest first.
    public let steps: [Step]
    /// The number of rows read, including definitions and refused attempts.
    public let rowCount: Int
    /// The time of the oldest row read, if older ones were left out; else `nil`.
    public let cutOff: Date?

    /// Makes a list of steps.
    public init(steps: [Step], rowCount: Int, cutOff: Date?) {
        self.steps = steps
        self.rowCount = rowCount
        self.cutOff = cutOff
    }

    static func isStep(_ kind: HistoryRecord.Kind) -> Bool { [.set, .reset, .external].contains(kind) }
}
