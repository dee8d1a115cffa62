import FeatureFlags
import Foundation

/// A flag's declaration.
package struct SwiftFlag {
    /// The flag's own type, such as an enum; empty for a type of Swift or the library.
    let type: [String]
    let lines: [String]
    /// Parts of the definition that Swift can't express; also comments in `lines`.
    let notes: [String]

    /// `access` ends with a space or is empty.
    ///
    /// - Parameter date: The moment at which flags expire; `nil` for source that doesn't depend on the day.
    init(_ flag: FlagDefinition, property: String, types: inout SwiftNames, access: String, date: Date?) {
        let type = SwiftFlagType(of: flag, property: property, types: &types, access: access)
        let computed = flag.computed.map { "how the app computes the \($0.rawValue)" }
        let group = SwiftGroup.groups(of: flag) == nil ? flag.group.map { "the group \($0) that it is shown in" } : nil
        (self.type, notes) = (type.declaration, type.notes + [computed, group].compactMap(\.self))
        var metadata = flag.metadata
        metadata.name = flag.displayName
        var lines = SwiftText.documentation(metadata.description)
        lines += notes.map { "// Not represented in code: \(SwiftText.comment($0))." }
        if let reason = Self.deprecation(of: metadata, on: date) {
            lines.append("@available(*, deprecated, message: \(SwiftText.literal(reason)))")
        }
        lines.append("@Flag(")
        if let key = SwiftNames.key(of: property, for: flag.key.components.last ?? "") {
            lines.append("    key: \(SwiftText.literal(key)),")
        }
        if let value = flag.defaultValue { lines.append("    default: \(type.text(value)),") }
        if !flag.excludedProviders.isEmpty {
            lines.append("    excludedProviderNames: \(SwiftText.list(flag.excludedProviders.map(SwiftText.literal))),")
        }
        if !flag.suggestions.isEmpty {
            lines.append("    suggestions: \(SwiftText.list(flag.suggestions.map(type.text))),")
        }
        lines.append("    description: \(SwiftText.metadata(metadata)))")
        let mark = flag.defaultValue == nil || flag.isOptional ? "?" : ""
        self.lines = lines + ["\(access)var \(SwiftNames.quoted(property)): \(type.name)\(mark)"]
    }

    /// Returns the source of one flag, as ``SwiftSource`` has it.
    package static func source(of flag: FlagDefinition, on date: Date) -> String {
        let property = SwiftNames.properties(of: [flag.key])[flag.key] ?? ""
        var types = SwiftNames.types
        let source = SwiftFlag(flag, property: property, types: &types, access: "", date: date)
        let place = flag.groups.last.map {
            "// In the collection whose \(flag.group == nil ? "key path" : "path") is \(SwiftText.literal($0.text)):"
        }
        let type = source.type.isEmpty ? [] : source.type + [""]
        return ([place].compactMap(\.self) + type + source.lines).joined(separator: "\n")
    }

    private static func deprecation(of metadata: FlagMetadata, on date: Date?) -> String? {
        if let retired = metadata.retired { return retired.isEmpty ? "deprecated" : "deprecated: \(retired)" }
        guard let date, let expires = metadata.expires, expires <= date else { return nil }
        return "expired on \(expires.formatted(.iso8601.year().month().day()))"
    }
}

/// A flag, or a group and its contents, in the manifest's order.
struct SwiftGroup {
    /// The path among the groups.
    let path: [String]
    /// `false` for a group that adds nothing to key paths.
    let isInKeyPath: Bool
    private(set) var isFlag = false
    private(set) var definition: FlagDefinition?
    private(set) var children: [SwiftGroup] = []
    /// Indexes of children by their names' bytes, since texts that are equal in Swift may differ in a file.
    private var places: [Place: Int] = [:]

    private struct Place: Hashable {
        let name: [UInt8]
        let isInKeyPath: Bool
    }

    init(path: [String], isInKeyPath: Bool = true) {
        self.path = path
        self.isInKeyPath = isInKeyPath
    }

    var name: String { path[path.count - 1] }

    /// Uses the group of the key path if no collection can have the flag's own.
    mutating func add(_ definition: FlagDefinition) {
        let groups = Self.groups(of: definition) ?? definition.key.components.dropLast().map { ($0, true) }
        add(groups[...], definition.key.leaf, definition)
    }

    mutating func add(_ key: FlagKeyPath) { add(key.components.dropLast().map { ($0, true) }[...], key.leaf, nil) }

    private mutating func add(
        _ groups: ArraySlice<(name: String, isInKeyPath: Bool)>, _ leaf: String, _ definition: FlagDefinition?
    ) {
        let (name, isInKeyPath) = groups.first ?? (leaf, true)
        let key = Place(name: Array(name.utf8), isInKeyPath: isInKeyPath)
        let place = places[key] ?? children.count
        if place == children.count {
            places[key] = place
            children.append(SwiftGroup(path: path + [name], isInKeyPath: isInKeyPath))
        }
        if groups.isEmpty {
            (children[place].isFlag, children[place].definition) = (true, definition)
        } else {
            children[place].add(groups.dropFirst(), leaf, definition)
        }
    }

    /// Returns the groups that a flag is shown in, and which of them its key path names; `nil` if it names another.
    static func groups(of definition: FlagDefinition) -> [(name: String, isInKeyPath: Bool)]? {
        var named = definition.key.components.dropLast()
        var groups: [(name: String, isInKeyPath: Bool)] = []
        for name in definition.groupPath.reversed() {
            let isNamed = named.last.map { $0.utf8.elementsEqual(name.utf8) } ?? false
            if isNamed { named.removeLast() }
            groups.append((name, isNamed))
        }
        return named.isEmpty ? groups.reversed() : nil
    }

    /// The children's property names, in order, without backticks.
    var properties: [String] {
        var names = SwiftNames(reserved: ["encoded", "hashValue"])
        return children.map { names.property($0.name) }
    }
}

extension SwiftNames {
    /// Returns each flag's property name in generated source, without backticks.
    package static func properties(of keys: some Sequence<FlagKeyPath>) -> [FlagKeyPath: String] {
        var root = SwiftGroup(path: [])
        for key in keys { root.add(key) }
        var (found, waiting): ([FlagKeyPath: String], [SwiftGroup]) = ([:], [root])
        while let group = waiting.popLast() {
            for (child, name) in zip(group.children, group.properties) {
                if child.isFlag { found[FlagKeyPath(components: child.path)] = name }
                waiting.append(child)
            }
        }
        return found
    }
}
