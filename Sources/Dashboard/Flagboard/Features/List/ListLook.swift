struct ListLook: Hashable, PagePart {
    let densities: [ChoiceOption]
    let columns: [ChoiceOption]
    let hasChosenColumns: Bool

    init(_ settings: ViewerSettings) {
        let choices: [(ViewerSettings.Density?, String)] = [
            (nil, "Automatic"), (.compact, "Compact"), (.roomy, "Comfortable"),
        ]
        densities = choices.map { density, label in
            ChoiceOption(
                value: density?.rawValue ?? "", label: label, isSelected: density == settings.density,
                id: "density-\(density?.rawValue ?? "usual")")
        }
        hasChosenColumns = !settings.columns.isEmpty
        columns = ListColumn.allCases.map { column in
            ChoiceOption(
                value: column.rawValue, label: column.label, isSelected: settings.listColumns.contains(column),
                id: "column-\(column.rawValue)")
        }
    }
}

/// An optional column, also shown if the list is sorted by it.
enum ListColumn: String, CaseIterable, Hashable, Sendable {
    case type, owner, tags, changed

    var label: String {
        switch self {
        case .type: "Type"
        case .owner: "Owner"
        case .tags: "Tags"
        case .changed: "Last change"
        }
    }

    static func all(_ chosen: [ListColumn], sortedBy sort: FlagFilter.Sort) -> [ListColumn] {
        chosen + (sort.isByChange && !chosen.contains(.changed) ? [.changed] : [])
    }

    /// `nil` if the column has none.
    var sort: FlagFilter.Sort? {
        switch self {
        case .type: .type
        case .owner: .owner
        case .tags: nil
        case .changed: .changed
        }
    }
}

extension ViewerSettings.Density {
    private static let mostRoomy = 20

    /// The usual density, by the number of all flags so that filtering doesn't change it.
    static func usual(for count: Int) -> Self { count > mostRoomy ? .compact : .roomy }
}

extension ViewerSettings {
    /// Without unknown ones; the last change for a viewer who chose none.
    var listColumns: [ListColumn] { columns.isEmpty ? [.changed] : columns.compactMap(ListColumn.init(rawValue:)) }
}

/// The heading of a column, which sorts the list.
struct ListHead: Hashable, PagePart {
    let label: String
    /// For the style sheet.
    let column: String
    /// `nil` without a next order.
    let href: String?
    let title: String?
    /// Set if the list is sorted by this column.
    let direction: String?
    /// The symbol of `icons.svg`.
    let arrow: String?

    static func all(_ columns: [ListColumn], _ filter: FlagFilter) -> [ListHead] {
        [
            ListHead("Flag", "name", .key, filter), ListHead("Value", "set", nil, filter),
            ListHead("Source", "source", .source, filter),
        ] + columns.map { ListHead($0.label, "more", $0.sort, filter) }
    }

    private init(_ label: String, _ column: String, _ sort: FlagFilter.Sort?, _ filter: FlagFilter) {
        self.label = label
        self.column = column
        let isCurrent = sort != nil && (filter.sort == sort || filter.sort.reversed == sort)
        // The clicks sort, reverse, then restore the definitions' order.
        let next = isCurrent ? (filter.sort.isFromEnd ? .order : filter.sort.reversed) : sort
        href = next.map { filter.with(\.sort, $0).href }
        title = next.map { "Sort by \($0.label.lowercasedFirst)" }
        direction = isCurrent ? filter.sort.direction : nil
        arrow = isCurrent ? (filter.sort.isFromEnd == filter.sort.isByChange ? "up" : "down") : nil
    }
}
