import FeatureFlags
import FeatureFlagsXML
import Foundation

/// Swift source that declares the flags of a manifest; the same for the same manifest, options and date.
package struct SwiftSource {
    /// The source.
    package private(set) var text = ""
    /// What of the manifest Swift can't say; each stands in the source as a comment too.
    package private(set) var notes: [String] = []
    private let groups: [FlagKeyPath: FlagCollectionDefinition]
    private let access: String
    private let date: Date?

    /// What source says that the command made.
    package static let ofCommand =
        "Made by `flagboard generate swift` from the manifest of the flags: change that, and generate anew."

    /// Declares the flags.
    ///
    /// - Parameters:
    ///   - manifest: The definitions, internal ones included: those are code's own.
    ///   - typeName: The name of the outermost collection.
    ///   - access: `public`, `package` or `internal`.
    ///   - date: The moment at which a flag counts as expired; `nil` for source that no day changes, in which none does.
    ///   - remark: What the source says of itself.
    package init(
        _ manifest: FlagManifest, typeName: String, access: String, date: Date?, remark: String = Self.ofCommand
    ) {
        groups = Dictionary(manifest.collections.map { ($0.key, $0) }, uniquingKeysWith: { first, _ in first })
        self.access = access == "internal" ? "" : "\(access) "
        self.date = date
        var root = SwiftGroup(path: [])
        for definition in manifest.definitions { root.add(definition.key, definition) }
        let lines =
            [
                "// \(remark)", "",
                "import FeatureFlags", "import Foundation", "",
            ] + declaration(of: root, named: typeName)
        text = lines.joined(separator: "\n") + "\n"
    }

    private mutating func declaration(of group: SwiftGroup, named typeName: String) -> [String] {
        var types = SwiftNames(reserved: ["Keys", "FlagValue"])
        var (members, keys, nested): ([String], [String], [[String]]) = ([], [], [])
        for (child, property) in zip(group.children, group.properties) {
            let component = child.path[child.path.count - 1]
            let name = SwiftNames.quoted(property)
            let derived = KeyConfiguration.Transform.snakeCase.component(for: property)
            let key = derived.utf8.elementsEqual(component.utf8) ? nil : component
            if let definition = child.definition {
                let type = SwiftFlagType(of: definition, property: property, types: &types, access: access)
                members += self.flag(definition, name, key: key, type: type)
                keys.append(
                    "    \(access)static let \(name) = \(SwiftText.literal(definition.key.text))")
                if !type.declaration.isEmpty { nested.append(type.declaration) }
            } else {
                let type = types.type(property, suffix: "Flags")
                members += self.group(child, name, key: key, type: type)
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

    private func group(_ group: SwiftGroup, _ name: String, key: String?, type: String) -> [String] {
        let path = FlagKeyPath(components: group.path)
        let definition = groups[path] ?? FlagCollectionDefinition(key: path)
        let metadata = FlagMetadata(
            name: definition.displayName, description: definition.description, order: definition.order)
        var lines = Self.documentation(definition.description)
        lines += ["@FlagCollection("]
        if let key { lines.append("    key: \(SwiftText.literal(key)),") }
        lines.append("    description: \(Self.text(of: metadata)))")
        return lines + ["\(access)var \(name): \(type)", ""]
    }

    private mutating func flag(
        _ flag: FlagDefinition, _ name: String, key: String?, type: SwiftFlagType
    ) -> [String] {
        var metadata = flag.metadata
        metadata.name = flag.displayName
        var lines = Self.documentation(metadata.description)
        for note in type.notes {
            notes.append("\(flag.key.text): \(note)")
            lines.append("// Not in this code: \(SwiftText.comment(note)).")
        }
        if let reason = deprecation(of: metadata) {
            lines.append("@available(*, deprecated, message: \(SwiftText.literal(reason)))")
        }
        lines.append("@Flag(")
        if let key { lines.append("    key: \(SwiftText.literal(key)),") }
        if let value = flag.defaultValue { lines.append("    default: \(type.text(value)),") }
        if !flag.suggestions.isEmpty {
            lines.append("    suggestions: \(SwiftText.list(flag.suggestions.map(type.text))),")
        }
        lines.append("    description: \(Self.text(of: metadata)))")
        let mark = flag.defaultValue == nil ? "?" : ""
        return lines + ["\(access)var \(name): \(type.name)\(mark)", ""]
    }

    private func deprecation(of metadata: FlagMetadata) -> String? {
        if let retired = metadata.retired { return retired.isEmpty ? "retired" : "retired: \(retired)" }
        guard let date, let expires = metadata.expires, expires <= date else { return nil }
        return "expired on \(expires.formatted(.iso8601.year().month().day()))"
    }

    private static func documentation(_ text: String) -> [String] {
        text.split(whereSeparator: \.isNewline).map { "/// \(SwiftText.comment(String($0)))" }
    }

    private static func text(of metadata: FlagMetadata) -> String {
        let fields: [String?] = [
            metadata.name.map { "name: \(SwiftText.literal($0))" },
            "description: \(SwiftText.literal(metadata.description))",
            metadata.order.map { "order: \($0)" },
            metadata.isInternal ? "isInternal: true" : nil,
            metadata.uiIcon.map { "uiIcon: \(SwiftText.literal($0))" },
            metadata.isLocked ? "isLocked: true" : nil,
            metadata.requiresRestart ? "requiresRestart: true" : nil,
            metadata.tags.isEmpty ? nil : "tags: \(SwiftText.list(metadata.tags.map(SwiftText.literal)))",
            metadata.owner.map { "owner: \(SwiftText.literal($0))" },
            metadata.expires.map { "expires: \(SwiftText.date($0))" },
            metadata.isPersistable ? nil : "isPersistable: false",
            metadata.userInfo.isEmpty
                ? nil : "userInfo: \(SwiftText.dictionary(metadata.userInfo, SwiftText.value))",
            metadata.retired.map { "retired: \(SwiftText.literal($0))" },
        ]
        return "FlagMetadata(\n        \(fields.compactMap(\.self).joined(separator: ",\n        ")))"
    }

    private static func indented(_ line: String) -> String {
        line.split(separator: "\n", omittingEmptySubsequences: false).map { $0.isEmpty ? "" : "    \($0)" }
            .joined(separator: "\n")
    }
}
