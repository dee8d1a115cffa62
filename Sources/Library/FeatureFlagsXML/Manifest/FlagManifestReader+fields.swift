import FeatureFlags
import Foundation

/// The fields of an entry, each with its problems noted.
extension FlagManifestReader {
    /// The limit of characters, since a pattern is compiled again for each value.
    private static let longestPattern = 1000

    mutating func string(
        _ entry: FlagManifestEntry, _ field: ManifestField, required: String? = nil
    ) -> String? {
        switch entry[field] {
        case .string(let text): return text
        case nil:
            if let required { note(entry, field, "missing; expected \(required)") }
        case .some(let value): mismatch(entry, field, value, required ?? "a string")
        }
        return nil
    }

    mutating func bool(_ entry: FlagManifestEntry, _ field: ManifestField) -> Bool {
        switch entry[field] {
        case .bool(let value): return value
        case nil: break
        case .some(let value): mismatch(entry, field, value, "<true/> or <false/>")
        }
        return false
    }

    mutating func order(_ entry: FlagManifestEntry) -> Int? {
        switch entry[.order] {
        case .integer(let value) where Int(exactly: value) != nil: return Int(value)
        case nil: break
        case .some(let value): mismatch(entry, .order, value, "an integer")
        }
        return nil
    }

    mutating func limit(_ entry: FlagManifestEntry, _ field: ManifestField) -> FlagLimit? {
        switch entry[field] {
        case .integer(let value): return FlagLimit(value)
        case .double(let value) where value.isFinite: return FlagLimit(value)
        case nil: break
        case .some(let value): mismatch(entry, field, value, "a number")
        }
        return nil
    }

    mutating func date(_ entry: FlagManifestEntry, _ field: ManifestField) -> Date? {
        switch entry[field] {
        case .date(let value): return value
        case .string(let text):
            guard let date = FlagDate.parse(text) else {
                mismatch(entry, field, .string(text), FlagType.date.expectation)
                return nil
            }
            return date
        case nil: break
        case .some(let value): mismatch(entry, field, value, FlagType.date.expectation)
        }
        return nil
    }

    mutating func texts(_ entry: FlagManifestEntry, _ field: ManifestField) -> [String] {
        guard let value = entry[field] else { return [] }
        guard case .array(let values) = value else {
            mismatch(entry, field, value, "an array of strings")
            return []
        }
        return values.compactMap { value in
            if case .string(let text) = value { return text }
            mismatch(entry, field, value, "a string in the array")
            return nil
        }
    }

    mutating func computation(_ entry: FlagManifestEntry) -> FlagComputation? {
        guard let text = string(entry, .computed) else { return nil }
        let computation = FlagComputation(rawValue: text)
        if computation == nil {
            let names = Self.either(FlagComputation.allCases.map(\.rawValue))
            note(entry, .computed, "\(text.quotedOrCounted) is not a valid value of computed; expected \(names)")
        }
        return computation
    }

    mutating func userInfo(_ entry: FlagManifestEntry) -> [String: FlagValue] {
        switch entry[.userInfo] {
        case .dictionary(let values): return values
        case nil: break
        case .some(let value): mismatch(entry, .userInfo, value, "a dictionary")
        }
        return [:]
    }

    mutating func storage(_ entry: FlagManifestEntry, of type: FlagType) -> FlagStorage? {
        guard let text = string(entry, .storage) else { return nil }
        let layouts = FlagStorage.layouts(of: type)
        if let storage = FlagStorage(rawValue: text), layouts.contains(storage) { return storage }
        let names = Self.either(layouts.map(\.rawValue))
        note(
            entry, .storage,
            layouts.isEmpty
                ? "only a json or a date can have one, and the type is \(type.rawValue)"
                : "\(text.quotedOrCounted) is not a valid storage for the type \(type.rawValue); expected \(names)")
        return nil
    }

    mutating func suggestions(_ entry: FlagManifestEntry, of definition: FlagDefinition) -> [FlagValue] {
        guard let value = entry[.suggestions] else { return [] }
        guard case .array(let values) = value else {
            mismatch(entry, .suggestions, value, "an array of values")
            return []
        }
        var suggestions: [FlagValue] = []
        var seen: Set<FlagValue> = []
        for (index, value) in values.enumerated() {
            let path = entry.path + [.key(ManifestField.suggestions.rawValue), .index(index)]
            do throws(FlagValueError) {
                let suggestion = try definition.suggestion(value)
                if !seen.insert(suggestion).inserted {
                    note(path, entry.subject, .suggestions, "duplicate value \(suggestion.briefDescription)")
                }
                suggestions.append(suggestion)
            } catch {
                note(path, entry.subject, .suggestions, error.advice)
            }
        }
        return suggestions
    }

    mutating func choices(_ entry: FlagManifestEntry) -> [FlagValue] {
        guard let value = entry[.choices] else { return [] }
        guard case .array(let values) = value else {
            mismatch(entry, .choices, value, "an array of values")
            return []
        }
        noteRepeatedChoices(values, entry)
        for value in values {
            switch value {
            case .string, .integer, .double: break
            default: mismatch(entry, .choices, value, "a string or a number in the array")
            }
        }
        return values
    }

    /// An editor offers choices by their text, so `1` and `<string>1</string>` can't both be choices.
    private mutating func noteRepeatedChoices(_ values: [FlagValue], _ entry: FlagManifestEntry) {
        let definition = FlagDefinition(key: FlagKeyPath(components: [entry.subject]), type: .choice)
        var seen: Set<String> = []
        for text in values.map(definition.editableText) where !seen.insert(text).inserted {
            note(entry, .choices, "duplicate value \(text.quotedOrCounted)")
        }
    }

    mutating func pattern(_ entry: FlagManifestEntry) -> String? {
        guard let pattern = string(entry, .pattern) else { return nil }
        guard pattern.count <= Self.longestPattern else {
            note(entry, .pattern, "is longer than \(Self.longestPattern) characters; shorten it")
            return nil
        }
        guard FlagConstraints.expression(pattern) != nil else {
            note(entry, .pattern, "\(pattern.quotedOrCounted) is not a valid regular expression")
            return nil
        }
        return pattern
    }
}
