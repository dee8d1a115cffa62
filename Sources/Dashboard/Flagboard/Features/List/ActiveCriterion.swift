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
        for one in FlagCriterion.all {
            if let value = filter[one] {
                criteria.append(criterion(one.title, one.label(value, view), filter.with(one, nil), one.misses))
            }
            guard case .states = one.values else { continue }
            for mark in FlagFilter.Mark.allCases where filter.marks.contains(mark) {
                let rest = filter.with(\.marks, filter.marks.subtracting([mark]))
                criteria.append(criterion("Status", mark.label, rest, .mark(mark)))
            }
        }
        return criteria
    }
}
