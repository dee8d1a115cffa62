import FlagChanges
import FlagHistory
import Foundation

/// The last change that the viewer made on pages, at the foot of each page, with the button that leads to its reversal.
///
/// The reversal is looked at first: so it is seen which change that is, and whether another one came after it.
struct OwnChange: Hashable, PagePart {
    /// The flag, or how many flags were changed together.
    let what: String
    /// The change's page.
    let href: String
    let ago: String
    /// When, as machines read it.
    let machine: String
    /// Where the form goes.
    let action: String
    /// `change`, or `batch` where others were made together with it.
    let scope: String
    /// What the button does, as its accessible name.
    let meaning: String

    /// The ways in which changes come from pages alone: rows of imports don't tell pages and programs apart.
    static let origins: [HistoryRecord.Origin] = [.form, .revert]

    /// Offers to undo a change; `nil` where who looks can't now.
    init?(_ last: LastOwnChange, in view: CatalogueView) {
        let record = last.record
        guard let person = view.visitor?.person, person.name == record.event.actor,
            record.revertProblem(in: view) == nil
        else { return nil }
        let name = view.catalogue[record.event.key]?.definition.shownName ?? record.event.key.shownText
        what =
            last.count > 1 ? "\(last.count) changes made together" : "\(name), \(record.event.kind.label.lowercased())"
        href = PageLink.change(record.id)
        ago = TimeText.ago(record.event.at, now: view.now)
        machine = TimeText(record.event.at).machine
        action = PageLink.revert(record.id)
        scope = last.count > 1 ? "batch" : "change"
        meaning = last.count > 1 ? "Undo \(last.count) changes made together" : "Undo change \(record.id) of \(name)"
    }
}

extension HistoryStore {
    /// The last change of a person, with how many that were made together with it can be taken back.
    ///
    /// - Parameter hiddenKeys: What must not appear.
    /// - Returns: The change; `nil` for none.
    func lastChange(
        by actor: String, through origins: [HistoryRecord.Origin], hiddenKeys: HiddenKeys
    ) throws(HistoryStoreError) -> LastOwnChange? {
        guard let record = try newestChange(by: actor, through: origins, hiddenKeys: hiddenKeys) else { return nil }
        return try lastChange(record, hiddenKeys: hiddenKeys)
    }

    /// A change, with how many that were made together with it can be taken back.
    func lastChange(
        _ record: HistoryRecord, hiddenKeys: HiddenKeys
    ) throws(HistoryStoreError) -> LastOwnChange {
        let batch = try outline(ofBatch: record.event.batch, limit: 1, hiddenKeys: hiddenKeys)
        return LastOwnChange(record: record, count: Reversal.count(in: batch))
    }
}
