import FeatureFlags
import Foundation

/// The newest rows of a query as a walk of values: what changed from what to what, and when.
///
/// Much less is read for it than for the rows.
public struct ValueSteps: Hashable, Sendable {
    /// A change of what a provider held.
    public struct Step: Hashable, Sendable, Identifiable {
        /// The row that tells of it.
        public let id: Int64
        /// When it was made.
        public let at: Date
        /// The provider.
        public let provider: String
        /// The value before it; `nil` for none.
        public let before: FlagValue?
        /// The value after it; `nil` for none.
        public let after: FlagValue?
        /// Whether another program altered the row after it was written.
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
    /// How many rows were looked at for them, those of definitions and of refused attempts among them.
    public let rowCount: Int
    /// When the oldest of those rows was written, where there are older ones that were not looked at; else `nil`.
    public let cutOff: Date?

    /// Makes a walk.
    public init(steps: [Step], rowCount: Int, cutOff: Date?) {
        self.steps = steps
        self.rowCount = rowCount
        self.cutOff = cutOff
    }

    /// Whether rows of this kind tell what a provider held, where they name a provider and a type.
    static func isStep(_ kind: HistoryRecord.Kind) -> Bool { [.set, .reset, .external].contains(kind) }
}
