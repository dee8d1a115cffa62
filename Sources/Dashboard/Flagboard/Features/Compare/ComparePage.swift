import FeatureFlags
import FlagChanges

struct ComparePage: PageModel {
    static let template = "compare"

    let frame: PageFrame
    let countText: String
    let lefts: [ChoiceOption]
    let rights: [ChoiceOption]
    let search: String
    let show: String
    let exchangeHref: String
    let list: MatrixList

    init(frame: PageFrame, view: CatalogueView, filter: CompareFilter, refused: RefusedChoice? = nil) {
        let columns = ValueColumn.all(view.catalogue.providers)
        let matrix = filter.chosen.map { ValueMatrix($0, text: filter.text, in: view) }
        let unreadable = matrix.flatMap { Self.unreadable($0, view) }
        let compared = unreadable == nil ? matrix : nil
        let listed = compared?.rows(in: filter.extent) ?? []
        self.frame = frame.titled(
            matrix.map { "Compare \($0.columns[0].label) and \($0.columns[1].label)" } ?? "Compare", in: .compare)
        countText = Self.countText(listed.count, filter.extent, isCompared: compared != nil)
        lefts = Self.options(columns, filter.left)
        rights = Self.options(columns, filter.right)
        search = filter.text
        show = filter.extent.name
        exchangeHref = filter.exchangedHref
        let directions = CopyDirection.allCases.filter { direction in
            matrix.map { view.refusal(ofChangesIn: $0.columns[direction.target]) == nil } ?? false
        }
        let range = ListPages.range(of: listed.count, page: filter.page)
        let table = compared.flatMap { matrix in
            MatrixTable(
                caption: "Values on both sides", matrix.columns.map { MatrixTable.Column(name: $0.label) },
                listed[range].enumerated().map { number, row in
                    MatrixRow(
                        row, of: matrix, directions, shadesDifferences: filter.extent == .all, number: number + 1,
                        isChosen: refused?.holds(row.entry) == true)
                })
        }
        list = MatrixList(
            refusal: refused?.problem,
            problems: filter.problems + [unreadable, ListPages.problem(count: listed.count, page: filter.page)],
            extents: compared.map { Self.extents($0, filter) } ?? [],
            empty: compared.flatMap { Self.empty($0, filter, listed.isEmpty) }, action: filter.href,
            fields: filter.fields, bar: compared.flatMap { Self.bar($0, listed, directions) },
            refusals: matrix.map { view.copyRefusals($0.columns.reversed()) } ?? [], table: table,
            pages: ListPages(count: listed.count, page: filter.page) { filter.showing(page: $0).href })
    }

    private static func countText(_ count: Int, _ extent: CompareFilter.Extent, isCompared: Bool) -> String {
        guard isCompared else { return "" }
        guard extent == .different else { return FlagListWords.count(count) }
        return count == 1 ? "1 differs" : count == 0 ? "No differences" : "\(count) differ"
    }

    private static func options(_ columns: [ValueColumn], _ selected: String) -> [ChoiceOption] {
        let isKnown = columns.contains { $0.name == selected }
        return columns.map { ChoiceOption(value: $0.name, label: $0.label, isSelected: $0.name == selected) }
            + (isKnown ? [] : [ChoiceOption(value: selected, label: selected, isSelected: true)])
    }

    private static func unreadable(_ matrix: ValueMatrix, _ view: CatalogueView) -> String? {
        let names = matrix.columns.compactMap(\.provider).filter(view.status.unreadable.contains)
        guard !names.isEmpty else { return nil }
        return
            "Can’t compare: \(names.joined(separator: " and ")) can’t be read. See the message at the top of the page."
    }

    private static func extents(_ matrix: ValueMatrix, _ filter: CompareFilter) -> [FacetLink] {
        ([.different] + CompareFilter.Extent.allCases.filter { $0 != .different }).map { extent in
            let label =
                switch extent {
                case .different: "Different"
                case .all: "All"
                case .only(let difference): difference.label(matrix.columns[0], matrix.columns[1])
                }
            return FacetLink(
                label: label, count: matrix.rows(in: extent).count, href: filter.showing(extent).href,
                isCurrent: extent == filter.extent)
        }
    }

