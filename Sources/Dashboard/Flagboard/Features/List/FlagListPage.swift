import FeatureFlags
import FlagChanges
import FlagHistory

struct FlagListPage: PageModel {
    static let template = "flags"

    let frame: PageFrame
    let countText: String
    /// `nil` if this viewer can't define flags, or if the empty list has the button.
    let newFlagHref: String?
    /// `false` where no flag, search or filter is there to use them on.
    let hasTabs: Bool
    let hasSearch: Bool
    let search: String
    /// The search on paper, which shows no field.
    let printedSearch: String?
    let sorts: [ChoiceOption]
    /// The other criteria, to send along with a search.
    let hiddenFields: [HiddenField]
    let criteria: [ActiveCriterion]
    let isFiltered: Bool
    let resetHref: String
    let filterProblems: [String]
    /// A notice about a flag that is not on the page.
    let notice: ShownNotice?
    /// The reason that this viewer can't change any value; `nil` if a banner gives it.
    let lookNote: PageRemark?
    let hasRows: Bool
    let flags: [FlagRow]
    let groups: [FlagGroup]
    /// `nil` for the usual list.
    let table: MatrixTable?
    let views: [FacetLink]
    let hasViews: Bool
    let viewName: String?
    let facets: [Facet]
    let empty: EmptyList?
    let pages: ListPages?
    /// `nil` if this viewer can't change any flag.
    let selection: SelectionBar?
    let exportLink: TextLink?
    /// `nil` if no flag needs attention.
    let look: LookPanel?
    let heads: [ListHead]
    /// The number of optional columns, for the style sheet.
    let columnCount: Int
    /// The viewer chose no columns, so narrow lists may omit the last change.
    let hasUsualColumns: Bool
    let listLook: ListLook
    /// For the style sheet.
    let density: String
    /// `nil` if there is no search, or this viewer may not save it.
    let saveHref: String?
    let tabs: [NavigationItem]
    /// Tabs beyond the room for them.
    let furtherTabs: [NavigationItem]

    private static let mostTabs = 5

