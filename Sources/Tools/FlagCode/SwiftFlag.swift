import FeatureFlags
import Foundation

/// One flag as Swift declares it.
package struct SwiftFlag {
    /// The lines of its own type, such as the enum of its choices; none where Swift or the library has the type.
    let type: [String]
    /// The lines of its property.
    let lines: [String]
    /// What of the definition Swift can't say; each stands in the lines as a comment too.
    let notes: [String]

    /// - Parameters:
    ///   - flag: The definition.
    ///   - property: The name of the property, without backticks.
    ///   - types: The names of types in the scope around it.
    ///   - access: The access modifier with a space after it, or nothing.
    ///   - date: The moment at which the flag may count as expired; `nil` for source that no day changes.
    init(_ flag: FlagDefinition, property: String, types: inout SwiftNames, access: String, date: Date?) {
        let type = SwiftFlagType(of: flag, property: property, types: &types, access: access)
        (self.type, notes) = (type.declaration, type.notes)
        var metadata = flag.metadata
        metadata.name = flag.displayName
        var lines = SwiftText.documentation(metadata.description)
        lines += notes.map { "// Not in this code: \(SwiftText.comment($0))." }
        if let reason = Self.deprecation(of: metadata, on: date) {
            lines.append("@available(*, deprecated, message: \(SwiftText.literal(reason)))")
        }
        lines.append("@Flag(")
        if let key = SwiftNames.key(of: property, for: flag.key.components.last ?? "") {
            lines.append("    key: \(SwiftText.literal(key)),")
        }
        if let value = flag.defaultValue { lines.append("    default: \(type.text(value)),") }
        if !flag.suggestions.isEmpty {
            lines.append("    suggestions: \(SwiftText.list(flag.suggestions.map(type.text))),")
        }
        lines.append("    description: \(SwiftText.metadata(metadata)))")
        let mark = flag.defaultValue == nil ? "?" : ""
        self.lines = lines + ["\(access)var \(SwiftNames.quoted(property)): \(type.name)\(mark)"]
    }

    /// The source of a flag by itself, as ``SwiftSource`` has it in the collection of its group.
    ///
    /// ```swift
    /// let text = SwiftFlag.source(of: definition, on: Date())
    /// ```
    package static func source(of flag: FlagDefinition, on date: Date) -> String {
        let property = SwiftNames.properties(of: [flag.key])[flag.key] ?? ""
        var types = SwiftNames.types
        let source = SwiftFlag(flag, property: property, types: &types, access: "", date: date)
        let place = flag.key.ancestors.last.map {
            "// In the collection whose key path is \(SwiftText.literal($0.text)):"
        }
        let type = source.type.isEmpty ? [] : source.type + [""]
        return ([place].compactMap(\.self) + type + source.lines).joined(separator: "\n")
    }

    private static func deprecation(of metadata: FlagMetadata, on date: Date?) -> String? {
        if let retired = metadata.retired { return retired.isEmpty ? "retired" : "retired: \(retired)" }
        guard let date, let expires = metadata.expires, expires <= date else { return nil }
        return "expired on \(expires.formatted(.iso8601.year().month().day()))"
    }
}
