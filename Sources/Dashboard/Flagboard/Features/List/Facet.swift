import FeatureFlags
import FlagChanges

/// The values of a criterion, each with the number of flags that it leaves.
struct Facet: Hashable, PagePart {
    let title: String
    let links: [FacetLink]
    let more: More?

    struct More: Hashable, PagePart {
        let label: String
        let links: [FacetLink]
    }

    /// Links before folding, give or take two.
    private static let room = 10

    static func all(_ found: FoundFlags, _ view: CatalogueView, _ filter: FlagFilter) -> [Facet] {
        func link(to mark: FlagFilter.Mark) -> FacetLink? {
            let isCurrent = filter.marks.contains(mark)
            return Self.link(
                mark.label, found.marks[mark], isCurrent: isCurrent,
                filter.with(\.marks, filter.marks.symmetricDifference([mark])))
        }
        let criteria = FlagCriterion.all.flatMap { criterion in
            switch criterion.values {
            case .states:
                [
                    Facet(criterion.title, links(criterion, found, view, filter)),
                    Facet("Status", FlagFilter.Mark.allCases.filter { !$0.isOfViewer }.compactMap(link(to:))),
                ]
            case .keyPath: [Facet(criterion.title, groups(found, view, filter))]
            case .words, .text: [Facet(criterion.title, links(criterion, found, view, filter))]
            }
        }
        return ([Facet("Personal", [.favourite, .edited].compactMap(link(to:)))] + criteria).filter {
            !$0.links.isEmpty
        }
    }

    private init(_ title: String, _ links: [FacetLink]) {
        let links = links.filter(\.isCurrent) + links.filter { !$0.isCurrent }
        let hasRoom = links.count <= Self.room + 2
        self.title = title
        self.links = hasRoom ? links : Array(links.prefix(Self.room))
        more =
            hasRoom
            ? nil : More(label: "Show \(links.count - Self.room) more", links: Array(links.dropFirst(Self.room)))
    }

    private static func links(
        _ criterion: FlagCriterion, _ found: FoundFlags, _ view: CatalogueView, _ filter: FlagFilter
    ) -> [FacetLink] {
        let (current, counts) = (filter.parts(criterion), found.counts[criterion] ?? [:])
        let choices = criterion.choices?(view) ?? []
        let others = Set(counts.keys).union(current).subtracting(choices)
        return (choices + others.sorted(by: NaturalOrder.precedes)).compactMap { value in
            link(
                criterion.label(value, view), counts[value], isCurrent: current.contains(value),
                filter.toggling(criterion, value))
        }
    }

    private static func groups(_ found: FoundFlags, _ view: CatalogueView, _ filter: FlagFilter) -> [FacetLink] {
        let current = filter[.group].flatMap { FlagKeyPath(text: $0) }.flatMap { group in
            link(
                view.name(of: group), found.entries.count, isCurrent: true, filter.with(.group, group.parent?.text))
        }
        return (current.map { [$0] } ?? [])
            + zip(found.groups, filter.hrefs(ofGroups: found.groups.map(\.key))).map { group, href in
                FacetLink(label: view.name(of: group.key), count: group.count, href: href, isCurrent: false)
            }
    }

    private static func link(_ label: String, _ count: Int?, isCurrent: Bool, _ target: FlagFilter) -> FacetLink? {
        guard count != nil || isCurrent else { return nil }
        return FacetLink(label: label, count: count ?? 0, href: target.href, isCurrent: isCurrent)
    }
}
