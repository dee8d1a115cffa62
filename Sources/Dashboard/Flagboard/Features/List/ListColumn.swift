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
