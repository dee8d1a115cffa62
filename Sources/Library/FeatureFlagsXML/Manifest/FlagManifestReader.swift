import FeatureFlags
import Foundation

/// Reads a manifest's tree into definitions, and collects all problems instead of stopping at the first.
struct FlagManifestReader {
    /// The limit of reported problems: a file with more is wrong as a whole.
    private static let mostProblems = 50
    /// The limit of characters, since a pattern is compiled again for each value.
    private static let longestPattern = 1000

    private let root: FlagValue
    private let locate: ([PathStep]) -> SourceLocation?
    private var problems: [FlagManifestError.Problem] = []
    private var untold = 0

    var error: FlagManifestError? { problems.isEmpty ? nil : FlagManifestError(problems, untold: untold) }

    init(root: FlagValue, locate: @escaping ([PathStep]) -> SourceLocation?) {
        self.root = root
        self.locate = locate
    }

    mutating func read() -> ([FlagDefinition], [FlagCollectionDefinition]) {
        guard case .dictionary(let root) = root else {
            note([], nil, nil, "found \(root.kind), expected a dictionary with version, flags and collections")
            return ([], [])
        }
        readVersion(root[ManifestField.version.rawValue])
        let definitions = entries(.flags, in: root).compactMap { definition($0) }
        let collections = entries(.collections, in: root).compactMap { collection($0) }
        readEnvironments(root[ManifestField.environments.rawValue])
        return (definitions, collections)
    }

    private mutating func readVersion(_ version: FlagValue?) {
        switch version {
        case .integer(1): break
        case nil: note([], nil, .version, "missing; expected the integer 1")
        case .some(let value):
            note(
                [.key(ManifestField.version.rawValue)], nil, .version,
                "found \(value.briefDescription), expected the integer 1")
        }
    }

    private mutating func readEnvironments(_ environments: FlagValue?) {
        guard let environments else { return }
        let path: [PathStep] = [.key(ManifestField.environments.rawValue)]
        guard case .dictionary(let all) = environments else {
            return note(
                path, nil, .environments,
                "found \(environments.briefDescription), expected a dictionary of environments")
        }
        for (name, rules) in all.sorted(by: { $0.key < $1.key }) {
            let path = path + [.key(name)]
            guard case .dictionary(let fields) = rules else {
                note(path, name, nil, "found \(rules.briefDescription), expected a dictionary of rules")
                continue
            }
            for field in ManifestField.Place.environment.fields {
                guard let rule = fields[field.rawValue] else { continue }
                if case .bool = rule { continue }
                note(
                    path + [.key(field.rawValue)], name, field,
                    "found \(rule.briefDescription), expected true or false")
            }
        }
    }

    private mutating func entries(_ field: ManifestField, in root: [String: FlagValue]) -> [FlagManifestEntry] {
        let name = field.rawValue
        guard let value = root[name] else { return [] }
        guard case .array(let values) = value else {
            note([.key(name)], nil, field, "found \(value.briefDescription), expected an array of dictionaries")
            return []
        }
        var entries: [FlagManifestEntry] = []
        for (index, value) in values.enumerated() {
            let path: [PathStep] = [.key(name), .index(index)]
            guard case .dictionary(let fields) = value else {
                note(path, "\(name)[\(index)]", nil, "found \(value.briefDescription), expected a dictionary")
                continue
            }
            entries.append(FlagManifestEntry(fields, path, place: "\(name)[\(index)]"))
        }
        noteRepeatedKeys(entries, field)
        return entries
    }

