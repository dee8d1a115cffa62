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
    let note: String
    let whyNote: String
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
        label = isLocked ? "Unlock this flag" : "Lock this flag"
        reasonLabel = isLocked ? "Reason for unlocking" : "Reason for locking"
        note =
            isLocked
            ? "Editors can then change it here again."
            : "Nobody can change it here until an admin unlocks it."
        whyNote =
            "The flag’s definition in the manifest holds the lock. A lock stops the dashboard, the API and the commands; the "
            + "app’s code may still write."
        self.isLocked = isLocked
        reasonLimit = Change.longestReason
    }

    /// The author, time and reason of a lock, in sentences.
    ///
    /// `nil` stands for a lock older than the history.
    static func story(_ record: HistoryRecord?, now: Date) -> TimedText {
        guard let event = record?.event else {
            return TimedText(
                "It was locked before the history began, so the history does not say by whom.", now: now)
        }
        guard event.kind != .external else {
            return TimedText("It was locked outside Flagboard, noticed ", event.at, ".", now: now)
        }
        let reason = event.reason.isEmpty ? "No reason was given." : "The reason given: \(event.reason.asSentence)"
        return TimedText("\(event.actor) locked it ", event.at, ". \(reason)", now: now)
    }
}
