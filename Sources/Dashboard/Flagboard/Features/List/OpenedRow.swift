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
        let href: String
        let ago: String
        /// For machines.
        let machine: String
        let actor: String
        let before: ShownValue?
        let after: ShownValue?
        let words: String
        /// The reason given with the change, then those added later.
        let reasons: [String]
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
        changes = records.prefix(Self.mostChanges).map { Change($0, notes[$0.id] ?? [], now: view.now) }
        historyHref = PageLink.history(of: entry.key)
        pageHref = PageLink.flag(entry.key)
        favourite = FavouriteForm(entry.key, view.memory)
        closeHref = "\(filter.returning(to: entry.key).href)#\(ReturnToList.anchor)"
    }
}

extension OpenedRow.Change {
    fileprivate init(_ record: HistoryRecord, _ notes: [HistoryRecord], now: Date) {
        let event = record.event
        href = PageLink.change(record.id)
        ago = TimeText.ago(event.at, now: now)
        machine = TimeText(event.at).machine
        actor = event.actorName
        words = ActivityWords(event).alone
        let values = event.isOfManifest || event.isSwitch ? nil : ShownValue.pair(event.before, event.after, limit: 40)
        (before, after) = (values?.before, values?.after)
        reasons = ([record] + notes).map(\.event).filter { !$0.hasPlainReason }.map(\.reason).filter { !$0.isEmpty }
    }
}
