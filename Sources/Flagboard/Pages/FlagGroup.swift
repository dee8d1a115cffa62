import FeatureFlags
import FlagChanges

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
    ///   - entries: The flags to list, in order.
    ///   - collections: The definitions of groups.
    /// - Returns: Both, in order.
    static func tree(
        of entries: [FlagEntry], _ collections: [FlagKeyPath: FlagCollectionDefinition]
    ) -> (flags: [FlagRow], groups: [FlagGroup]) {
        tree(of: entries[...], below: [], collections)
    }

    private static func tree(
        of entries: ArraySlice<FlagEntry>, below path: [String],
        _ collections: [FlagKeyPath: FlagCollectionDefinition]
    ) -> (flags: [FlagRow], groups: [FlagGroup]) {
        let depth = path.count
        let direct = entries.filter { $0.key.components.count == depth + 1 }
        let deeper = entries.filter { $0.key.components.count > depth + 1 }
        let members = Dictionary(grouping: deeper) { FlagKeyPath(components: Array($0.key.components[...depth])) }
        let keys = members.keys.sorted { left, right in
            let (first, second) = (collections[left]?.order ?? .max, collections[right]?.order ?? .max)
            return first == second ? left < right : first < second
        }
        return (direct.map(FlagRow.init), keys.map { FlagGroup($0, members: members[$0] ?? [], collections) })
    }

    private init(
        _ key: FlagKeyPath, members: [FlagEntry], _ collections: [FlagKeyPath: FlagCollectionDefinition]
    ) {
        let definition = collections[key]
        let description = definition?.description ?? ""
        let content = Self.tree(of: members[...], below: key.components, collections)
        self.key = key.text
        name = definition?.displayName ?? key.readableName
        href = FlagFilter(group: key).href
        about = description.isEmpty ? nil : description
        countText = FlagListPage.count(members.count)
        level = min(key.components.count + 1, 6)
        flags = content.flags
        hasFlags = !content.flags.isEmpty
        groups = content.groups
    }
}
