import FeatureFlags
import FlagChanges
import Mustache

/// A group of the list with its flags and the groups in it.
struct FlagGroup: Hashable, Sendable {
    let key: String
    let name: String
    /// The list of this group alone.
    let href: String
    let about: String?
    let countText: String
    /// The level of the heading, from 2.
    let level: Int
    let flags: [FlagRow]
    let hasFlags: Bool
    let groups: [FlagGroup]

    /// The flags that stand in no group, and the groups.
    ///
    /// - Parameters:
    ///   - entries: The flags to list, in the catalogue's order, which keeps those of a group together.
    ///   - view: What they are some of.
    /// - Returns: Both, in order.
    static func tree(
        of entries: [FlagEntry], in view: CatalogueView
    ) -> (flags: [FlagRow], groups: [FlagGroup]) {
        tree(of: entries[...], below: 0, in: view)
    }

    private static func tree(
        of entries: ArraySlice<FlagEntry>, below depth: Int, in view: CatalogueView
    ) -> (flags: [FlagRow], groups: [FlagGroup]) {
        let direct = entries.filter { $0.key.components.count == depth + 1 }
        var groups: [(key: FlagKeyPath, members: [FlagEntry])] = []
        for entry in entries where entry.key.components.count > depth + 1 {
            let key = FlagKeyPath(components: Array(entry.key.components[...depth]))
            if groups.last?.key != key { groups.append((key, [])) }
            groups[groups.count - 1].members.append(entry)
        }
        return (
            direct.map { FlagRow($0, in: view) }, groups.map { FlagGroup($0.key, members: $0.members, in: view) }
        )
    }

    private init(_ key: FlagKeyPath, members: [FlagEntry], in view: CatalogueView) {
        let description = view.catalogue.collections[key]?.description ?? ""
        let content = Self.tree(of: members[...], below: key.components.count, in: view)
        self.key = key.text
        name = view.name(of: key)
        href = FlagFilter(group: key).href
        about = description.isEmpty ? nil : description
        countText = FlagListPage.count(members.count)
        level = min(key.components.count + 1, 6)
        flags = content.flags
        hasFlags = !content.flags.isEmpty
        groups = content.groups
    }
}

extension FlagGroup: MustacheParent {
    /// The property of this name; written out, since a list may have many and reflection is slow.
    func child(named name: String) -> Any? {
        switch name {
        case "key": key
        case "name": self.name
        case "href": href
        case "about": about
        case "countText": countText
        case "level": level
        case "flags": flags
        case "hasFlags": hasFlags
        case "groups": groups
        default: nil
        }
    }
}
