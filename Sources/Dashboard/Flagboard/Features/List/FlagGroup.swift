import FeatureFlags
import FlagChanges
import FlagHistory

/// A group of the list with its flags and the groups in it.
struct FlagGroup: Hashable, PagePart {
    let key: String
    let name: String
    /// The list of this group alone.
    let href: String
    let about: String?
    /// How many flags of the list are in it, and how many of them are on this page of the list, where others are not.
    let countText: String
    /// The level of the heading, from 2.
    let level: Int
    let flags: [FlagRow]
    let groups: [FlagGroup]

    /// The flags of a page of the list that stand in no group, and the groups.
    ///
    /// - Parameters:
    ///   - list: The flags of all its pages, in the catalogue's order, which keeps those of a group together.
    static func tree(
        of page: Range<Int>, in list: ListedFlags, _ view: CatalogueView, _ rows: ListRows = ListRows()
    ) -> (flags: [FlagRow], groups: [FlagGroup]) {
        let (before, after) = (list[..<page.lowerBound].reversed(), list[page.upperBound...])
        return tree(of: Array(list[page]), below: 0, in: view, rows) { key in
            func isMember(_ entry: FlagEntry) -> Bool { entry.key != key && entry.key.isInside(key) }
            return before.prefix(while: isMember).count + after.prefix(while: isMember).count
        }
    }

    /// The same for the members of a group; `elsewhere` tells how many flags of one are on other pages.
    private static func tree(
        of entries: [FlagEntry], below depth: Int, in view: CatalogueView, _ rows: ListRows,
        elsewhere: (FlagKeyPath) -> Int
    ) -> (flags: [FlagRow], groups: [FlagGroup]) {
        let direct = entries.filter { $0.key.components.count == depth + 1 }
        var groups: [(key: FlagKeyPath, members: [FlagEntry])] = []
        for entry in entries where entry.key.components.count > depth + 1 {
            let key = FlagKeyPath(components: Array(entry.key.components[...depth]))
            if groups.last?.key != key { groups.append((key, [])) }
            groups[groups.count - 1].members.append(entry)
        }
        return (
            direct.map { FlagRow($0, in: view, rows) },
            groups.map { FlagGroup($0.key, members: $0.members, in: view, rows, elsewhere: elsewhere) }
        )
    }

    private init(
        _ key: FlagKeyPath, members: [FlagEntry], in view: CatalogueView, _ rows: ListRows,
        elsewhere: (FlagKeyPath) -> Int
    ) {
        let description = view.catalogue.collections[key]?.description ?? ""
        let content = Self.tree(of: members, below: key.components.count, in: view, rows, elsewhere: elsewhere)
        let others = elsewhere(key)
        self.key = key.text
        name = view.name(of: key)
        href = FlagFilter(group: key).href
        about = description.isEmpty ? nil : description
        let all = FlagListWords.count(members.count + others)
        countText = others == 0 ? all : "\(all), \(members.count) on this page"
        level = min(key.components.count + 1, 6)
        flags = content.flags
        groups = content.groups
    }
}
