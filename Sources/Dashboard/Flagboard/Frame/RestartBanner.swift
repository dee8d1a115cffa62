import FlagChanges

/// Changes that wait for a restart of the app, at the top of every page.
struct RestartBanner: Hashable, PagePart {
    private static let mostItems = 20
    private static let mostOpen = 3

    let heading: String
    let items: [Item]
    let hasItems: Bool
    let isShort: Bool
    let more: String?
    /// A note that pruned history may hide changes.
    let caution: String?
    /// The newest row, which the button reports as applied; `nil` if the viewer may not report.
    let row: String?

    struct Item: Hashable, PagePart {
        let name: String
        let href: String
        let before: String
        let now: String
        let doubt: String?
    }

    /// `nil` if nothing waits.
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
            case 0: "Changes may be pending app restart"
            case 1: "1 change pending app restart"
            default: "\(count) changes pending app restart"
            }
        hasItems = count > 0
        items = pending.waits.prefix(Self.mostItems).map { wait in
            Item(
                name: wait.name.isEmpty ? wait.key.shownText : wait.name, href: PageLink.flag(wait.key),
                before: ShownValue(wait.before).plain, now: ShownValue(wait.now).plain,
                doubt: wait.alteredRow.map {
                    "Unverified: change \($0), which recorded the earlier value, was altered."
                })
        }
        isShort = count <= Self.mostOpen
        more = count > Self.mostItems ? "And \(count - Self.mostItems) more." : nil
        caution =
            pending.lacksPruned
            ? "History since the last restart was pruned, so some pending changes may be missing here."
            : nil
        row = canReport ? String(pending.lastRow) : nil
    }
}
