import FeatureFlags
import FlagChanges
import FlagHistory
import Foundation

struct OpenedRow: Hashable, PagePart {
    static let mostChanges = 3

    let description: String?
    /// Outermost first.
    let groups: [TextLink]
    let tags: [TextLink]
    let facts: [FlagFact]
    let editor: FlagEditor?
    let refusal: PageRemark?
    /// Unlocks the flag; only for admins.
    let lock: LockForm?
    /// Set if the refused form isn't on the page.
    let notSaved: String?
    let chain: ValueChain
    let changes: [Change]
    let historyHref: String
    let pageHref: String
    let closeHref: String
    let favourite: FavouriteForm

    struct Change: Hashable, PagePart {
        let ago: String
        let row: HistoryRow
    }

    /// `provider` is `nil` for the usual one.
    init(
        _ entry: FlagEntry, in view: CatalogueView, _ filter: FlagFilter, records: some Sequence<HistoryRecord>,
        notes: [HistoryRecord.ID: [HistoryRecord]] = [:], form: FlagForm? = nil, provider: String? = nil
    ) {
        let metadata = entry.definition.metadata
        description = metadata.description.isEmpty ? nil : metadata.description
        groups = entry.definition.groups.map {
            TextLink(label: view.name(of: $0), href: FlagFilter([.group: $0.text]).href)
        }
        tags = metadata.tags.map { TextLink(label: $0, href: FlagFilter([.tag: $0]).href) }
        facts = FlagFact.brief(of: entry)
        let access = EditorAccess(entry, view, wanted: form?.provider ?? provider, form: form)
        refusal = access.refusal
        lock = entry.definition.metadata.isLocked ? LockForm(entry, in: view, form: form) : nil
        editor = access.provider.map { name in
            FlagEditor(
                entry: entry, provider: name, writable: access.writable,
                form: access.holdsForm && form?.isInLock != true ? form : nil,
                access: access, back: filter.closed.href)
        }
        notSaved = access.holdsForm ? nil : form?.problem
        chain = ValueChain(entry, in: view, isBrief: true)
        changes = records.prefix(Self.mostChanges).map {
            Change(
                ago: TimeText.ago($0.event.at, now: view.now),
                row: HistoryRow($0, notes: notes[$0.id] ?? [], in: view, at: .flag))
        }
        historyHref = PageLink.history(of: entry.key)
        pageHref = PageLink.flag(entry.key)
        favourite = FavouriteForm(entry.key, view.memory)
        closeHref = "\(filter.returning(to: entry.key).href)#\(ReturnToList.anchor)"
    }
}
