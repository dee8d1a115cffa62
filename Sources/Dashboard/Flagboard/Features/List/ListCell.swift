import FeatureFlags
import FlagChanges

/// What a row says in a column beside those of every list.
struct ListCell: Hashable, PagePart {
    let text: String?
    let links: [TextLink]
    let change: LastChangeLabel?

    /// Fills a cell.
    ///
    /// - Parameter change: Its last change, where there is one.
    init(_ column: ListColumn, _ entry: FlagEntry, _ change: LastChangeLabel?) {
        let metadata = entry.definition.metadata
        text =
            switch column {
            case .type: entry.definition.type.rawValue
            case .owner: metadata.owner
            case .tags, .changed: nil
            }
        links = column == .tags ? metadata.tags.map { TextLink(label: $0, href: FlagFilter(tag: $0).href) } : []
        self.change = column == .changed ? change : nil
    }
}
