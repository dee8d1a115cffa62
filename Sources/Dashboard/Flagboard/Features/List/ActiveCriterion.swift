import FeatureFlags
import FlagChanges

/// A link that drops a criterion.
struct ActiveCriterion: Hashable, PagePart {
    /// For example `Tag`.
    let title: String
    let label: String
    let href: String
    /// The number of flags without the criterion.
    let countText: String

    static let searchTitle = "Search"

    static func all(of filter: FlagFilter, _ found: FoundFlags, _ view: CatalogueView) -> [ActiveCriterion] {
        func criterion(_ title: String, _ label: String, _ rest: FlagFilter, _ misses: FlagFilter.Misses) -> Self {
            Self(
                title: title, label: label, href: rest.href,
                countText: FlagListWords.count(found.entries.count + (found.missedBy[misses] ?? 0)))
        }
        var criteria: [ActiveCriterion] = []
        if filter.hasText { criteria.append(criterion(searchTitle, filter.text, filter.with(\.text, ""), .text)) }
        if let state = filter.state {
            criteria.append(criterion("State", state.label, filter.with(\.state, nil), .state))
        }
        for mark in FlagFilter.Mark.allCases where filter.marks.contains(mark) {
            let rest = filter.with(\.marks, filter.marks.subtracting([mark]))
            criteria.append(criterion("Mark", mark.label, rest, .mark(mark)))
        }
        if let group = filter.group {
            criteria.append(criterion("Group", view.name(of: group), filter.with(\.group, nil), .group))
        }
        if let tag = filter.tag { criteria.append(criterion("Tag", tag, filter.with(\.tag, nil), .tag)) }
        if let owner = filter.owner {
            criteria.append(criterion("Owner", owner, filter.with(\.owner, nil), .owner))
        }
        if let type = filter.type { criteria.append(criterion("Type", type.rawValue, filter.with(\.type, nil), .type)) }
        if let provider = filter.provider {
            criteria.append(criterion("Source", provider, filter.with(\.provider, nil), .provider))
        }
        return criteria
    }
}
