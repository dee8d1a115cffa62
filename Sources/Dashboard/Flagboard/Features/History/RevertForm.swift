import FeatureFlags
import FlagChanges
import FlagHistory

struct RevertForm: Hashable, PagePart {
    let action: String
    /// `nil` if the change alone can't be reverted.
    let note: String?
    let label: String?
    let reasonLimit: Int
    let needsRestart: Bool
    /// `nil` for a single change.
    let batchLabel: String?

    /// If the change is overtaken, only the rest of the batch can be reverted.
    init(
        _ record: HistoryRecord, batch: HistoryBatchOutline, in view: CatalogueView, isOvertaken: Bool = false
    ) {
        let count = Reversal.count(in: batch)
        action = PageLink.revert(record.id)
        reasonLimit = Change.longestReason
        let event = record.event
        needsRestart =
            !isOvertaken && event.provider != nil
            && view.catalogue[event.key]?.definition.metadata.requiresRestart == true
        batchLabel = count > 1 ? "Revert batch of \(count)…" : nil
        switch event.kind {
        case _ where isOvertaken: (label, note) = (nil, nil)
        case .lock: (label, note) = ("Unlock", "Unlocks the flag.")
        case .unlock: (label, note) = ("Lock", "Locks the flag again.")
        default:
            label = event.provider == nil ? "Revert…" : "Revert"
            note = event.provider.map { Self.note(onValueOf: event, in: $0) } ?? Self.note(onDefinitionOf: event)
        }
    }

    private static func note(onValueOf event: HistoryEvent, in provider: String) -> String {
        event.shownValues.before.map { "Sets the value back to \(ShownValue($0, limit: 60).inSentence)." }
            ?? "Resets the value in \(provider)."
    }

    private static func note(onDefinitionOf event: HistoryEvent) -> String {
        switch (event.before, event.after) {
        case (nil, _): "Deletes the definition. Stored values are kept."
        case (_, nil): "Restores the deleted definition."
        default: "Restores the previous definition."
        }
    }

    static func isOvertaken(_ record: HistoryRecord, in view: CatalogueView) -> Bool {
        heldInstead(of: record, in: view) != nil
    }

    /// `nil` if the provider still holds the change's value, or if its file can't be read.
    private static func heldInstead(
        of record: HistoryRecord, in view: CatalogueView
    ) -> (provider: String, now: FlagResolution.Answer)? {
        let event = record.event
        guard let provider = event.provider, let now = view.catalogue[event.key]?.resolution[provider],
            !view.status.unreadable.contains(provider), now.stored != event.after
        else { return nil }
        return (provider, now)
    }

    /// `nil` if the value is unchanged, or if the provider's file can't be read.
    static func overtaken(_ record: HistoryRecord, by later: HistoryRecord?, in view: CatalogueView) -> String? {
        guard let (provider, now) = heldInstead(of: record, in: view) else { return nil }
        let cause = later.map { "change \($0.id) (\($0.event.actorName))" } ?? "a later change"
        let current =
            now.stored == nil
            ? "Not set in \(provider) now." : "Current value: \(ShownValue(now.stored, limit: 60).inSentence)."
        return "Superseded by \(cause). \(current)"
    }
}

struct RevertAll: Hashable, PagePart {
    let action: String
    let label: String

    /// `nil` if this viewer can't revert any of the changes.
    init?(_ batch: HistoryBatchOutline, in view: CatalogueView) {
        let count = Reversal.count(in: batch)
        guard let record = batch.records.first(where: { $0.revertProblem(in: view) == nil }) else { return nil }
        action = PageLink.revert(record.id)
        label = count == 1 ? "Revert…" : "Revert batch of \(count)…"
    }
}
