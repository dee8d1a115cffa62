import FeatureFlags
import FlagChanges
import FlagHistory
import Foundation

struct LockForm: Hashable, PagePart {
    let heading: String
    let action: String
    /// `lock` or `unlock`.
    let value: String
    let label: String
    let reasonLabel: String
    let isReasonRequired: Bool
    let reason: String
    let confirmation: ChangeDemand.Confirmation?
    let problem: String?
    /// A locked flag's form replaces the editor.
    let isLocked: Bool
    /// The form is unfolded.
    let isOpen: Bool
    let note: String?
    let reasonLimit: Int

    /// `nil` unless an admin can change the flag's definition now.
    ///
    /// `form` is a refused one.
    init?(_ entry: FlagEntry, in view: CatalogueView, form: FlagForm? = nil) {
        guard view.visitor?.isAdmin == true, entry.isDefined, view.status.block == nil,
            !view.status.isDefinedElsewhere
        else { return nil }
        let isLocked = entry.definition.metadata.isLocked
        heading = isLocked ? "Unlock" : "Lock"
        action = PageLink.flag(entry.key)
        value = isLocked ? "unlock" : "lock"
        label = isLocked ? "Unlock flag" : "Lock flag"
        let refused = form?.isOfLock == true ? form : nil
        let demand = ChangeDemand(
            view.environments, changing: [nil], field: "lock-confirm", sent: refused?.confirmation ?? .none,
            refusal: refused?.refusal)
        reasonLabel = demand.reasonLabel
        isReasonRequired = demand.isReasonRequired
        confirmation = demand.confirmation
        reason = refused?.reason ?? ""
        problem = refused?.place == .reason ? refused?.problem : nil
        self.isLocked = isLocked
        isOpen = isLocked || refused != nil
        note =
            isLocked
            ? nil : "Stops changes from the dashboard, API and command line. The app’s code can still change it."
        reasonLimit = Change.longestReason
    }

    /// `record` is `nil` if the lock is older than the history.
    static func story(_ record: HistoryRecord?, now: Date) -> TimedText {
        guard let event = record?.event else {
            return TimedText("Locked in the manifest, before the history began.", now: now)
        }
        guard event.kind != .external else {
            return TimedText("Locked outside Flagboard, detected ", event.at, ".", now: now)
        }
        let reason = event.reason.isEmpty ? "." : ": \(event.reason.asSentence)"
        return TimedText("Locked by \(event.actor) ", event.at, reason, now: now)
    }
}
