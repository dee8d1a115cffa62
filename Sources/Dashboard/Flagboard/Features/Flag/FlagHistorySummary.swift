import FeatureFlags
import FlagHistory
import Foundation

/// What the history tells of a flag, for its page.
struct FlagHistorySummary: Sendable {
    /// The newest rows about it.
    let page: HistoryPage
    /// The steps of more of them.
    let steps: ValueSteps
    /// The reasons that those on the page were given later.
    var notes: [HistoryRecord.ID: [HistoryRecord]] = [:]
    /// When the first row was written that the history still has, of whatever flag.
    var historyBegin: Date?
    /// The row by which it was locked; `nil` where it isn't, or where that is too long ago.
    var lockedBy: HistoryRecord?
    /// The key path that it had before it was renamed.
    var formerKey: FlagKeyPath?
}
