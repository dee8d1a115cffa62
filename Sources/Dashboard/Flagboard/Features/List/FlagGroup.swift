import FeatureFlags
import FlagChanges
import FlagHistory

struct FlagGroup: Hashable, PagePart {
    let key: String
    /// `nil` for a group that is no part of key paths.
    let keyText: String?
    let name: String
    let href: String
    let about: String?
    /// The symbol of `icons.svg`; `nil` if the group names none that there is.
    let icon: String?
    /// `true` if the heading can't be collapsed.
    let isSection: Bool
    /// The number of flags, and of those on this page if the group spans several.
    let countText: String
    /// The heading's level, from 2 to 6.
    let level: Int
    let flags: [FlagRow]
    let groups: [FlagGroup]

    /// `list` holds all pages, in the catalogue's order, which keeps each group together.
    static func tree(
        of page: Range<Int>, in list: ListedFlags, _ view: CatalogueView, _ rows: ListRows = ListRows()
    ) -> (flags: [FlagRow], groups: [FlagGroup]) {
        let (before, after) = (list[..<page.lowerBound].reversed(), list[page.upperBound...])
        return tree(of: Array(list[page]), below: 0, in: view, rows) { key in
            func isMember(_ entry: FlagEntry) -> Bool { entry.definition.groupPath.starts(with: key.components) }
            return before.prefix(while: isMember).count + after.prefix(while: isMember).count
        }
    }

    /// `elsewhere` returns the number of a group's flags on other pages.
    private static func tree(
        of entries: [FlagEntry], below depth: Int, in view: CatalogueView, _ rows: ListRows,
        elsewhere: (FlagKeyPath) -> Int
    ) -> (flags: [FlagRow], groups: [FlagGroup]) {
        var direct: [FlagEntry] = []
        var groups: [(key: FlagKeyPath, members: [FlagEntry])] = []
        for entry in entries {
            let path = entry.definition.groupPath
            guard path.count > depth else {
                direct.append(entry)
                continue
            }
            let key = FlagKeyPath(components: Array(path.prefix(depth + 1)))
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
        let definition = view.catalogue.collections[key]
        let description = definition?.description ?? ""
        let content = Self.tree(of: members, below: key.components.count, in: view, rows, elsewhere: elsewhere)
        let others = elsewhere(key)
        self.key = key.text
        keyText = members.allSatisfy { $0.key.isInside(key) } ? key.text : nil
        name = view.name(of: key)
        href = FlagFilter([.group: key.text]).href
        about = description.isEmpty ? nil : description
        icon = definition?.icon.flatMap(FlagIcon.symbol(named:))
        isSection = definition?.isSection ?? false
        let all = FlagListWords.count(members.count + others)
        countText = others == 0 ? all : "\(all), \(members.count) on this page"
        level = min(key.components.count + 1, 6)
        flags = content.flags
        groups = content.groups
    }
}
