import FeatureFlags
import FlagChanges
import FlagHistory
import Foundation

/// One flag in the list.
struct FlagRow: Hashable, PagePart {
    let key: String
    /// The key path as it is shown.
    let keyText: String
    let href: String
    /// What a list that is come back to scrolls to, of the one row that it does.
    let anchor: String?
    let name: String
    /// Whether the viewer comes back to it.
    let isFavourite: Bool
    let summary: String?
    /// The state's name, for the style sheet and for tests.
    let state: String
    /// Changes the flag where it stands, and says what it is; for a Boolean that may be changed so.
    let control: BooleanControl?
    /// What the flag is, where no control says so.
    let value: ShownValue?
    let source: String
    /// Whether that is the last good value of a source that is broken now.
    let isLastRead: Bool
    /// The list in which the row is open; where it is, the one in which it is closed.
    let openHref: String
    let marks: [FlagMark]
    /// Whether anything stands beside the source.
    let hasMarks: Bool
    /// What is broken, or left to be chosen by a merge, and in which provider.
    let problems: [String]
    /// Whether the row can be ticked, to change it with others.
    let canSelect: Bool
    let isTicked: Bool
    /// What there is room for in a list of a few flags; `nil` in a compact one.
    let more: More?
    /// What it says in the columns beside those of every list.
    let cells: [ListCell]
    /// What the open row shows; `nil` where it is closed.
    let opened: OpenedRow?
    /// What has just been done to the flag.
    let notice: ShownNotice?

    /// What there is room for in a list of a few flags.
    struct More: Hashable, PagePart {
        let type: String
        let tags: [TextLink]
    }

    /// Makes the row.
    ///
    /// - Parameter lastChange: The flag's last change, where the list has a column of it.
    init(_ entry: FlagEntry, in view: CatalogueView, _ rows: ListRows = ListRows()) {
        let definition = entry.definition
        key = entry.key.text
        keyText = entry.key.shownText
        href = PageLink.flag(entry.key)
        anchor = view.list.returning == entry.key ? ReturnToList.anchor : nil
        name = definition.shownName
        isFavourite = view.memory.favourites.contains(entry.key)
        summary = Self.summary(definition.metadata.description)
        state = entry.state.rawValue
        isLastRead = entry.resolution.isStale
        control = isLastRead ? nil : Self.control(entry, view)
        value = control == nil ? ShownValue(inRow: entry, entry.resolution) : nil
        source = entry.resolution.source.words + (isLastRead ? ", as last read" : "")
        let opened = rows.opened?.key == entry.key ? rows.opened?.row : nil
        openHref = opened?.closeHref ?? view.list.href(opening: entry.key)
        let change = rows.lastChanges[entry.key].map { LastChangeLabel($0, now: view.now) }
        cells = rows.columns.map { ListCell($0, entry, change) }
        let marks = (view.isBroken(entry) ? [.broken] : []) + FlagMark.marks(of: entry, in: view)
        self.marks = marks
        hasMarks = !marks.isEmpty || view.list.density == .roomy
        problems = view.problems(of: entry) + view.conflictProblems(of: entry)
        canSelect = view.canSelect
        isTicked = view.list.ticked.contains(entry.key)
        more =
            view.list.density == .roomy
            ? More(
                type: definition.type.rawValue,
                tags: definition.metadata.tags.map { TextLink(label: $0, href: FlagFilter(tag: $0).href) })
            : nil
        self.opened = opened
        notice = view.list.notice(about: entry, in: view)
    }

    /// The control of a Boolean; one whose change waits for a restart is changed in the open row, which asks about that.
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

/// What a row says in a column beside those of every list.
struct ListCell: Hashable, PagePart {
    let text: String?
    let links: [TextLink]
    let change: LastChangeLabel?

    /// Fills a cell.
    ///
    /// - Parameter change: Its last change, where there is one.
    init(_ column: ListColumn, _ entry: FlagEntry, _ change: LastChangeLabel?) {
        let metadata = entry.definition.metadata
        text =
            switch column {
            case .type: entry.definition.type.rawValue
            case .owner: metadata.owner
            case .tags, .changed: nil
            }
        links = column == .tags ? metadata.tags.map { TextLink(label: $0, href: FlagFilter(tag: $0).href) } : []
        self.change = column == .changed ? change : nil
    }
}

/// Who changed a flag last, and when, in a row of the list.
struct LastChangeLabel: Hashable, PagePart {
    let actor: String
    /// Such as `3 hours ago`.
    let ago: String
    /// When, as machines read it.
    let machine: String
    let href: String
    let isAltered: Bool

    /// Tells of a change.
    init(_ change: LastChange, now: Date) {
        actor = change.actor
        ago = TimeText.ago(change.at, now: now)
        machine = TimeText(change.at).machine
        href = PageLink.change(change.id)
        isAltered = change.isAltered
    }
}

extension ReturnToList {
    /// The list with a flag's row open, and come to.
    func href(opening key: FlagKeyPath) -> String {
        let start = href.utf8.contains(UInt8(ascii: "?")) ? "&" : "?"
        return "\(href)\(start)\(FlagFilter.openField)=\(PageLink.encode(key.text))#\(ReturnToList.anchor)"
    }

    /// What to say in a flag's row.
    func notice(about entry: FlagEntry, in view: CatalogueView) -> ShownNotice? {
        guard let saved, saved.key == entry.key else { return nil }
        return ShownNotice(saved.notice, entry, in: view, back: href)
    }
}

/// What the rows of a list say beside the flags themselves.
struct ListRows {
    /// The last change of each flag, where the list tells of it.
    var lastChanges: [FlagKeyPath: LastChange] = [:]
    /// The columns beside those of every list.
    var columns: [ListColumn] = []
    /// The row that is open.
    var opened: (key: FlagKeyPath, row: OpenedRow)?
}
