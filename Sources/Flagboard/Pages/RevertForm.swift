import FeatureFlags
import FlagChanges
import FlagHistory

/// The form by which a change is reverted, on its own page.
struct RevertForm: Hashable, Sendable {
    let action: String
    let note: String
    let label: String
    let reasonLimit: Int
    /// What the second button does, which reverts all that was applied together; `nil` where nothing else was.
    let batchLabel: String?

    /// Makes the form.
    ///
    /// - Parameters:
    ///   - record: The change.
    ///   - batch: The changes of its batch.
    ///   - view: Who looks, and how things stand.
    init(_ record: HistoryRecord, batch: HistoryBatchOutline, in view: CatalogueView) {
        let count = Reversal.count(in: batch)
        action = PageLink.revert(record.id)
        reasonLimit = Change.longestReason
        let event = record.event
        switch event.kind {
        case .lock: (label, note) = ("Unlock the flag again", "The flag’s lock is lifted, in the manifest.")
        case .unlock: (label, note) = ("Lock the flag again", "The flag is locked again, in the manifest.")
        default:
            label = "Revert this change"
            let provider = event.provider ?? "the provider"
            note =
                event.before.map { "\(provider) gets \(ShownValue($0, limit: 60).inSentence) back." }
                ?? "\(provider) held no value before: it is reset."
        }
        batchLabel = count > 1 ? "Revert all \(count) together…" : nil
    }

    /// Why a change can't be reverted by somebody, in sentences; `nil` where it may be tried.
    static func hindrance(_ record: HistoryRecord, in view: CatalogueView) -> String? {
        let event = record.event
        switch Reversal.hindrance(of: record) {
        case .changedNothing: return "There is nothing to revert: \(event.kind.meaning.lowercasedFirst)"
        case .isOfDefinition:
            return
                "What the manifest says can’t be reverted here: edit the manifest, which shows as a change of its own."
        case .isOfHistory: return "What was done to the history itself stays: it tells of no flag."
        case nil: break
        }
        if let block = view.standing.block { return block }
        guard let entry = view.catalogue[event.key] else {
            return "There is no flag of this key path any more, so there is nothing to put the value back to."
        }
        let isLock = event.kind == .lock || event.kind == .unlock
        guard let role = view.visitor?.person.role else { return nil }
        if role == .viewer { return "You may look, but not change: sign in with the token of an editor or an admin." }
        if isLock, role != .admin { return "Only admins lock and unlock flags." }
        if !isLock, entry.definition.metadata.isLocked {
            return "The flag is locked, so nobody changes its value here. An admin can unlock it on its page."
        }
        return nil
    }
}

extension String {
    fileprivate var lowercasedFirst: String { prefix(1).lowercased() + dropFirst() }
}
