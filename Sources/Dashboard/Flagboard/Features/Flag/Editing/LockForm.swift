import FeatureFlags
import FlagChanges
import FlagHistory
import Foundation

/// The form with which an admin locks or unlocks a flag.
struct LockForm: Hashable, PagePart {
    let heading: String
    let action: String
    /// `lock` or `unlock`.
    let value: String
    let label: String
    let reasonLabel: String
    let note: String?
    /// A locked flag's form is unfolded, in place of the editor.
    let isLocked: Bool
    let reasonLimit: Int

    /// `nil` unless an admin can change the flag's definition now.
    init?(_ entry: FlagEntry, in view: CatalogueView) {
        guard view.visitor?.isAdmin == true, entry.isDefined, view.status.block == nil,
            !view.status.isDefinedElsewhere
        else { return nil }
        let isLocked = entry.definition.metadata.isLocked
        heading = isLocked ? "Unlock" : "Lock"
        action = PageLink.flag(entry.key)
        value = isLocked ? "unlock" : "lock"
        label = isLocked ? "Unlock flag" : "Lock flag"
        reasonLabel = "Reason (optional)"
        note =
            isLocked ? nil : "Stops changes from the dashboard, API and command line. Apps can still write."
        self.isLocked = isLocked
        reasonLimit = Change.longestReason
    }

    /// The author, time and reason of a lock, in sentences.
    ///
    /// `nil` stands for a lock older than the history.
    static func story(_ record: HistoryRecord?, now: Date) -> TimedText {
        guard let event = record?.event else {
            return TimedText("Locked before the history began.", now: now)
        }
        guard event.kind != .external else {
            return TimedText("Locked outside Flagboard, noticed ", event.at, ".", now: now)
        }
        let reason = event.reason.isEmpty ? "." : ": \(event.reason.asSentence)"
        return TimedText("Locked by \(event.actor) ", event.at, reason, now: now)
    }
}
