import FlagChanges

/// What waits for a restart of the app, at the top of every page.
struct RestartBanner: Hashable, PagePart {
    /// How many flags are named; a file with more has a sentence for the others.
    private static let mostItems = 20
    /// How many flags are shown without being asked for.
    private static let mostOpen = 3

    let heading: String
    let items: [Item]
    let hasItems: Bool
    let isShort: Bool
    /// That there are more than are named.
    let more: String?
    /// That more may have changed than is known; `nil` where all is known.
    let caution: String?
    /// What the button reports as taken up: the newest row of the history; `nil` where the viewer may not report it.
    let row: String?

    /// One flag that waits.
    struct Item: Hashable, PagePart {
        let name: String
        let href: String
        let before: String
        let now: String
        /// That what it was before is not proven; `nil` where it is.
        let doubt: String?
    }

    /// Makes the banner; `nil` where nothing waits.
    ///
    /// That it is not known whether anything does is told to those who can do something about it.
    init?(_ view: CatalogueView) {
        let pending = view.pendingRestart
        let mayReport = view.visitor.map { $0.person.role != .viewer } ?? false
        let canReport = mayReport && view.status.block == nil
        guard !pending.waits.isEmpty || pending.lacksPruned && canReport else { return nil }
        let count = pending.waits.count
        heading =
            switch count {
            case 0: "It is not known whether changes wait for a restart of the app"
            case 1: "1 change waits for a restart of the app"
            default: "\(count) changes wait for a restart of the app"
            }
        hasItems = count > 0
        items = pending.waits.prefix(Self.mostItems).map { wait in
            Item(
                name: wait.name.isEmpty ? wait.key.shownText : wait.name, href: PageLink.flag(wait.key),
                before: ShownValue(wait.before).plain, now: ShownValue(wait.now).plain,
                doubt: wait.alteredRow.map {
                    "Not proven: change \($0), which recorded what was before, was altered later."
                })
        }
        isShort = count <= Self.mostOpen
        more = count > Self.mostItems ? "And \(count - Self.mostItems) more." : nil
        caution =
            pending.lacksPruned
            ? "Rows of the history since the app was last restarted were pruned: what changed in them is not told here."
            : nil
        row = canReport ? String(pending.lastRow) : nil
    }
}
