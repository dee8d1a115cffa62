import FeatureFlags
import FeatureFlagsXML
import Foundation

/// Swift source for a manifest's flags, deterministic for the same options and date.
package struct SwiftSource {
    package private(set) var text = ""
    /// Parts of the manifest that Swift can't express; also comments in the source.
    package private(set) var notes: [String] = []
    private let groups: [FlagKeyPath: FlagCollectionDefinition]
    private let access: String
    private let date: Date?

    package static let ofCommand =
        "Made by `flagboard generate swift` from the manifest of the flags: change that, and generate anew."

    /// Declares the flags.
    ///
    /// - Parameter date: The moment at which flags expire; `nil` for source that doesn't depend on the day.
    package init(
        _ manifest: FlagManifest, typeName: String, access: String, date: Date?, remark: String = Self.ofCommand
    ) {
        groups = Dictionary(manifest.collections.map { ($0.key, $0) }, uniquingKeysWith: { first, _ in first })
        self.access = access == "internal" ? "" : "\(access) "
        self.date = date
        var root = SwiftGroup(path: [])
        for definition in manifest.definitions { root.add(definition) }
        let lines =
            [
                "// \(remark)", "",
                "import FeatureFlags", "import Foundation", "",
            ] + declaration(of: root, named: typeName)
        text = lines.joined(separator: "\n") + "\n"
    }

    private mutating func declaration(of group: SwiftGroup, named typeName: String) -> [String] {
        var types = SwiftNames.types
        var (members, keys, nested): ([String], [String], [[String]]) = ([], [], [])
        for (child, property) in zip(group.children, group.properties) {
            let name = SwiftNames.quoted(property)
            if let definition = child.definition {
                let flag = SwiftFlag(definition, property: property, types: &types, access: access, date: date)
                members += flag.lines + [""]
                notes += flag.notes.map { "\(definition.key.text): \($0)" }
                keys.append(
                    "    \(access)static let \(name) = \(SwiftText.literal(definition.key.text))")
                if !flag.type.isEmpty { nested.append(flag.type) }
            } else {
                let type = types.type(property, suffix: "Flags")
                members += self.group(child, name, property: property, type: type)
                nested.append(declaration(of: child, named: type))
            }
        }
        var lines = ["\(access)struct \(typeName): FlagCollectionProtocol {"]
        lines += members.map(Self.indented)
        if !keys.isEmpty {
            nested.append(
                ["/// The key paths of the flags of this group, as the files have them.", "\(access)enum Keys {"] + keys
                    + ["}"])
        }
        for declaration in nested { lines += declaration.map(Self.indented) + [""] }
        return lines + [Self.indented("\(access)init() {}"), "}"]
    }

    private func group(_ group: SwiftGroup, _ name: String, property: String, type: String) -> [String] {
        let path = FlagKeyPath(components: group.path)
        let definition = groups[path] ?? FlagCollectionDefinition(key: path)
        let metadata = FlagMetadata(
            name: definition.displayName, description: definition.description, order: definition.order)
        var lines = SwiftText.documentation(definition.description)
        lines += ["@FlagCollection("]
        if !group.isInKeyPath {
            lines.append("    keyConfiguration: .skip,")
        } else if let key = SwiftNames.key(of: property, for: group.name) {
            lines.append("    key: \(SwiftText.literal(key)),")
        }
        lines.append("    description: \(SwiftText.metadata(metadata)))")
        return lines + ["\(access)var \(name): \(type)", ""]
    }

    private static func indented(_ line: String) -> String {
        line.split(separator: "\n", omittingEmptySubsequences: false).map { $0.isEmpty ? "" : "    \($0)" }
            .joined(separator: "\n")
    }
}