    private mutating func noteRepeatedKeys(_ entries: [FlagManifestEntry], _ field: ManifestField) {
        var seen: [FlagKeyPath: FlagManifestEntry] = [:]
        for entry in entries {
            guard let key = entry.key else { continue }
            if let first = seen[key] {
                let line = locate(first.path).map { " at line \($0.line)" } ?? ""
                note(entry, .key, "duplicate definition: the first one is\(line)", isRepetition: true)
            } else {
                seen[key] = entry
            }
        }
        guard field == .flags else { return }
        let nested = seen.compactMap { key, entry in
            key.ancestors.first { seen[$0] != nil }.map { (key: key, entry: entry, above: $0) }
        }
        for (_, entry, above) in nested.sorted(by: { $0.key < $1.key }) {
            note(entry, .key, Self.nested(in: above))
        }
    }

    static func nested(in above: FlagKeyPath) -> String {
        "is inside the flag \(above), which can't be both a flag and a group"
    }

    private mutating func definition(_ entry: FlagManifestEntry) -> FlagDefinition? {
        let (key, type, metadata) = (key(entry), type(entry), metadata(entry))
        let constraints = constraints(entry, type: type)
        let isOptional = bool(entry, .isOptional)
        guard let key, let type else { return nil }
        var definition = FlagDefinition(
            key: key, type: type, constraints: constraints, metadata: metadata, storage: storage(entry, of: type),
            isOptional: isOptional, computed: computation(entry),
            excludedProviders: texts(entry, .excludedProviders), group: keyPath(entry, .group))
        if definition.computed == .default, entry[.default] != nil {
            note(entry, .default, "the app computes the default (computed); remove one of the two")
        }
        if let value = entry[.default], type != .choice || !constraints.choices.isEmpty {
            do {
                definition.defaultValue = try definition.interpret(value)
            } catch {
                note(entry, .default, error.advice)
            }
        }
        if type != .choice || !constraints.choices.isEmpty {
            definition.suggestions = suggestions(entry, of: definition)
        }
        return definition
    }

    private mutating func collection(_ entry: FlagManifestEntry) -> FlagCollectionDefinition? {
        guard let key = key(entry) else { return nil }
        return FlagCollectionDefinition(
            key: key, name: string(entry, .name), description: string(entry, .description) ?? "",
            order: order(entry))
    }

    private mutating func key(_ entry: FlagManifestEntry) -> FlagKeyPath? {
        keyPath(entry, .key, required: "a key path like checkout/new_button")
    }

    private mutating func keyPath(
        _ entry: FlagManifestEntry, _ field: ManifestField, required: String? = nil
    ) -> FlagKeyPath? {
        guard let text = string(entry, field, required: required) else { return nil }
        guard text.utf8.count <= PropertyListDocument.maximumKeySize else {
            note(
                entry, field, "is longer than \(PropertyListDocument.maximumKeySize) bytes; shorten it"
            )
            return nil
        }
        guard !text.isEmpty, let key = FlagKeyPath(text: text) else {
            note(
                entry, field,
                "\"\(text)\" is not a valid key path: join at most \(FlagKeyPath.maximumCount) components with /, and "
                    + "write ~ as ~0"
            )
            return nil
        }
        if field == .group, key.hasNamelessComponent {
            note(entry, field, "\"\(text)\" has an unnamed group; name every group")
            return nil
        }
        return key
    }

    private static let typeNames = FlagType.allCases.map(\.rawValue).joined(separator: ", ")

    mutating func type(_ entry: FlagManifestEntry) -> FlagType? {
        guard let text = string(entry, .type, required: "one of \(Self.typeNames)") else { return nil }
        guard let type = FlagType(rawValue: text) else {
            note(entry, .type, "\(text.quotedOrCounted) is not a type; expected one of \(Self.typeNames)")
            return nil
        }
        return type
    }

    private mutating func metadata(_ entry: FlagManifestEntry) -> FlagMetadata {
        FlagMetadata(
            name: string(entry, .name), description: string(entry, .description) ?? "", order: order(entry),
            isInternal: bool(entry, .isInternal), uiIcon: string(entry, .icon), isLocked: bool(entry, .isLocked),
            requiresRestart: bool(entry, .requiresRestart), tags: texts(entry, .tags),
            owner: string(entry, .owner), expires: date(entry, .expires), userInfo: userInfo(entry),
            retired: string(entry, .retired))
    }
}

