import FeatureFlags
import FlagChanges
import FlagHistory

/// The small form in a row of a flag's history that puts back what was there before the change.
///
/// Of a value, it names the revision that the page shows, so that it is refused where a person changed the flag since. Of a
/// definition, it leads to a look at what it would do.
struct FlagRevert: Hashable, PagePart {
    let action: String
    /// The number of the change.
    let change: String
    /// The revision of the value that is replaced; `nil` where that is no value.
    let revision: String?
    /// The button's name and value, as the form sends them.
    let name: String
    let value: String
    /// `Undo` for the newest change of the person who looks, else `Revert`.
    let label: String
    /// What the button does, as its accessible name.
    let meaning: String
    /// Whether a person is told first that the change waits for a restart of the app.
    let asksFirst: Bool

    /// The forms of a flag's newest changes, by the changes' numbers; those are left out that put nothing back, or that the
    /// person who looks can't make now.
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
        let word = isUndo ? "Undo" : "Revert"
        action = deed.isShownFirst ? PageLink.revert(record.id) : PageLink.flag(entry.key)
        change = String(record.id)
        revision = deed.revision
        (name, value) = deed.isShownFirst ? ("scope", "change") : ("action", "undo")
        label = deed.isShownFirst ? "\(word)…" : word
        meaning = "\(word) change \(record.id): \(deed.words)"
        asksFirst = !deed.isShownFirst && record.event.provider != nil && entry.definition.metadata.requiresRestart
    }

    /// What a form does.
    private struct Deed {
        let words: String
        let revision: String?
        /// Whether nothing has changed the same since.
        let isOfNow: Bool
        /// Whether a person sees what it would do before it is done.
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
            // What was there and is no value of the flag any more is looked at first, which only the newest change offers.
            guard isOfNow || !isBreaking else { return nil }
            isShownFirst = isBreaking
            revision = isBreaking ? nil : entry.revisions[provider]?.rawValue
            words =
                event.before.map { "set \(provider) to \(ShownValue($0, limit: 60).inSentence)" } ?? "reset \(provider)"
        }

        init?(ofDefinition record: HistoryRecord, isNewest: Bool, _ entry: FlagEntry) {
            guard isNewest else { return nil }
            (revision, isOfNow) = (nil, true)
            switch record.event.kind {
            case .lock where entry.definition.metadata.isLocked: (words, isShownFirst) = ("unlock the flag", false)
            case .unlock where !entry.definition.metadata.isLocked: (words, isShownFirst) = ("lock the flag", false)
            case .lock, .unlock: return nil
            case _ where record.event.before == nil: (words, isShownFirst) = ("the definition goes again", true)
            default: (words, isShownFirst) = ("the definition as it was", true)
            }
        }
    }
}
