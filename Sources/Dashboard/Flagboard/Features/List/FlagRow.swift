import FeatureFlags
import FlagChanges
import FlagHistory
import Foundation

struct FlagRow: Hashable, PagePart {
    let key: String
    let keyText: String
    /// The key path where the row may cut it; `nil` where a description takes the next line.
    let keyTitle: String?
    let href: String
    /// The page scrolls here; at most one row has it.
    let anchor: String?
    let name: ShownName
    /// The symbol of `icons.svg`.
    let icon: String
    /// The groups of a flag whose key path doesn't name them, in a list without headings.
    let groups: String?
    let isFavourite: Bool
    let summary: String?
    /// For the style sheet and for tests.
    let state: String
    /// The switch of a Boolean, which also shows its value.
    let control: BooleanControl?
    /// The state of a Boolean that can't be switched in the list.
    let fixed: FixedSwitch?
    /// `nil` if a switch shows the value.
    let value: ShownValue?
    let source: String
    /// The value is the last good one of a source that is broken now.
    let isLastRead: Bool
    /// The list with the row open, or closed if it is open.
    let openHref: String
    let marks: [FlagMark]
    let problems: [String]
    let canSelect: Bool
    let isTicked: Bool
    /// `nil` in a compact list.
    let more: More?
    let cells: [ListCell]
    /// `nil` if the row is closed.
    let opened: OpenedRow?
    let notice: ShownNotice?

    /// In characters.
    private static let longestUncutKey = 12

    struct More: Hashable, PagePart {
        let type: String
        let tags: [TextLink]
    }

    init(_ entry: FlagEntry, in view: borrowing CatalogueView, _ rows: ListRows = ListRows()) {
        key = entry.key.text
        keyText = entry.key.shownText
        href = PageLink.flag(entry.key)
        anchor = view.list.returning == entry.key ? ReturnToList.anchor : nil
        name = ShownName(entry.definition.shownName)
        icon = FlagIcon.symbol(of: entry.definition)
        groups =
            rows.showsGroups && entry.definition.isInOwnGroup
            ? entry.definition.groups.map { view.name(of: $0) }.joined(separator: " › ") : nil
        isFavourite = view.memory.favourites.contains(entry.key)
        summary = Self.summary(entry.definition.metadata.description)
        keyTitle = summary == nil && keyText.count > Self.longestUncutKey ? keyText : nil
        state = entry.state.rawValue
        isLastRead = entry.resolution.isStale
        control = isLastRead ? nil : Self.control(entry, view)
        fixed = control == nil ? FixedSwitch(entry) : nil
        value = control == nil && fixed == nil ? ShownValue(inRow: entry.resolution) : nil
        source = entry.resolution.source.words + (isLastRead ? " (old)" : "")
        let opened = rows.opened?.key == entry.key ? rows.opened?.row : nil
        openHref = opened?.closeHref ?? view.list.href(opening: entry.key)
        let change = rows.lastChanges[entry.key].map { LastChangeLabel($0, now: view.now) }
        let cells = rows.columns.map { ListCell($0, entry, change) }
        self.cells = cells.allSatisfy(\.isEmpty) ? [] : cells
        marks = (view.isBroken(entry) ? [.broken] : []) + FlagMark.marks(of: entry, in: view)
        problems = view.problems(of: entry) + view.conflictProblems(of: entry)
        canSelect = view.canSelect
        isTicked = view.list.ticked.contains(entry.key)
        more =
            view.list.density == .roomy
            ? More(
                type: entry.definition.type.rawValue,
                tags: entry.definition.metadata.tags.map { TextLink(label: $0, href: FlagFilter([.tag: $0]).href) })
            : nil
        self.opened = opened
        notice = view.list.notice(about: entry, in: view)
    }

    /// `nil` if a change requires a restart, which only the open row's form asks about.
    private static func control(_ entry: FlagEntry, _ view: CatalogueView) -> BooleanControl? {
        guard entry.definition.type == .bool, !entry.definition.metadata.requiresRestart,
            let provider = EditorAccess(entry, view, wanted: nil, form: nil).provider
        else { return nil }
        return BooleanControl(
            entry, in: provider, isUsual: provider == view.catalogue.usualProvider(for: entry.key)?.name)
    }

    private static func summary(_ description: String) -> String? {
        guard !description.isEmpty else { return nil }
        return description.count > 152 ? description.prefix(140) + "…" : description
    }
}

/// A flag's name, where a long one is cut in its middle: names often differ at their ends.
struct ShownName: Hashable, PagePart {
    let whole: String
    let start: String
    /// The end that stays visible; `nil` for a short name.
    let end: String?

    private static let (longest, lengthOfEnd) = (28, 12)

    init(_ name: String) {
        whole = name
        let isLong = name.count > Self.longest
        start = isLong ? String(name.dropLast(Self.lengthOfEnd)) : name
        end = isLong ? String(name.suffix(Self.lengthOfEnd)) : nil
    }
}

struct ListCell: Hashable, PagePart {
    let text: String?
    let links: [TextLink]
    /// The links after the first, for a list that has room for one only.
    let more: MoreTags?
    let change: LastChangeLabel?

    var isEmpty: Bool { text == nil && links.isEmpty && change == nil }

    init(_ column: ListColumn, _ entry: FlagEntry, _ change: LastChangeLabel?) {
        let metadata = entry.definition.metadata
        text =
            switch column {
            case .type: entry.definition.type.rawValue
            case .owner: metadata.owner
            case .tags, .changed: nil
            }
        links = column == .tags ? metadata.tags.map { TextLink(label: $0, href: FlagFilter([.tag: $0]).href) } : []
        more = MoreTags(links.dropFirst().map(\.label))
        self.change = column == .changed ? change : nil
    }
}

struct MoreTags: Hashable, PagePart {
    /// For example `+2`.
    let count: String
    let names: String

    init?(_ names: [String]) {
        guard !names.isEmpty else { return nil }
        (count, self.names) = ("+\(names.count)", names.joined(separator: ", "))
    }
}

struct LastChangeLabel: Hashable, PagePart {
    /// `nil` for an edit outside Flagboard, whose author is unknown.
    let actor: String?
    /// For example `3 hours ago`.
    let ago: String
    /// For machines.
    let machine: String
    let href: String
    let isAltered: Bool

    init(_ change: LastChange, now: Date) {
        actor = HistoryEvent.isNobody(change.actor, isExternal: change.isExternal) ? nil : change.actor
        ago = TimeText.ago(change.at, now: now)
        machine = TimeText.machine(change.at)
        href = PageLink.change(change.id)
        isAltered = change.isAltered
    }
}

extension ReturnToList {
    func href(opening key: FlagKeyPath) -> String {
        let start = href.utf8.contains(UInt8(ascii: "?")) ? "&" : "?"
        return "\(href)\(start)\(FlagFilter.openField)=\(PageLink.encode(key.text))#\(ReturnToList.anchor)"
    }

    func notice(about entry: FlagEntry, in view: CatalogueView) -> ShownNotice? {
        guard let saved, saved.key == entry.key else { return nil }
        return ShownNotice(saved.notice, entry, in: view, back: href)
    }
}

struct ListRows {
    /// Empty unless a column or the order needs it.
    var lastChanges: [FlagKeyPath: LastChange] = [:]
    var columns: [ListColumn] = []
    var opened: (key: FlagKeyPath, row: OpenedRow)?
    var showsGroups = false
}
