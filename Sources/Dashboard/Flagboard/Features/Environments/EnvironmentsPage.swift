import FeatureFlags
import FlagChanges

/// Every flag in every environment.
struct EnvironmentsPage: PageModel {
    static let template = "environments"

    let frame: PageFrame
    let countText: String
    let bases: [ChoiceOption]
    let base: String
    let search: String
    /// The extent's name in the address, if any.
    let show: String?
    /// The address for the copy form, which keeps the filter when a copy is refused.
    let copyAction: String
    /// The page of the list in the form; `nil` for the first one.
    let pageNumber: String?
    let problems: [String]
    let refusal: String?
    let extents: [FacetLink]
    let columns: [Column]
    let rows: [EnvironmentRow]
    /// The copy form; `nil` when nothing can be copied.
    let copying: Copying?
    let copyRefusals: [String]
    let empty: EmptyState?
    let pages: ListPages?

    struct Column: Hashable, PagePart {
        let name: String
        let about: String
        let access: String
        let isBase: Bool
    }

    struct Copying: Hashable, PagePart {
        let sources: [ChoiceOption]
        let targets: [ChoiceOption]
    }

    init(
        frame: PageFrame, view: CatalogueView, filter: EnvironmentFilter, problem: String? = nil,
        copy: (source: String, target: String)? = nil, chosen: Set<FlagKeyPath> = []
    ) {
        let matrix = EnvironmentMatrix(view, filter)
        let environments = matrix.environments
        let isMatrix = environments.count > 1
        let opened = filter.extent ?? (matrix.found.contains(where: \.isDifferent) ? .different : .all)
        let listed = isMatrix ? matrix.found.filter(opened.contains) : []
        self.frame = frame.titled("Environments", in: .environments)
        countText = FlagListWords.count(listed.count)
        bases = environments.map { ChoiceOption(value: $0.name, label: $0.name, isSelected: $0.name == filter.base) }
        base = filter.base
        search = filter.text
        show = filter.extent?.rawValue
        copyAction = filter.href
        pageNumber = filter.page > 1 ? String(filter.page) : nil
        problems =
            filter.problems + [ListPages.problem(count: listed.count, page: filter.page)].compactMap(\.self)
        refusal = problem
        extents = isMatrix ? Self.extents(matrix, filter, opened) : []
        columns = environments.map { environment in
            Column(
                name: environment.name, about: environment.description,
                access: ProviderLabel(environment, view.status).access, isBase: environment.name == filter.base)
        }
        let targets = environments.map(\.name).filter { view.refusal(ofChangesIn: .provider($0)) == nil }
        let isCopyable = isMatrix && !targets.isEmpty && listed.contains(where: \.isDifferent)
        let range = ListPages.range(of: listed.count, page: filter.page)
        rows = listed[range].enumerated().map { number, row in
            EnvironmentRow(
                row, of: matrix, in: view, copyingTo: targets.contains(filter.base) ? filter.base : nil,
                number: isCopyable ? number + 1 : nil, isChosen: chosen.contains(row.entry.key))
        }
        copying = isCopyable ? Self.copying(environments.map(\.name), targets, filter, copy) : nil
        copyRefusals = isMatrix && !rows.isEmpty ? Self.refusals(environments.map(\.name), in: view) : []
        pages = ListPages(count: listed.count, page: filter.page) { filter.showing(page: $0).href }
        empty = Self.empty(matrix, filter, opened, isEmpty: listed.isEmpty)
    }

    private static func extents(
        _ matrix: EnvironmentMatrix, _ filter: EnvironmentFilter, _ opened: EnvironmentFilter.Extent
    ) -> [FacetLink] {
        EnvironmentFilter.Extent.allCases.map { extent in
            let label =
                switch extent {
                case .different: "Different"
                case .same: "The same everywhere"
                case .all: "All"
                }
            return FacetLink(
                label: label, count: matrix.found.count(where: extent.contains), href: filter.showing(extent).href,
                isCurrent: extent == opened)
        }
    }

    /// Preselects the base as target, and the first other environment as source.
    private static func copying(
        _ names: [String], _ targets: [String], _ filter: EnvironmentFilter,
        _ copy: (source: String, target: String)?
    ) -> Copying {
        let target =
            [copy?.target, filter.base].compactMap(\.self).first(where: targets.contains) ?? targets.first ?? ""
        let source =
            [copy?.source].compactMap(\.self).first(where: names.contains) ?? names.first { $0 != target } ?? ""
        return Copying(
            sources: names.map { ChoiceOption(value: $0, label: $0, isSelected: $0 == source) },
            targets: targets.map { ChoiceOption(value: $0, label: $0, isSelected: $0 == target) })
    }

    private static func refusals(_ names: [String], in view: CatalogueView) -> [String] {
        if let general = view.refusalOfChanges { return ["Nothing can be copied: \(general)"] }
        return names.compactMap { name in
            view.refusal(ofChangesIn: .provider(name)).map { "Nothing can be copied to \(name): \($0)" }
        }
    }

    private static func empty(
        _ matrix: EnvironmentMatrix, _ filter: EnvironmentFilter, _ opened: EnvironmentFilter.Extent, isEmpty: Bool
    ) -> EmptyState? {
        guard matrix.environments.count > 1 else {
            return EmptyState(
                heading: "One environment",
                advice:
                    "This page sets the files of several environments side by side. Start Flagboard with one more, such "
                    + "as --provider staging=staging.xml:env.",
                link: TextLink(label: "Back to the flags", href: PageLink.flags))
        }
        guard isEmpty else { return nil }
        guard matrix.found.isEmpty else {
            return EmptyState(
                heading: opened == .different ? "No difference" : "No such flag",
                advice: "The links above lead to the other flags.",
                link: TextLink(label: "Show all flags", href: filter.showing(.all).href))
        }
        guard filter.text.allSatisfy(\.isWhitespace) else {
            var all = filter.showing()
            all.text = ""
            return EmptyState(
                heading: "No flag matches", advice: FlagListWords.searchAdvice,
                link: TextLink(label: "Clear the search", href: all.href))
        }
        return EmptyState(
            heading: "No flags yet", advice: "This page tells what each flag is in each environment.",
            link: TextLink(label: "How to make the first flag", href: PageLink.flags))
    }
}
