import FeatureFlags
import FlagChanges

struct ActiveCriterion: Hashable, PagePart {
    /// For example `Tag`.
    let title: String
    let label: String
    let href: String
    /// The number of flags without the criterion.
    let countText: String

    static let searchTitle = "Search"

    static func all(of filter: FlagFilter, _ found: FoundFlags, _ view: CatalogueView) -> [ActiveCriterion] {
        func criterion(
            _ title: String, _ label: String, _ rest: FlagFilter, _ misses: FlagFilter.Misses, count: Int? = nil
        ) -> Self {
            Self(
                title: title, label: label, href: rest.href,
                countText: FlagListWords.count(count ?? found.entries.count + (found.missedBy[misses] ?? 0)))
        }
        var criteria: [ActiveCriterion] = []
        if filter.hasText { criteria.append(criterion(searchTitle, filter.text, filter.with(\.text, ""), .text)) }
        for one in FlagCriterion.all {
            let values = filter.parts(one)
            for value in values {
                let rest = filter.toggling(one, value)
                // The pass counted what dropping the whole criterion adds.
                let count = values.count == 1 ? nil : FoundFlags(rest, in: view).entries.count
                criteria.append(criterion(one.title, one.label(value, view), rest, one.misses, count: count))
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
