import FeatureFlags
import FlagChanges

/// The comparison of two sides for all flags.
struct ComparePage: PageModel {
    static let template = "compare"

    let frame: PageFrame
    let countText: String
    let lefts: [ChoiceOption]
    let rights: [ChoiceOption]
    let left: String
    let right: String
    let search: String
    /// The extent's name in the address.
    let show: String
    let exchangeHref: String
    /// The address for the copy form, which keeps the comparison when a copy is refused.
    let copyAction: String
    /// The page of the list in the form; `nil` for the first one.
    let pageNumber: String?
    let problems: [String]
    let refusal: String?
    let extents: [FacetLink]
    let rows: [ComparedRow]
    let leftLabel: String
    let rightLabel: String
    let copying: Copying?
    let copyRefusals: [String]
    let empty: EmptyState?
    let pages: ListPages?

    struct Copying: Hashable, PagePart {
        let targets: [CopyTarget]
        let advice: String
    }

    init(
        frame: PageFrame, view: CatalogueView, filter: CompareFilter, problem: String? = nil,
        chosen: Set<FlagKeyPath> = []
    ) {
        let sides = CompareSide.all(view.catalogue.providers)
        let (comparison, filter) = Self.opened(filter, in: view)
        let unreadable = comparison.flatMap { Self.unreadable($0, view) }
        let items = unreadable == nil ? comparison?.listed ?? [] : []
        let title = comparison.map { "\($0.left.label) and \($0.right.label)" }
        self.frame = frame.titled(title.map { "Compare \($0)" } ?? "Compare", in: .compare)
        countText = comparison == nil || unreadable != nil ? "Nothing compared" : FlagListWords.count(items.count)
        lefts = Self.options(sides, filter.left)
        rights = Self.options(sides, filter.right)
        (left, right) = (filter.left, filter.right)
        search = filter.text
        show = filter.extent.name
        exchangeHref = filter.exchangedHref
        copyAction = filter.href
        pageNumber = filter.page > 1 ? String(filter.page) : nil
        problems =
            filter.problems
            + [unreadable, ListPages.problem(count: items.count, page: filter.page)]
            .compactMap(\.self)
        refusal = problem
        extents = unreadable == nil ? comparison.map { Self.extents($0, filter) } ?? [] : []
        let targets = comparison.map { CopyTarget.both($0, in: view) } ?? []
        let directions = targets.filter { $0.refusal == nil }.compactMap {
            CopyDirection(rawValue: $0.target.direction)
        }
        let range = ListPages.range(of: items.count, page: filter.page)
        rows =
            comparison.map { comparison in
                items[range].enumerated().map { number, item in
                    ComparedRow(
                        item, comparison, number: number + 1, directions: directions,
                        isChosen: chosen.contains(item.entry.key))
                }
            } ?? []
        leftLabel = comparison?.left.label ?? ""
        rightLabel = comparison?.right.label ?? ""
        copying = Self.copying(targets)
        copyRefusals = rows.isEmpty ? [] : Self.refusals(targets, in: view)
        pages = ListPages(count: items.count, page: filter.page) { filter.showing(page: $0).href }
        empty = unreadable == nil ? comparison.flatMap { Self.empty($0, filter, items.isEmpty) } : nil
    }

    /// Returns the comparison, narrowed to changed flags if no extent was requested and there are any.
    private static func opened(
        _ filter: CompareFilter, in view: CatalogueView
    ) -> (comparison: Comparison?, filter: CompareFilter) {
        let comparison = filter.chosen.map {
            Comparison($0, text: filter.text, filter.extent, in: view, countsDefaults: false)
        }
        guard let sides = filter.chosen, !filter.namesExtent,
            comparison?.found.contains(where: { $0.difference == .changed }) == true
        else { return (comparison, filter) }
        let changed = filter.showing(.only(.changed), page: filter.page)
        return (Comparison(sides, text: changed.text, changed.extent, in: view, countsDefaults: false), changed)
    }

    private static func options(_ sides: [CompareSide], _ selected: String) -> [ChoiceOption] {
        let isKnown = sides.contains { $0.name == selected }
        return sides.map { ChoiceOption(value: $0.name, label: $0.label, isSelected: $0.name == selected) }
            + (isKnown ? [] : [ChoiceOption(value: selected, label: selected, isSelected: true)])
    }

    private static func unreadable(_ comparison: Comparison, _ view: CatalogueView) -> String? {
        let names = [comparison.left, comparison.right].compactMap { side in
            if case .provider(let name) = side, view.status.unreadable.contains(name) { name } else { nil }
        }
        guard !names.isEmpty else { return nil }
        return
            "\(names.joined(separator: " and ")) can’t be read now, so there is nothing to compare. The top of the page "
            + "says what is wrong."
    }

    private static func extents(_ comparison: Comparison, _ filter: CompareFilter) -> [FacetLink] {
        CompareFilter.Extent.allCases.map { extent in
            let label =
                switch extent {
                case .different: "All differences"
                case .all: "All"
                case .only(let difference): difference.label(comparison.left, comparison.right)
                }
            return FacetLink(
                label: label, count: comparison.items(in: extent).count,
                href: filter.showing(extent).href, isCurrent: extent == filter.extent)
        }
    }

    private static func copying(_ targets: [(target: CopyTarget, refusal: String?)]) -> Copying? {
        let open = targets.filter { $0.refusal == nil }.map(\.target)
        guard open.contains(where: { $0.allText != nil }) else { return nil }
        return Copying(
            targets: open,
            advice:
                "You see what would change before it is copied. A flag without a value where it is copied from is reset."
        )
    }

    private static func refusals(
        _ targets: [(target: CopyTarget, refusal: String?)], in view: CatalogueView
    ) -> [String] {
        if let general = view.refusalOfChanges { return ["Nothing can be copied: \(general)"] }
        return targets.compactMap { target, refusal in
            refusal.map { "Nothing can be copied to \(target.name): \($0)" }
        }
    }

    private static func empty(_ comparison: Comparison, _ filter: CompareFilter, _ isEmpty: Bool) -> EmptyState? {
        guard isEmpty else { return nil }
        if comparison.found.isEmpty, !filter.text.allSatisfy(\.isWhitespace) {
            var all = filter.showing()
            all.text = ""
            return EmptyState(
                heading: "No flag matches",
                advice: FlagListWords.searchAdvice,
                link: TextLink(label: "Clear the search", href: all.href))
        }
        if comparison.found.isEmpty {
            return EmptyState(
                heading: "No flags yet",
                advice: "This page lists what differs between two providers, and copies values from one to the other.",
                link: TextLink(label: "How to make the first flag", href: PageLink.flags))
        }
        if filter.extent == .different {
            return EmptyState(
                heading: "No difference",
                advice: "\(comparison.left.label) and \(comparison.right.label) hold the same values.",
                link: TextLink(label: "Show all flags", href: filter.showing(.all).href))
        }
        return EmptyState(
            heading: "No such flag", advice: "The links above lead to the other flags.",
            link: TextLink(label: "Show all differences", href: filter.showing(.different).href))
    }
}