    /// `nil` when no flag can be copied.
    private static func bar(
        _ matrix: ValueMatrix, _ listed: [ValueMatrix.Row], _ directions: [CopyDirection]
    ) -> MatrixBar? {
        let counts = directions.map { direction in
            listed.count { matrix.canCopy($0, from: direction.source, to: direction.target) }
        }
        let possible = zip(directions, counts).filter { $1 > 0 }
        guard !possible.isEmpty else { return nil }
        return MatrixBar(
            copying: possible.enumerated().map { place, copy in
                MatrixBar.Button(
                    "copy", "chosen-\(copy.0.rawValue)", "Copy selected",
                    target: matrix.columns[copy.0.target].label, isPrimary: place == 0)
            },
            all: possible.map { direction, count in
                MatrixBar.Button(
                    "copy", "all-\(direction.rawValue)", "Copy all (\(count))",
                    target: matrix.columns[direction.target].label)
            })
    }

    private static func empty(_ matrix: ValueMatrix, _ filter: CompareFilter, _ isEmpty: Bool) -> EmptyState? {
        guard isEmpty else { return nil }
        guard !matrix.rows.isEmpty else {
            return .unfound(
                filter.text, cleared: filter.showing(text: "").href,
                purpose: "Add a flag to compare two providers and copy values between them.")
        }
        if filter.extent == .different {
            return EmptyState(
                heading: "No differences",
                advice: "\(matrix.columns[0].label) and \(matrix.columns[1].label) have the same values.",
                link: TextLink(label: "Show all flags", href: filter.showing(.all).href))
        }
        return EmptyState(
            heading: "No flags in this view", advice: "Use the links above to see other flags.",
            link: TextLink(label: "Show differences", href: filter.showing(.different).href))
    }
}

extension MatrixRow {
    fileprivate init(
        _ row: ValueMatrix.Row, of matrix: ValueMatrix, _ directions: [CopyDirection], shadesDifferences: Bool,
        number: Int, isChosen: Bool
    ) {
        let (left, right) = (matrix.columns[0], matrix.columns[1])
        let values = MatrixValue.pair(
            row.answers[0], row.answers[1], absence: (left.absence(of: row.entry), right.absence(of: row.entry)),
            staleness: (left.staleness(row.entry), right.staleness(row.entry)))
        let difference = row.differences[1]
        let isComputed = left.isComputed(row.entry) || right.isComputed(row.entry)
        let isShaded = shadesDifferences && difference == .changed
        // Two values stand side by side.
        let standing: String? =
            isComputed ? "Computed by the app" : difference == .changed ? nil : difference.label(left, right)
        let isChoosable = directions.contains { matrix.canCopy(row, from: $0.source, to: $0.target) }
        self.init(
            row.entry,
            [
                MatrixCell(left.label, [values.left], isDifferent: isShaded),
                MatrixCell(right.label, [values.right], isDifferent: isShaded),
            ],
            type: row.entry.definition.type.rawValue, standing: (difference.rawValue, standing),
            note: directions.isEmpty || !row.isDifferent ? nil : Self.note(row, matrix, directions),
            choice: isChoosable ? number : nil, isChosen: isChosen)
    }

    private static func note(
        _ row: ValueMatrix.Row, _ matrix: ValueMatrix, _ directions: [CopyDirection]
    ) -> String? {
        if row.isLocked { return "Locked. An admin must unlock it first." }
        if let direction = directions.first(where: { !matrix.isRead(row, in: $0.target) }) {
            return "Can’t be copied to \(matrix.columns[direction.target].label): the app doesn’t read it from there."
        }
        let sources = directions.filter { !matrix.canCopy(row, from: $0.source, to: $0.target) }
            .map { matrix.columns[$0.source].label }
        return sources.isEmpty
            ? nil : "Can’t be copied from \(sources.joined(separator: " and ")): the value there is broken."
    }
}

enum CopyDirection: String, CaseIterable, Hashable, Sendable {
    case toRight = "right"
    case toLeft = "left"

    var source: Int { self == .toRight ? 0 : 1 }
    var target: Int { 1 - source }
}
