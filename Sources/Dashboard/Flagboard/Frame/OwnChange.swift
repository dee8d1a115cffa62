import FeatureFlags
import FlagChanges
import FlagHistory
import Foundation

/// The viewer's last change at the foot of each page.
///
/// Its button leads to a preview first, which shows the change and any later ones.
struct OwnChange: Hashable, PagePart {
    let what: String
    let href: String
    let ago: String
    let machine: String
    let action: String
    /// `change`, or `batch` for changes made together.
    let scope: String
    let meaning: String

    /// Changes of pages; a program's imports are recorded as those of pages are.
    static let origins: [HistoryRecord.Origin] = [.form, .import, .revert]

    init?(_ last: LastOwnChange, in view: CatalogueView) {
        let record = last.record
        guard let person = view.visitor?.person, person.name == record.event.actor,
            record.revertProblem(in: view) == nil
        else { return nil }
        let name = view.catalogue[record.event.key]?.definition.shownName ?? record.event.key.shownText
        what =
            last.count > 1 ? "Batch of \(last.count) changes" : name
        href = PageLink.change(record.id)
        ago = TimeText.ago(record.event.at, now: view.now)
        machine = TimeText(record.event.at).machine
        action = PageLink.revert(record.id)
        scope = last.count > 1 ? "batch" : "change"
        meaning = last.count > 1 ? "Undo the batch of \(last.count) changes" : "Undo change \(record.id) of \(name)"
    }
}

extension HistoryStore {
    func lastChange(
        by actor: String, through origins: [HistoryRecord.Origin], hiddenKeys: HiddenKeys
    ) throws(HistoryStoreError) -> LastOwnChange? {
        guard let record = try newestChange(by: actor, through: origins, hiddenKeys: hiddenKeys) else { return nil }
        return try lastChange(record, hiddenKeys: hiddenKeys)
    }

    func lastChange(
        _ record: HistoryRecord, hiddenKeys: HiddenKeys
    ) throws(HistoryStoreError) -> LastOwnChange {
        let batch = try outline(ofBatch: record.event.batch, limit: 1, hiddenKeys: hiddenKeys)
        return LastOwnChange(record: record, count: Reversal.count(in: batch))
    }
}

extension HistoryRecord {
    static let alteration = "Altered after it was recorded. This isn’t what Flagboard wrote."

    /// Explains why the viewer can't revert the change; `nil` if they may try.
    func revertProblem(in view: CatalogueView) -> String? {
        switch Reversal.problem(of: self) {
        case .changedNothing: return "Nothing to revert: \(event.kind.meaning.lowercasedFirst)"
        case .isOfManifest:
            return "Changes to groups and to the manifest itself can’t be reverted here. Edit the manifest instead."
        case .isOfHistory: return "Changes to the history itself can’t be reverted."
        case .isAltered:
            return "\(Self.alteration) It can’t be reverted: the earlier value can’t be verified."
        case nil: break
        }
        if let block = view.status.block { return block }
        return Self.roleProblem(event, view) ?? Self.flagProblem(event, view)
    }

    private static func roleProblem(_ event: HistoryEvent, _ view: CatalogueView) -> String? {
        switch view.visitor?.person.role {
        case nil, .admin: return nil
        case .viewer: return "Viewers can’t revert changes. Ask an admin for editor access."
        case .editor:
            if event.kind == .lock || event.kind == .unlock { return "Only admins can lock and unlock flags." }
            return event.provider == nil ? "Only admins can change definitions." : nil
        }
    }

    private static func flagProblem(_ event: HistoryEvent, _ view: CatalogueView) -> String? {
        let entry = view.catalogue[event.key]
        let bringsBack = event.before != nil && (event.provider != nil || event.after == nil)
        guard entry != nil || bringsBack && event.kind != .lock && event.kind != .unlock else {
            return "The flag no longer exists, so there is nothing to revert."
        }
        if event.provider == nil, event.after == nil, entry?.isDefined == true {
            return "The flag was created again, so there is nothing to restore."
        }
        if event.provider != nil, entry?.definition.metadata.isLocked == true {
            return "The flag is locked. An admin can unlock it on its page."
        }
        return nil
    }
}
