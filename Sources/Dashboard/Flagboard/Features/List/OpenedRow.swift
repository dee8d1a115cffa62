import FeatureFlags
import FlagChanges
import FlagHistory
import Foundation

/// What the open row of a list shows below its flag: what it is for, the form that changes it, where its value is from, and its
/// last changes.
struct OpenedRow: Hashable, PagePart {
    /// How many changes it tells of.
    static let mostChanges = 3

    let description: String?
    /// The groups that the flag stands in, outermost first, each as the list of it alone.
    let groups: [TextLink]
    let tags: [TextLink]
    /// The type, and what a value must be.
    let facts: [FlagFact]
    let editor: FlagEditor?
    /// Why there is no form, where there is none.
    let refusal: PageRemark?
    /// Lifts the flag's lock, for admins; `nil` where it has none.
    let lock: LockForm?
    /// Why the form that was sent was refused.
    let notSaved: String?
    let chain: ValueChain
    let changes: [Change]
    /// All changes of the flag.
    let historyHref: String
    /// The flag's page.
    let pageHref: String
    /// The list in which the row is closed.
    let closeHref: String
    let favourite: FavouriteForm

    /// One of the last changes, in a line.
    struct Change: Hashable, PagePart {
        let href: String
        let ago: String
        /// When, as machines read it.
        let machine: String
        let actor: String
        let before: ShownValue?
        let after: ShownValue?
        let kind: String
        /// Why, as it was said with the change and later.
        let reasons: [String]
    }

    /// Makes the row's content.
    ///
    /// - Parameter provider: The provider to edit; `nil` for the first that can be.
    init(
        _ entry: FlagEntry, in view: CatalogueView, _ filter: FlagFilter, records: some Sequence<HistoryRecord>,
        notes: [HistoryRecord.ID: [HistoryRecord]] = [:], form: FlagForm? = nil, provider: String? = nil
    ) {
        let metadata = entry.definition.metadata
        description = metadata.description.isEmpty ? nil : metadata.description
        groups = entry.key.ancestors.map { TextLink(label: view.name(of: $0), href: FlagFilter(group: $0).href) }
        tags = metadata.tags.map { TextLink(label: $0, href: FlagFilter(tag: $0).href) }
        facts = FlagFact.brief(of: entry)
        let access = EditorAccess(entry, view, wanted: form?.provider ?? provider, form: form)
        refusal = access.refusal
        lock = entry.definition.metadata.isLocked ? LockForm(entry, in: view) : nil
        editor = access.provider.map { name in
            FlagEditor(
                entry: entry, provider: name, writable: access.writable, form: access.holdsForm ? form : nil,
                access: access)
        }
        notSaved = form?.problem
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
        actor = event.actor
        kind = event.kind.label
        let values = event.isOfManifest ? nil : ShownValue.pair(event.before, event.after, limit: 40)
        (before, after) = (values?.before, values?.after)
        reasons = ([record] + notes).map(\.event.reason).filter { !$0.isEmpty }
    }
}
