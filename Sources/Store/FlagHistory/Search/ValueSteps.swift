import FeatureFlags
import Foundation

/// The newest rows of a query as value changes, cheaper to read than whole rows.
package struct ValueSteps: Hashable, Sendable {
    package struct Step: Hashable, Sendable, Identifiable {
        package let id: Int64
        package let at: Date
        package let provider: String
        package let before: FlagValue?
        package let after: FlagValue?
        package let isAltered: Bool

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

    /// Newest first.
    package let steps: [Step]
    /// The number of rows read, including definitions and refused attempts.
    package let rowCount: Int
    /// The time of the oldest row read, if older ones were left out.
    package let cutOff: Date?

    package init(steps: [Step], rowCount: Int, cutOff: Date?) {
        self.steps = steps
        self.rowCount = rowCount
        self.cutOff = cutOff
    }

    static func isStep(_ kind: HistoryRecord.Kind) -> Bool { [.set, .reset, .external].contains(kind) }
}
