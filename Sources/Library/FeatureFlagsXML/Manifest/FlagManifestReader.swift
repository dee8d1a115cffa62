import FeatureFlags
import Foundation

/// Reads a manifest's tree into definitions, and collects all problems instead of stopping at the first.
struct FlagManifestReader {
    /// The limit of reported problems: a file with more is wrong as a whole.
    private static let mostProblems = 50

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
                let difference =
                    first.key.flatMap { UnicodeName.difference(of: $0.text, from: key.text) }
                    .map { ", in another Unicode form (\($0))" } ?? ""
                note(
                    entry, .key, "duplicate definition: the first one is\(line)\(difference)", isRepetition: true)
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
        if let value = entry[.default], type.rules.form != .choice || !constraints.choices.isEmpty {
            do {
                definition.defaultValue = try definition.interpret(value)
            } catch {
                note(entry, .default, error.advice)
            }
        }
        if type.rules.form != .choice || !constraints.choices.isEmpty {
            definition.suggestions = suggestions(entry, of: definition)
        }
        return definition
    }

    private mutating func collection(_ entry: FlagManifestEntry) -> FlagCollectionDefinition? {
        guard let key = key(entry) else { return nil }
        return FlagCollectionDefinition(
            key: key, name: string(entry, .name), description: string(entry, .description) ?? "",
            order: order(entry), icon: string(entry, .icon), isSection: bool(entry, .isSection))
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
}
