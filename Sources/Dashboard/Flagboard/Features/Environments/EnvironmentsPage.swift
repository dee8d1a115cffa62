import FeatureFlags
import FlagChanges

struct EnvironmentsPage: PageModel {
    static let template = "environments"

    let frame: PageFrame
    let countText: String
    let bases: [ChoiceOption]
    let search: String
    let show: String?
    let list: MatrixList

    init(
        frame: PageFrame, _ environments: Environments, refused: RefusedChoice? = nil, copy: Environments.Copy? = nil
    ) {
        let (view, filter, matrix) = (environments.view, environments.filter, environments.matrix)
        let isMatrix = matrix.columns.count > 1
        let opened = filter.extent ?? (matrix.rows.contains(where: \.isDifferent) ? .different : .all)
        let listed = isMatrix ? matrix.rows.filter(opened.contains) : []
        self.frame = frame.titled("Environments", in: .environments)
        countText =
            opened == .different && isMatrix
            ? (listed.count == 1 ? "1 differs" : "\(listed.count) differ") : FlagListWords.count(listed.count)
        bases = environments.all.map {
            ChoiceOption(value: $0.name, label: $0.name, isSelected: $0.name == filter.base)
        }
        search = filter.text
        show = filter.extent?.rawValue
        let targets = matrix.columns.filter { view.refusal(ofChangesIn: $0) == nil }.map(\.name)
        let readable = matrix.columns.count { !view.status.unreadable.contains($0.name) }
        let isCopyable = readable > 1 && !targets.isEmpty && listed.contains(where: \.isDifferent)
        let range = ListPages.range(of: listed.count, page: filter.page)
        let table = MatrixTable(
            caption: "Values by environment, compared with", named: filter.base,
            environments.all.map { MatrixTable.Column($0, view.status, isBase: $0.name == filter.base) },
            listed[range].enumerated().map { number, row in
                MatrixRow(
                    row, of: matrix, in: view, isBaseOpen: targets.contains(filter.base),
                    number: isCopyable ? number + 1 : nil, isChosen: refused?.holds(row.entry) == true)
            })
        list = MatrixList(
            refusal: refused?.problem,
            problems: filter.problems + [ListPages.problem(count: listed.count, page: filter.page)],
            extents: isMatrix ? Self.extents(matrix, filter, opened) : [],
            empty: Self.empty(matrix, filter, opened, isEmpty: listed.isEmpty), action: filter.href,
            fields: filter.fields,
            bar: isCopyable ? Self.bar(matrix.columns.map(\.name), targets, filter, copy) : nil,
            refusals: isMatrix ? view.copyRefusals(matrix.columns) : [], table: table,
            pages: ListPages(count: listed.count, page: filter.page) { filter.showing(page: $0).href })
    }

    private static func extents(
        _ matrix: ValueMatrix, _ filter: EnvironmentFilter, _ opened: EnvironmentFilter.Extent
    ) -> [FacetLink] {
        EnvironmentFilter.Extent.allCases.map { extent in
            FacetLink(
                label: extent.label, count: matrix.rows.count(where: extent.contains),
                href: filter.showing(extent).href, isCurrent: extent == opened)
        }
    }

    /// Preselects the base as source: as a target, its values that the source lacks would be reset.
    private static func bar(
        _ names: [String], _ targets: [String], _ filter: EnvironmentFilter, _ copy: Environments.Copy?
    ) -> MatrixBar {
        let target =
            [copy?.target].compactMap(\.self).first(where: targets.contains) ?? targets.first { $0 != filter.base }
            ?? targets.first ?? ""
        let source =
            [copy?.source, filter.base].compactMap(\.self).first { names.contains($0) && $0 != target }
            ?? names.first { $0 != target } ?? ""
        func select(_ name: String, _ label: String, _ names: [String], _ selected: String) -> MatrixBar.Select {
            MatrixBar.Select(
                name: name, label: label,
                options: names.map { ChoiceOption(value: $0, label: $0, isSelected: $0 == selected) })
        }
        return MatrixBar(
            selects: [select("from", "From", names, source), select("to", "to", targets, target)],
            copying: [MatrixBar.Button("copy", "chosen", "Copy selected", isPrimary: true)],
            all: [MatrixBar.Button("copy", "all", "Copy all differences")])
    }

    private static func empty(
        _ matrix: ValueMatrix, _ filter: EnvironmentFilter, _ opened: EnvironmentFilter.Extent, isEmpty: Bool
    ) -> EmptyState? {
        guard matrix.columns.count > 1 else {
            return EmptyState(
                heading: "Only one environment",
                advice: "To add one, start Flagboard with an option such as --provider staging=staging.xml:env",
                link: TextLink(label: "All flags", href: PageLink.flags))
        }
        guard isEmpty else { return nil }
        guard matrix.rows.isEmpty else {
            return EmptyState(
                heading: opened == .different ? "No differences" : "No flags in this view",
                advice: "Use the links above to see other flags.",
                link: TextLink(label: "Show all flags", href: filter.showing(.all).href))
        }
        return .unfound(
            filter.text, cleared: filter.showing(text: "").href,
            purpose: "Add a flag to see its value in each environment.")
    }
}

extension MatrixRow {
    /// - Parameters:
    ///   - isBaseOpen: Values can be copied to the base.
    ///   - number: The row's place on the page; `nil` when nothing can be copied.
    fileprivate init(
        _ row: ValueMatrix.Row, of matrix: ValueMatrix, in view: CatalogueView, isBaseOpen: Bool, number: Int?,
        isChosen: Bool
    ) {
        let entry = row.entry
        self.init(
            entry,
            matrix.columns.indices.map { place in
                let name = matrix.columns[place].name
                let isDifferent = row.differences[place].isDifferent
                let canCopy = isBaseOpen && isDifferent && matrix.canCopy(row, from: place, to: matrix.base)
                return MatrixCell(
                    name,
                    [
                        MatrixValue(
                            matrix.columns[place], of: entry, isReadable: !view.status.unreadable.contains(name))
                    ],
                    href: PageLink.flag(entry.key, provider: name), isDifferent: isDifferent,
                    saysDifferent: isDifferent,
                    copy: canCopy
                        ? String(PageLink.query([("from", name), ("key", entry.key.text)]).dropFirst()) : nil)
            }, marks: FlagMark.marks(of: entry, in: view), choice: row.isLocked || !row.isDifferent ? nil : number,
            isChosen: isChosen)
    }
}
