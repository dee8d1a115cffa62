import FeatureFlags
import Foundation

/// The newest rows of a query as value changes, which are cheaper to read than whole rows.
package struct ValueSteps: Hashable, Sendable {
    /// A change of a provider's value.
    package struct Step: Hashable, Sendable, Identifiable {
        /// The row.
        package let id: Int64
        /// The time of the change.
        package let at: Date
        /// The provider.
        package let provider: String
        /// The value before; `nil` for none.
        package let before: FlagValue?
        /// The value after; `nil` for none.
        package let after: FlagValue?
        /// `true` if another program altered the row.
        package let isAltered: Bool

        /// Makes a step.
        package init(
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
    package let steps: [Step]
    /// The number of rows read, including definitions and refused attempts.
    package let rowCount: Int
    /// The time of the oldest row read, if older ones were left out; else `nil`.
    package let cutOff: Date?

    /// Makes a list of steps.
    package init(steps: [Step], rowCount: Int, cutOff: Date?) {
        self.steps = steps
        self.rowCount = rowCount
        self.cutOff = cutOff
    }

    static func isStep(_ kind: HistoryRecord.Kind) -> Bool { [.set, .reset, .external].contains(kind) }
}
