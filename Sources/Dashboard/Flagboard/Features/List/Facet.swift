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

    /// The most links before folding, give or take two.
    private static let room = 10

    static func all(_ found: FoundFlags, _ view: CatalogueView, _ filter: FlagFilter) -> [Facet] {
        func link(to mark: FlagFilter.Mark) -> FacetLink? {
            let isCurrent = filter.marks.contains(mark)
            return Self.link(
                mark.label, found.marks[mark], isCurrent: isCurrent,
                filter.with(\.marks, filter.marks.symmetricDifference([mark])))
        }
        let marks = FlagFilter.Mark.allCases.filter { !$0.isOfViewer }.compactMap(link(to:))
        let sources =
            view.catalogue.providers.filter(\.isAsked).map(\.name) + [FlagFilter.defaultSource]
            + found.providers.keys.filter { $0 == FlagResolution.Source.computed.filterName }
        return [
            Facet("Yours", [.favourite, .edited].compactMap(link(to:))),
            facet("State", filter, \.state, FlagFilter.State.allCases, \.label, found.states),
            Facet("Marks", marks),
            Facet("Group", groups(found, view, filter)),
            facet("Tag", filter, \.tag, found.tags.keys.sorted(), \.self, found.tags),
            facet("Owner", filter, \.owner, found.owners.keys.sorted(), \.self, found.owners),
            facet("Type", filter, \.type, FlagType.allCases, \.rawValue, found.types),
            facet("Source", filter, \.provider, sources, \.self, found.providers),
        ].filter { !$0.links.isEmpty }
    }

    private init(_ title: String, _ links: [FacetLink]) {
        // The current link is never folded.
        let links = links.filter(\.isCurrent) + links.filter { !$0.isCurrent }
        let hasRoom = links.count <= Self.room + 2
        self.title = title
        self.links = hasRoom ? links : Array(links.prefix(Self.room))
        more =
            hasRoom
            ? nil : More(label: "\(links.count - Self.room) more", links: Array(links.dropFirst(Self.room)))
    }

    private static func facet<Value: Hashable>(
        _ title: String, _ filter: FlagFilter, _ criterion: WritableKeyPath<FlagFilter, Value?>, _ values: [Value],
        _ label: (Value) -> String, _ counts: [Value: Int]
    ) -> Facet {
        let current = filter[keyPath: criterion]
        let known = current.map { values.contains($0) ? values : values + [$0] } ?? values
        return Facet(
            title,
            known.compactMap { value in
                let isCurrent = current == value
                return link(
                    label(value), counts[value], isCurrent: isCurrent, filter.with(criterion, isCurrent ? nil : value))
            })
    }

    private static func groups(_ found: FoundFlags, _ view: CatalogueView, _ filter: FlagFilter) -> [FacetLink] {
        let current = filter.group.flatMap { group in
            link(
                view.name(of: group), found.entries.count, isCurrent: true, filter.with(\.group, group.parent))
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
