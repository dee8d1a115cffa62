import FeatureFlags
import FlagChanges
import FlagHistory

/// Restores the state before a change.
///
/// For a value, the form names the revision on the page, so it is refused if the flag was changed since. For a
/// definition, it leads to a preview.
struct FlagRevert: Hashable, PagePart {
    let action: String
    let change: String
    /// `nil` if the replaced value is invalid.
    let revision: String?
    let name: String
    let value: String
    /// `undo` for the viewer's own newest change, otherwise `revert`.
    let deed: String
    let label: String
    /// The button's accessible name.
    let meaning: String
    let asksFirst: Bool

    /// Omits changes that restore nothing or that this viewer can't revert.
    static func forms(
        of records: [HistoryRecord], _ entry: FlagEntry, in view: CatalogueView
    ) -> [Int64: FlagRevert] {
        let newestOfDefinition = records.first { $0.event.isOfManifest && Reversal.problem(of: $0) == nil }
        var forms: [Int64: FlagRevert] = [:]
        var hasUndo = false
        for record in records where record.revertProblem(in: view) == nil {
            let deed =
                record.event.provider == nil
                ? Deed(ofDefinition: record, isNewest: record.id == newestOfDefinition?.id, entry)
                : Deed(ofValue: record, entry, in: view)
            guard let deed else { continue }
            let isOwn = record.event.actor == view.visitor?.person.name
            let isUndo = deed.isOfNow && isOwn && !hasUndo
            hasUndo = hasUndo || isUndo
            forms[record.id] = FlagRevert(record, deed, isUndo: isUndo, entry)
        }
        return forms
    }

    private init(_ record: HistoryRecord, _ deed: Deed, isUndo: Bool, _ entry: FlagEntry) {
        self.deed = (isUndo ? BatchDeed.undo : .revert).rawValue
        let word = isUndo ? "Undo" : "Revert"
        action = deed.isShownFirst ? PageLink.revert(record.id) : PageLink.flag(entry.key)
        change = String(record.id)
        revision = deed.revision
        (name, value) = deed.isShownFirst ? ("scope", "change") : ("action", "undo")
        label = deed.isShownFirst ? "\(word)…" : word
        meaning = "\(word) change \(record.id): \(deed.words)"
        asksFirst = !deed.isShownFirst && record.event.provider != nil && entry.definition.metadata.requiresRestart
    }

    private struct Deed {
        let words: String
        let revision: String?
        let isOfNow: Bool
        let isShownFirst: Bool

        init?(ofValue record: HistoryRecord, _ entry: FlagEntry, in view: CatalogueView) {
            let event = record.event
            guard let provider = event.provider, view.changeableProviders.contains(provider),
                view.catalogue.providers.contains(where: { $0.name == provider && $0.takesChanges(of: entry.key) }),
                let answer = entry.resolution[provider], answer.stored != event.before
            else { return nil }
            isOfNow = answer.stored == event.after
            let isBreaking =
                event.before.map {
                    Change(key: entry.key, action: .putBack($0), provider: provider).breaksFlag(in: view.catalogue)
                } ?? false
            // Restoring an invalid value needs a preview, which only the newest change offers.
            guard isOfNow || !isBreaking else { return nil }
            isShownFirst = isBreaking
            revision = isBreaking ? nil : entry.revisions[provider]?.rawValue
            words =
                event.shownValues.before.map { "set \(provider) to \(ShownValue($0, limit: 60).inSentence)" }
                ?? "reset \(provider)"
        }

        init?(ofDefinition record: HistoryRecord, isNewest: Bool, _ entry: FlagEntry) {
            guard isNewest else { return nil }
            (revision, isOfNow) = (nil, true)
            switch record.event.kind {
            case .lock where entry.definition.metadata.isLocked: (words, isShownFirst) = ("unlock the flag", false)
            case .unlock where !entry.definition.metadata.isLocked: (words, isShownFirst) = ("lock the flag", false)
            case .lock, .unlock: return nil
            case _ where record.event.before == nil: (words, isShownFirst) = ("delete the definition", true)
            default: (words, isShownFirst) = ("restore the previous definition", true)
            }
        }
    }
}