struct FlagManifestEntry {
    let fields: [String: FlagValue]
    let path: [PathStep]
    let key: FlagKeyPath?
    /// The key as written, or the place in the array if the key is missing or very long.
    let subject: String

    init(_ fields: [String: FlagValue], _ path: [PathStep], place: String) {
        self.fields = fields
        self.path = path
        var text = ""
        if case .string(let key) = fields[ManifestField.key.rawValue] { text = key }
        key = text.isEmpty ? nil : FlagKeyPath(text: text)
        subject = text.isEmpty || text.utf8.count > PropertyListDocument.maximumKeySize ? place : text
    }

    /// A schema in an entry.
    init(_ fields: [String: FlagValue], _ path: [PathStep], subject: String) {
        (self.fields, self.path, self.subject, key) = (fields, path, subject, nil)
    }

    subscript(field: ManifestField) -> FlagValue? { fields[field.rawValue] }
}

extension FlagManifestReader {
    mutating func note(
        _ path: [PathStep], _ subject: String?, _ field: ManifestField?, _ reason: String, isRepetition: Bool = false
    ) {
        guard problems.count < Self.mostProblems else {
            untold += 1
            return
        }
        problems.append(
            FlagManifestError.Problem(
                subject: subject, field: field?.rawValue, location: locate(path), reason: reason, path: path,
                isRepetition: isRepetition))
    }

    mutating func note(
        _ entry: FlagManifestEntry, _ field: ManifestField, _ reason: String, isRepetition: Bool = false
    ) {
        let path = entry[field] == nil ? entry.path : entry.path + [.key(field.rawValue)]
        note(path, entry.subject, field, reason, isRepetition: isRepetition)
    }

    mutating func mismatch(
        _ entry: FlagManifestEntry, _ field: ManifestField, _ found: FlagValue, _ wanted: String
    ) {
        note(entry, field, "found \(found.briefDescription), expected \(wanted)")
    }

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

    private mutating func order(_ entry: FlagManifestEntry) -> Int? {
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

    private mutating func date(_ entry: FlagManifestEntry, _ field: ManifestField) -> Date? {
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

    private mutating func texts(_ entry: FlagManifestEntry, _ field: ManifestField) -> [String] {
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

    private mutating func computation(_ entry: FlagManifestEntry) -> FlagComputation? {
        guard let text = string(entry, .computed) else { return nil }
        let computation = FlagComputation(rawValue: text)
        if computation == nil {
            let names = Self.either(FlagComputation.allCases.map(\.rawValue))
            note(entry, .computed, "\(text.quotedOrCounted) is not a valid value of computed; expected \(names)")
        }
        return computation
    }

    private mutating func userInfo(_ entry: FlagManifestEntry) -> [String: FlagValue] {
        switch entry[.userInfo] {
        case .dictionary(let values): return values
        case nil: break
        case .some(let value): mismatch(entry, .userInfo, value, "a dictionary")
        }
        return [:]
    }

    private mutating func storage(_ entry: FlagManifestEntry, of type: FlagType) -> FlagStorage? {
        guard let text = string(entry, .storage) else { return nil }
        let layouts = FlagStorage.layouts(of: type)
        if let storage = FlagStorage(rawValue: text), layouts.contains(storage) { return storage }
        let names = Self.either(layouts.map(\.rawValue))
        note(
            entry, .storage,
            layouts.isEmpty
                ? "only a json or a date can have one, and the type is \(type.rawValue)"
                : "\(text.quotedOrCounted) is not a storage of a \(type.rawValue); expected \(names)")
        return nil
    }

    private mutating func suggestions(_ entry: FlagManifestEntry, of definition: FlagDefinition) -> [FlagValue] {
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
