/// What a person chooses about how the list looks.
struct ListLook: Hashable, PagePart {
    let densities: [ChoiceOption]
    let columns: [ChoiceOption]

    init(_ settings: ViewerSettings) {
        let choices: [(ViewerSettings.Density?, String)] = [
            (nil, "One line a flag above 20 flags"), (.compact, "One line a flag"), (.roomy, "With descriptions"),
        ]
        densities = choices.map { density, label in
            ChoiceOption(
                value: density?.rawValue ?? "", label: label, isSelected: density == settings.density,
                id: "density-\(density?.rawValue ?? "usual")")
        }
        columns = ListColumn.allCases.map { column in
            ChoiceOption(
                value: column.rawValue, label: column.label, isSelected: settings.listColumns.contains(column),
                id: "column-\(column.rawValue)")
        }
    }
}

/// A column of the list that is there where a person chooses it, or the list stands in its order.
enum ListColumn: String, CaseIterable, Hashable, Sendable {
    case type, owner, tags, changed

    /// The column's head.
    var label: String {
        switch self {
        case .type: "Type"
        case .owner: "Owner"
        case .tags: "Tags"
        case .changed: "Last change"
        }
    }

    /// The columns of a list.
    ///
    /// - Parameter sort: The order of the list: by the time of the last change, a row says when that was.
    static func all(_ chosen: [ListColumn], sortedBy sort: FlagFilter.Sort) -> [ListColumn] {
        chosen + (sort.isByChange && !chosen.contains(.changed) ? [.changed] : [])
    }

    /// The order that the head leads to; `nil` where flags can't be put in order by it.
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
    /// Up to how many flags have room to say everything.
    private static let mostRoomy = 20

    /// What fits a number of flags, where the person who looks has chosen neither.
    ///
    /// - Parameter count: How many flags there are, whatever the list is narrowed to: it does not change its look by that.
    static func usual(for count: Int) -> Self { count > mostRoomy ? .compact : .roomy }
}

extension ViewerSettings {
    /// The columns of the list that were chosen, without those that there aren't.
    var listColumns: [ListColumn] { columns.compactMap(ListColumn.init(rawValue:)) }
}

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
