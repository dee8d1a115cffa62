import FeatureFlags
import FlagChanges
import FlagHistory

/// What has just been done to a flag, with what takes it back.
struct ShownNotice: Hashable, PagePart {
    /// `success`, or `info` where nothing was changed, for the style sheet.
    let sort: String
    /// What was done, in sentences.
    let text: String
    /// The flag in words, where the notice stands beside others.
    let flag: String?
    /// The newest row of the history that came of it; `nil` where nothing was done.
    let change: String?
    let undo: UndoForm?
    /// What gives the change its reason, where it was made without one.
    let reasonForm: ReasonForm?
    /// Whether it has the focus when the page is there: at the top of it, not in a list.
    let takesFocus: Bool

    /// A notice beside the flag that it is about.
    ///
    /// - Parameter back: The list that undoing leads back to; `nil` for the flag's page.
    init(_ notice: SavedNotice, _ entry: FlagEntry, in view: CatalogueView, back: String? = nil) {
        sort = notice.outcome.changesNothing ? "info" : "success"
        text = notice.text(entry, view.pendingRestart)
        flag = nil
        change = (notice.note ?? notice.record).map { String($0.id) }
        undo = UndoForm(notice, of: entry.key, in: view, back: back)
        let isUsual = notice.provider.isEmpty || notice.provider == view.catalogue.usualProvider(for: entry.key)?.name
        let page = PageLink.flag(entry.key, provider: isUsual ? nil : notice.provider)
        reasonForm = ReasonForm(notice, in: view, back: back ?? page)
        takesFocus = back == nil
    }

    /// A notice where the flag does not stand.
    init(_ saved: ReturnToList.Saved, in view: CatalogueView) {
        let entry = view.catalogue[saved.key]
        sort = saved.notice.outcome.changesNothing ? "info" : "success"
        text = saved.notice.text(entry, view.pendingRestart)
        flag = entry?.definition.shownName ?? saved.key.shownText
        change = (saved.notice.note ?? saved.notice.record).map { String($0.id) }
        undo = UndoForm(saved.notice, of: saved.key, in: view, back: view.list.href)
        reasonForm = ReasonForm(saved.notice, in: view, back: view.list.href)
        takesFocus = true
    }
}

/// The small form that takes a change back.
///
/// It names the change, and the change names the revision that it made: the form is refused where a person changed the
/// flag since.
struct UndoForm: Hashable, PagePart {
    /// The flag's page.
    let action: String
    /// The number of the change to take back.
    let change: String
    /// The list to come back to.
    let back: String?
    /// What the button does, as its accessible name.
    let meaning: String
    /// Whether all is reverted that was changed together with it, on the page of the change.
    let revertsBatch: Bool

    /// Makes the form, where the change can be taken back by who looks at it.
    init?(_ notice: SavedNotice, of key: FlagKeyPath, in view: CatalogueView, back: String?) {
        guard let record = notice.record, let deed = Self.deed(record.event, in: view) else { return nil }
        revertsBatch = record.event.kind.isOfDefinition
        action = revertsBatch ? PageLink.revert(record.id) : PageLink.flag(key)
        change = String(record.id)
        self.back = back
        meaning = "Undo change \(record.id): \(deed)"
    }

    private static func deed(_ event: HistoryEvent, in view: CatalogueView) -> String? {
        switch event.kind {
        case .lock: return view.visitor?.isAdmin == true ? "unlock the flag" : nil
        case .unlock: return view.visitor?.isAdmin == true ? "lock the flag" : nil
        case .set, .reset:
            guard let provider = event.provider else { return nil }
            guard let before = event.before else { return "reset \(provider)" }
            return "set \(provider) to \(ShownValue(before, limit: 60).inSentence)"
        case .define: return view.visitor?.isAdmin == true ? "the definition goes again" : nil
        case .redefine: return view.visitor?.isAdmin == true ? "the definition as it was" : nil
        default: return nil
        }
    }
}

extension ReasonForm {
    /// Offers to say why, where what was done has no reason yet.
    fileprivate init?(_ notice: SavedNotice, in view: CatalogueView, back: String) {
        guard let record = notice.record, record.event.reason.isEmpty, notice.note == nil else { return nil }
        self.init(record, in: view, back: back)
    }
}

extension HistoryRecord.Kind {
    /// Whether a row of this kind tells of a definition as a whole, and not of its lock.
    fileprivate var isOfDefinition: Bool { [.define, .redefine, .remove].contains(self) }
}
