import FeatureFlags
import FlagChanges
import FlagHistory

struct ShownNotice: Hashable, PagePart {
    /// For the style sheet: `success` or `info`.
    let sort: String
    let text: String
    /// Set if the notice stands beside others.
    let flag: String?
    let change: String?
    let undo: UndoForm?
    /// Leads to the change itself, also where a reason was added to it.
    let viewLink: TextLink?
    let reasonForm: ReasonForm?
    let takesFocus: Bool

    /// `back` is `nil` for the flag's page.
    init(_ notice: SavedNotice, _ entry: FlagEntry, in view: CatalogueView, back: String? = nil) {
        sort = notice.outcome.changesNothing ? "info" : "success"
        let isUsual = view.isUsual(notice.provider, for: entry.key)
        text = notice.text(
            entry, view.pendingRestart, isUsual: isUsual,
            elsewhere: view.catalogue.elsewhereNote(of: notice.provider))
        flag = nil
        change = (notice.note ?? notice.record).map { String($0.id) }
        undo = UndoForm(notice, of: entry.key, in: view, back: back)
        viewLink = notice.viewLink
        let page = PageLink.flag(entry.key, provider: isUsual ? nil : notice.provider)
        reasonForm = ReasonForm(notice, in: view, back: back ?? page)
        takesFocus = back == nil
    }

    init(_ saved: ReturnToList.Saved, in view: CatalogueView) {
        let entry = view.catalogue[saved.key]
        sort = saved.notice.outcome.changesNothing ? "info" : "success"
        text = saved.notice.text(
            entry, view.pendingRestart, isUsual: view.isUsual(saved.notice.provider, for: saved.key),
            elsewhere: view.catalogue.elsewhereNote(of: saved.notice.provider))
        flag = entry?.definition.shownName ?? saved.key.shownText
        change = (saved.notice.note ?? saved.notice.record).map { String($0.id) }
        undo = UndoForm(saved.notice, of: saved.key, in: view, back: view.list.href)
        viewLink = saved.notice.viewLink
        reasonForm = ReasonForm(saved.notice, in: view, back: view.list.href)
        takesFocus = true
    }
}

extension SavedNotice {
    fileprivate var viewLink: TextLink? {
        record.map { TextLink(label: "View change \($0.id)", href: PageLink.change($0.id)) }
    }
}

extension CatalogueView {
    fileprivate func isUsual(_ provider: String, for key: FlagKeyPath) -> Bool {
        provider.isEmpty || provider == catalogue.usualProvider(for: key)?.name
    }
}

/// The button that undoes a change.
///
/// The form names the change, hence the revision it made, so it is refused if the flag was changed since.
struct UndoForm: Hashable, PagePart {
    let action: String
    let change: String
    let back: String?
    /// The button's accessible name.
    let meaning: String
    /// Reverts the whole batch, on the change's page.
    let revertsBatch: Bool

    /// `nil` if this viewer can't undo the change.
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
            guard let before = event.shownValues.before else { return "reset \(provider)" }
            return "set \(provider) to \(ShownValue(before, limit: 60).inSentence)"
        case .define: return view.visitor?.isAdmin == true ? "delete the definition" : nil
        case .redefine: return view.visitor?.isAdmin == true ? "restore the previous definition" : nil
        default: return nil
        }
    }
}

extension ReasonForm {
    fileprivate init?(_ notice: SavedNotice, in view: CatalogueView, back: String) {
        guard let record = notice.record, record.event.reason.isEmpty, notice.note == nil else { return nil }
        self.init(record, in: view, back: back)
    }
}

extension HistoryRecord.Kind {
    /// Excludes locks.
    fileprivate var isOfDefinition: Bool { [.define, .redefine, .remove].contains(self) }
}
