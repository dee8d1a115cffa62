/// The head of a column of the list, which puts the list in its order.
struct ListHead: Hashable, Sendable {
    let label: String
    /// The column's name, for the style sheet.
    let column: String
    /// The list in this order; `nil` where there is none.
    let href: String?
    let isCurrent: Bool

    /// The heads of a list.
    ///
    /// - Parameters:
    ///   - columns: The columns that were chosen.
    ///   - filter: The list.
    /// - Returns: All heads, in order.
    static func all(_ columns: [ListColumn], _ filter: FlagFilter) -> [ListHead] {
        [
            ListHead("Flag", "name", .key, filter), ListHead("Value", "set", nil, filter),
            ListHead("Source", "source", .source, filter),
        ] + columns.map { ListHead($0.label, "more", $0.sort, filter) } + [ListHead("Marks", "marks", nil, filter)]
    }

    private init(_ label: String, _ column: String, _ sort: FlagFilter.Sort?, _ filter: FlagFilter) {
        self.label = label
        self.column = column
        let isCurrent = sort == filter.sort
        self.isCurrent = isCurrent
        // The order that is there leads back to that of the definitions.
        href = sort.map { filter.with(\.sort, isCurrent ? .order : $0).href }
    }
}

extension ListHead: PagePart {
    static let fields: PageFields<Self> = [
        "label": .of(\.label), "column": .of(\.column), "href": .of(\.href), "isCurrent": .of(\.isCurrent),
    ]
}
