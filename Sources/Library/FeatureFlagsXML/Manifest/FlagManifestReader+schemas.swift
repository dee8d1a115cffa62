import FeatureFlags
import Foundation

extension FlagManifestReader {
    /// Reads the schema of a part of a value.
    mutating func readSchema(_ value: FlagValue) -> FlagSchema? { schema(value, [], nil, .items, 0) }

    mutating func constraints(
        _ entry: FlagManifestEntry, type: FlagType?, depth: Int = 0
    ) -> FlagConstraints {
        let constraints = FlagConstraints(
            choices: choices(entry), minimum: limit(entry, .minimum), maximum: limit(entry, .maximum),
            pattern: pattern(entry), format: format(entry, of: type), items: items(entry, of: type, depth),
            properties: properties(entry, of: type, depth))
        if let minimum = constraints.minimum, let maximum = constraints.maximum, minimum > maximum {
            note(entry, .minimum, "\(minimum.text) is greater than the maximum")
        }
        guard let type else { return constraints }
        if type.rules.form == .choice, constraints.choices.isEmpty {
            note(entry, .choices, "add at least one choice")
        }
        for field in [ManifestField.minimum, .maximum] where entry[field] != nil && !field.types.contains(type) {
            note(entry, field, Self.owners(of: field, not: type))
        }
        if constraints.pattern != nil, !ManifestField.pattern.types.contains(type) {
            note(entry, .pattern, Self.owners(of: .pattern, not: type))
        }
        return constraints
    }

    private mutating func format(_ entry: FlagManifestEntry, of type: FlagType?) -> FlagFormat? {
        guard let text = string(entry, .format) else { return nil }
        let formats = type.map(FlagFormat.formats) ?? FlagFormat.allCases
        if let format = FlagFormat(rawValue: text), formats.contains(format) { return format }
        note(
            entry, .format,
            formats.isEmpty
                ? Self.owners(of: .format, not: type)
                : "\(text.quotedOrCounted) is not a valid format\(type.map { " for the type \($0.rawValue)" } ?? ""); "
                    + "expected "
                    + Self.either(formats.map(\.rawValue)))
        return nil
    }

    private static func owners(of field: ManifestField, not type: FlagType?) -> String {
        let types = field.types.map { "\($0.rawValue.starts(with: /[aeio]/) ? "an" : "a") \($0.rawValue)" }
        return "only \(either(types)) can have one, and the type is \(type?.rawValue ?? "unknown")"
    }

    static func either(_ names: [String]) -> String {
        names.formatted(.list(type: .or).locale(Locale(identifier: "en_GB")))
    }

    /// The limit of schemas within schemas.
    private static let deepestSchema = 32

    private mutating func items(_ entry: FlagManifestEntry, of type: FlagType?, _ depth: Int) -> FlagSchema? {
        guard let value = part(entry, .items, of: type) else { return nil }
        return schema(value, entry.path + [.key(ManifestField.items.rawValue)], entry.subject, .items, depth)
    }

    /// Returns the value of a field with schemas; notes one that the type can't have.
    private mutating func part(
        _ entry: FlagManifestEntry, _ field: ManifestField, of type: FlagType?
    ) -> FlagValue? {
        guard let value = entry[field] else { return nil }
        guard let type else {
            if entry[.type] == nil { note(entry, field, "needs a type") }
            return nil
        }
        if field.types.contains(type) { return value }
        let types = Self.either(field.types.map(\.rawValue))
        note(entry, field, "only a flag of the type \(types) can have them, and the type is \(type.rawValue)")
        return nil
    }

    private mutating func properties(
        _ entry: FlagManifestEntry, of type: FlagType?, _ depth: Int
    ) -> [String: FlagSchema] {
        let field = ManifestField.properties
        guard let value = part(entry, field, of: type) else { return [:] }
        guard case .dictionary(let members) = value else {
            mismatch(entry, field, value, "a dictionary of schemas by name")
            return [:]
        }
        var properties: [String: FlagSchema] = [:]
        for (name, value) in members.sorted(by: { $0.key < $1.key }) {
            properties[name] = schema(
                value, entry.path + [.key(field.rawValue), .key(name)], entry.subject, field, depth)
        }
        return properties
    }

    private mutating func schema(
        _ value: FlagValue, _ path: [PathStep], _ subject: String?, _ field: ManifestField, _ depth: Int
    ) -> FlagSchema? {
        guard depth < Self.deepestSchema else {
            note(path, subject, field, "has schemas nested more than \(Self.deepestSchema) levels deep")
            return nil
        }
        guard case .dictionary(let fields) = value else {
            note(path, subject, field, "found \(value.briefDescription), expected a dictionary with a type")
            return nil
        }
        let entry = FlagManifestEntry(fields, path, subject: subject ?? "")
        let type = entry[.type] == nil ? nil : type(entry)
        return FlagSchema(
            type: type, constraints: constraints(entry, type: type, depth: depth + 1),
            isOptional: bool(entry, .isOptional))
    }
}
