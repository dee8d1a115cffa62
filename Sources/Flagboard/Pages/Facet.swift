import FeatureFlags
import FlagChanges

/// One criterion of the list as links, each with how many flags it leaves.
struct Facet: Hashable, Sendable {
    let title: String
    let links: [FacetLink]

    /// Every criterion that tells flags apart.
    ///
    /// - Parameters:
    ///   - view: All flags.
    ///   - filter: What the list shows now; each criterion is counted under the others.
    /// - Returns: Those that leave any flag.
    static func all(_ view: CatalogueView, _ filter: FlagFilter) -> [Facet] {
        let catalogue = view.catalogue
        let states = facet("State", view, filter, \.state, FlagFilter.State.allCases, \.label) {
            $1.matches($0, in: view)
        }
        let tags = Set(catalogue.entries.flatMap(\.definition.metadata.tags)).sorted()
        let tagFacet = facet("Tag", view, filter, \.tag, tags, \.self) {
            $0.definition.metadata.tags.contains($1)
        }
        let sources = catalogue.providers.map(\.name) + [FlagFilter.defaultSource]
        let sourceFacet = facet("Source", view, filter, \.provider, sources, \.self) {
            $0.resolution.source.filterName == $1
        }
        return [states, tagFacet, sourceFacet].filter { !$0.links.isEmpty }
    }

    private static func facet<Value: Hashable>(
        _ title: String, _ view: CatalogueView, _ filter: FlagFilter,
        _ criterion: WritableKeyPath<FlagFilter, Value?>, _ values: [Value], _ label: (Value) -> String,
        matches: (FlagEntry, Value) -> Bool
    ) -> Facet {
        let others = filter.with(criterion, nil)
        let entries = view.catalogue.entries.filter { others.matches($0, in: view) }
        let links = values.compactMap { value -> FacetLink? in
            let count = entries.count { matches($0, value) }
            let isCurrent = filter[keyPath: criterion] == value
            guard count > 0 || isCurrent else { return nil }
            let target = isCurrent ? others : filter.with(criterion, value)
            return FacetLink(label: label(value), count: count, href: target.href, isCurrent: isCurrent)
        }
        return Facet(title: title, links: links)
    }
}

/// A link that narrows the list, or widens it again where it is the current one.
struct FacetLink: Hashable, Sendable {
    let label: String
    let count: Int
    let href: String
    let isCurrent: Bool
}