    /// `lastChanges` is empty unless the order or a column needs it.
    init(
        frame: PageFrame, view: CatalogueView, filter: FlagFilter, lastChanges: [FlagKeyPath: LastChange] = [:],
        saved: ReturnToList.Saved? = nil, refused: RefusedSelection? = nil, opened: OpenedRow? = nil,
        searches: [SavedSearch] = []
    ) {
        let found = FoundFlags(filter, in: view)
        let entries = found.entries.sorted(filter.sort, lastChanges)
        let filter = filter.onPage(of: entries)
        var view = view
        let all = view.catalogue.entries.count
        let density = view.settings.density ?? .usual(for: all)
        view.list = ReturnToList(
            href: filter.closed.href, saved: saved, ticked: Set(refused?.form.keys ?? []),
            returning: filter.returning ?? saved?.key ?? filter.opened, density: density)
        let rows = ListRows(
            lastChanges: lastChanges, columns: ListColumn.all(view.settings.listColumns, sortedBy: filter.sort),
            opened: filter.opened.flatMap { key in opened.map { (key, $0) } }, showsGroups: filter.isFlat)
        let range = ListPages.range(of: entries.count, page: filter.page)
        let shown = Array(entries[range])
        let hasTree = !filter.isFlat && !filter.showsProviders
        let tree = hasTree ? FlagGroup.tree(of: range, in: entries, view, rows) : (flags: [], groups: [])
        pages = ListPages(count: entries.count, page: filter.page) { filter.with(\.page, $0).href }
        let isListed = !filter.showsProviders && shown.contains { $0.key == saved?.key }
        notice = isListed ? nil : saved.map { [view] in ShownNotice($0, in: view) }
        self.frame = frame.titled(filter.showsProviders ? "Flags by provider" : "Flags", in: .flags)
            .adding(.mistakenFields(view.catalogue))
        countText = filter.isActive ? "\(entries.count) of \(FlagListWords.count(all))" : FlagListWords.count(all)
        let newFlagHref = DefinitionLink.canDefine(view) ? PageLink.newDefinition : nil
        self.newFlagHref = all == 0 ? nil : newFlagHref
        hasSearch = all > 0 || filter.isActive
        hasTabs = hasSearch || !searches.isEmpty
        search = filter.text
        printedSearch = filter.text.isEmpty ? nil : filter.text
        sorts = FlagFilter.Sort.allCases.map {
            ChoiceOption(value: $0 == .order ? "" : $0.rawValue, label: $0.label, isSelected: $0 == filter.sort)
        }
        hiddenFields = filter.criteria.map { HiddenField(name: $0.name, value: $0.value) }
        let criteria = ActiveCriterion.all(of: filter, found, view)
        self.criteria = criteria.filter { $0.title != ActiveCriterion.searchTitle }
        isFiltered = filter.isActive
        resetHref = FlagFilter(sort: filter.sort).href
        filterProblems =
            filter.problems + Self.unknownValues(filter, view)
            + [
                ListPages.problem(count: entries.count, page: filter.page),
                filter.openProblem(in: shown),
            ].compactMap(\.self)
        self.density = density.rawValue
        heads = ListHead.all(rows.columns, filter)
        columnCount = rows.columns.count
        hasUsualColumns = view.settings.columns.isEmpty && !filter.sort.isByChange
        listLook = ListLook(view.settings)
        look = LookPanel((filter.hasCriteria ? FoundFlags(FlagFilter(), in: view) : found).marks, in: view)
        hasRows = !entries.isEmpty
        lookNote = hasRows ? EditorAccess.unannouncedRefusal(in: view) : nil
        flags =
            filter.isFlat && !filter.showsProviders
            ? shown.map { [view] in FlagRow($0, in: view, rows) }
            : tree.flags
        groups = tree.groups
        table = filter.showsProviders ? MatrixTable(providersOf: shown, in: view) : nil
        let hasViews = filter.showsProviders || view.catalogue.providers.count(where: \.isAsked) > 1
        views = (hasViews ? [("List", false), ("By provider", true)] : []).map { label, showsProviders in
            FacetLink(
                label: label, count: entries.count, href: filter.with(\.showsProviders, showsProviders).href,
                isCurrent: filter.showsProviders == showsProviders)
        }
        self.hasViews = hasViews
        viewName = filter.showsProviders ? FlagFilter.providersView : nil
        facets = Facet.all(found, view, filter)
        // The table of providers has no checkboxes.
        selection =
            entries.isEmpty || filter.showsProviders
            ? nil : SelectionBar(view, filter, found: entries.count, shown: shown, refused: refused)
        exportLink =
            filter.isActive && filter.problems.isEmpty && !entries.isEmpty
            ? TextLink(
                label: "Export \(FlagListWords.count(entries.count))",
                href: ExportSearch.href(of: filter))
            : nil
        let isEditor = view.visitor.map { $0.person.role != .viewer } ?? false
        let query = SavedSearch.query(of: filter)
        let isSaved = searches.contains { $0.query == query }
        saveHref =
            isEditor && view.status.block == nil && filter.isActive && filter.problems.isEmpty && !isSaved
            ? "\(PageLink.searches)?\(query)" : nil
        let named = searches.map {
            NavigationItem(label: $0.name, href: $0.href, isCurrent: $0.filter == filter.closed)
        }
        let isNamed = named.contains(where: \.isCurrent)
        let favourites = FlagFilter(marks: [.favourite])
        // The current tab is never folded.
        let shownTabs = Set(named.prefix(Self.mostTabs) + named.filter(\.isCurrent))
        tabs =
            [
                NavigationItem(label: "All", href: PageLink.flags, isCurrent: !filter.isActive),
                NavigationItem(
                    label: "Favourites", href: favourites.href,
                    isCurrent: !isNamed && filter.closed.href == favourites.href),
            ] + named.filter(shownTabs.contains)
        furtherTabs = named.filter { !shownTabs.contains($0) }
        empty =
            if all == 0 {
                EmptyList(fileName: frame.fileName, newFlagHref: newFlagHref)
            } else {
                entries.isEmpty ? EmptyList(filter, criteria, all: all) : nil
            }
    }

    /// Criteria that no flag has.
    ///
    /// Properties of hidden flags count as unknown, so that the answer doesn't reveal them.
    private static func unknownValues(_ filter: FlagFilter, _ view: CatalogueView) -> [String] {
        FlagCriterion.all.flatMap { criterion in
            filter.parts(criterion).compactMap { value in
                guard let absence = criterion.absence, !criterion.isKnown(value, view),
                    view.traits.counts(criterion, in: view.traits.all)[value] == nil
                else { return nil }
                return "\(absence(value))."
            }
        }
    }
}

extension FlagFilter {
    /// Returns the filter on the page with the row to show, unless another page was chosen.
    fileprivate func onPage(of entries: ListedFlags) -> FlagFilter {
        guard page == 1, !showsProviders, let key = opened ?? returning,
            let place = entries.firstIndex(where: { $0.key == key })
        else { return self }
        var filter = self
        filter.page = place / ListPages.size + 1
        return filter
    }

    fileprivate func openProblem(in shown: [FlagEntry]) -> String? {
        guard let opened else { return nil }
        if showsProviders { return "\(opened.shownText) opens only in the list." }
        return shown.contains { $0.key == opened } ? nil : "\(opened.shownText) isn’t in this list. Search for it."
    }
}
