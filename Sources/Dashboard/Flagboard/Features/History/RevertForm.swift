import FeatureFlags
import FlagChanges
import FlagHistory

/// The form by which a change is reverted, on its own page.
struct RevertForm: Hashable, PagePart {
    let action: String
    /// What the first button does, and its label; `nil` where the change alone can't be reverted.
    let note: String?
    let label: String?
    let reasonLimit: Int
    /// Whether a person must say that a change is to wait for a restart of the app.
    let needsRestart: Bool
    /// What the second button does, which reverts all that was applied together; `nil` where nothing else was.
    let batchLabel: String?

    /// Makes the form.
    ///
    /// - Parameter isOvertaken: Whether the flag was changed since, so that only the others of the batch may be reverted.
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
        batchLabel = count > 1 ? "Revert all \(count) together…" : nil
        switch event.kind {
        case _ where isOvertaken: (label, note) = (nil, nil)
        case .lock: (label, note) = ("Unlock the flag again", "The flag’s lock is lifted, in the manifest.")
        case .unlock: (label, note) = ("Lock the flag again", "The flag is locked again, in the manifest.")
        default:
            label = event.provider == nil ? "Revert this change…" : "Revert this change"
            note = event.provider.map { Self.note(onValueOf: event, in: $0) } ?? Self.note(onDefinitionOf: event)
        }
    }

    private static func note(onValueOf event: HistoryEvent, in provider: String) -> String {
        event.before.map { "\(provider) gets \(ShownValue($0, limit: 60).inSentence) back." }
            ?? "\(provider) held no value before: it is reset."
    }

    private static func note(onDefinitionOf event: HistoryEvent) -> String {
        switch (event.before, event.after) {
        case (nil, _): "The flag’s definition is removed from the manifest; its values stay."
        case (_, nil): "The flag is defined again as it was."
        default: "The flag’s definition says again what it said before."
        }
    }

    /// Whether the value of a change is not what its provider holds now.
    static func isOvertaken(_ record: HistoryRecord, in view: CatalogueView) -> Bool {
        heldInstead(of: record, in: view) != nil
    }

    /// What a provider holds now in the place of what a change left; `nil` where it is just that, or can't be told.
    private static func heldInstead(
        of record: HistoryRecord, in view: CatalogueView
    ) -> (provider: String, now: FlagResolution.Answer)? {
        let event = record.event
        guard let provider = event.provider, let now = view.catalogue[event.key]?.resolution[provider],
            !view.status.unreadable.contains(provider), now.stored != event.after
        else { return nil }
        return (provider, now)
    }

    /// That the value of a change is not what its provider holds now.
    ///
    /// - Parameter later: The newest change of the same, where one is known.
    /// - Returns: Sentences; `nil` where it is just that, or can't be told.
    static func overtaken(_ record: HistoryRecord, by later: HistoryRecord?, in view: CatalogueView) -> String? {
        guard let (provider, now) = heldInstead(of: record, in: view) else { return nil }
        let held = now.stored == nil ? "holds no value" : "holds \(ShownValue(now.stored, limit: 60).inSentence)"
        let cause =
            later.map { "change \($0.id) by \($0.event.actor) at \(TimeText($0.event.at).text) came after this" }
            ?? "the flag was changed again after this"
        return "\(provider) \(held) now: \(cause), so it is not reverted by itself."
    }
}

/// What leads to a look at the reverse of a whole batch.
struct RevertAll: Hashable, PagePart {
    let action: String
    let label: String

    /// Offers it; `nil` where nothing of the batch can be reverted by who looks at it.
    init?(_ batch: HistoryBatchOutline, in view: CatalogueView) {
        let count = Reversal.count(in: batch)
        guard let record = batch.records.first(where: { $0.revertProblem(in: view) == nil }) else { return nil }
        action = PageLink.revert(record.id)
        label = count == 1 ? "Revert it…" : "Revert all \(count) together…"
    }
}
