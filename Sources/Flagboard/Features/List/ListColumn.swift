/// A column of the list that is there where a person chooses it.
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
