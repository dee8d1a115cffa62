/// The head of a column of the list, which puts the list in its order.
struct ListHead: Hashable, PagePart {
    let label: String
    /// The column's name, for the style sheet.
    let column: String
    /// The list in the order that a click leads to; `nil` where there is none.
    let href: String?
    /// What a click does.
    let title: String?
    /// Which end of the order that is there comes first, in words and as an arrow; `nil` where that is another column's.
    let direction: String?
    let arrow: String?

    /// The heads of a list.
    static func all(_ columns: [ListColumn], _ filter: FlagFilter) -> [ListHead] {
        [
            ListHead("Flag", "name", .key, filter), ListHead("Value", "set", nil, filter),
            ListHead("Source", "source", .source, filter),
        ] + columns.map { ListHead($0.label, "more", $0.sort, filter) } + [ListHead("Marks", "marks", nil, filter)]
    }

    private init(_ label: String, _ column: String, _ sort: FlagFilter.Sort?, _ filter: FlagFilter) {
        self.label = label
        self.column = column
        let isCurrent = sort != nil && (filter.sort == sort || filter.sort.reversed == sort)
        // From an order to the same from its other end, and from there back to that of the definitions.
        let next = isCurrent ? (filter.sort.isFromEnd ? .order : filter.sort.reversed) : sort
        href = next.map { filter.with(\.sort, $0).href }
        title = next.map { "Sort by \($0.label.lowercasedFirst)" }
        direction = isCurrent ? filter.sort.direction : nil
        arrow = isCurrent ? (filter.sort.isFromEnd == filter.sort.isByChange ? "▴" : "▾") : nil
    }
}
