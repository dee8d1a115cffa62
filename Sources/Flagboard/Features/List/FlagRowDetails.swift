import FeatureFlags
import FlagChanges
import FlagHistory

/// What a row of a list without groups tells beyond the flag: its groups, and its last change.
struct FlagRowDetails: Hashable, Sendable {
    /// The groups that it stands in, outermost first, each as the list of it alone.
    let groups: [TextLink]
    let hasGroups: Bool
    let change: Change?

    /// Who changed it last, and when.
    struct Change: Hashable, Sendable {
        let actor: String
        /// Such as `3 hours ago`.
        let ago: String
        /// When, as machines read it.
        let machine: String
        let href: String
    }

    init(_ entry: FlagEntry, in view: CatalogueView, _ change: LastChange? = nil) {
        groups = entry.key.ancestors.map { TextLink(label: view.name(of: $0), href: FlagFilter(group: $0).href) }
        hasGroups = !groups.isEmpty
        self.change = change.map {
            Change(
                actor: $0.actor, ago: TimeText.ago($0.at, now: view.now), machine: TimeText($0.at).machine,
                href: PageLink.change($0.id))
        }
    }
}

extension FlagRowDetails: PagePart {
    static let fields: PageFields<Self> = [
        "groups": .of(\.groups), "hasGroups": .of(\.hasGroups), "change": .of(\.change),
    ]
}

extension FlagRowDetails.Change: PagePart {
    static let fields: PageFields<Self> = [
        "actor": .of(\.actor), "ago": .of(\.ago), "machine": .of(\.machine), "href": .of(\.href),
    ]
}
