import FlagChanges

/// Changes that wait for a restart of the app, at the top of every page.
struct RestartBanner: Hashable, PagePart {
    private static let mostItems = 20
    /// Limit of flags shown unfolded.
    private static let mostOpen = 3

    let heading: String
    let items: [Item]
    let hasItems: Bool
    let isShort: Bool
    let more: String?
    /// A note that pruned history may hide changes.
    let caution: String?
    /// The newest history row, which the button reports as applied; `nil` if the viewer may not report.
    let row: String?

    struct Item: Hashable, PagePart {
        let name: String
        let href: String
        let before: String
        let now: String
        let doubt: String?
    }

    /// Creates the banner; `nil` if nothing waits.
    ///
    /// Only viewers who can report a restart learn that the history is incomplete.
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
