import FlagHistory
import Foundation

/// Who changed a flag last, and when, in a row of the list.
struct LastChangeLabel: Hashable, PagePart {
    let actor: String
    /// Such as `3 hours ago`.
    let ago: String
    /// When, as machines read it.
    let machine: String
    let href: String
    let isAltered: Bool

    /// Tells of a change.
    init(_ change: LastChange, now: Date) {
        actor = change.actor
        ago = TimeText.ago(change.at, now: now)
        machine = TimeText(change.at).machine
        href = PageLink.change(change.id)
        isAltered = change.isAltered
    }
}
