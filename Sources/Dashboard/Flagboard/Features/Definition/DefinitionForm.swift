import FeatureFlags
import FeatureFlagsXML
import FlagChanges
import Foundation

struct DefinitionForm: Hashable, Sendable {
    private(set) var texts: [String: String]
    private var checked: Set<String>
    var problems: [String: String] = [:]
    /// The problem of the form as a whole.
    var problem: String?
    var reason: String
    private(set) var confirmation = SentConfirmation.none
    var refusal: ChangeError.Reason?
    /// The key path of the copied flag.
    var original: String?
    var isKeyUnusual = false

    /// The box that allows an unusual key path.
    static let keptKey = "keepsKey"

    private static let boxes = [
        "isLocked", "isInternal", "requiresRestart", "isOptional", "emptyDefault", "breaksValues", keptKey,
    ]

    /// `true` or `false`; other types use `default`.
    static let booleanDefault = "booleanDefault"
    /// `string` or `integer`.
    static let choiceKind = "choiceKind"

    /// Without a default, a Boolean is off.
    init(key: String = "", type: FlagType = .bool, default fallback: String = "") {
        texts = ["key": key, "type": type.rawValue, Self.booleanDefault: "false", Self.choiceKind: "string"]
        if type != .bool {
            texts["default"] = LineEnds.normalized(fallback)
        } else if fallback == "true" {
            texts[Self.booleanDefault] = fallback
        }
        checked = []
        reason = ""
    }

    init(_ fields: FormFields) {
        texts = fields.values.mapValues(LineEnds.normalized)
        checked = Set(Self.boxes.filter { fields[$0] != nil })
        reason = fields["reason"].map(LineEnds.normalized) ?? ""
        original = fields["from"]
        confirmation = SentConfirmation(fields)
    }

    init(_ definition: FlagDefinition) {
        let (metadata, constraints) = (definition.metadata, definition.constraints)
        let fallback = definition.defaultValue.map(definition.editableText) ?? ""
        let isOfBoolean = definition.type == .bool
        let stored: [String: String] = [
            "key": definition.key.text, "type": definition.type.rawValue, "name": metadata.name ?? "",
            "description": metadata.description,
            "default": isOfBoolean ? "" : fallback, Self.booleanDefault: isOfBoolean ? fallback : "",
            "choices": constraints.choices.map(definition.lineText).joined(separator: "\n"),
            Self.choiceKind: Self.kind(of: constraints.choices),
            "storage": definition.storage?.rawValue ?? "",
            "suggestions": definition.suggestions.map(definition.lineText).joined(separator: "\n"),
            "minimum": constraints.minimum?.text ?? "",
            "maximum": constraints.maximum?.text ?? "", "pattern": constraints.pattern ?? "",
            "format": constraints.format?.rawValue ?? "", "items": constraints.items.map(Self.text) ?? "",
            "properties": Self.text(constraints.properties),
            "owner": metadata.owner ?? "", "tags": metadata.tags.joined(separator: ", "),
            "expires": metadata.expires.map(TimeText.dayText) ?? "", "order": metadata.order.map(String.init) ?? "",
            "icon": metadata.uiIcon ?? "", "group": definition.group?.text ?? "",
        ]
        texts = stored.mapValues(LineEnds.normalized)
        checked = []
        if metadata.isLocked { checked.insert("isLocked") }
        if metadata.isInternal { checked.insert("isInternal") }
        if metadata.requiresRestart { checked.insert("requiresRestart") }
        if definition.isOptional { checked.insert("isOptional") }
        if definition.defaultValue == .string("") { checked.insert("emptyDefault") }
        reason = ""
    }

    /// Takes over another person's changes to fields that weren't touched here.
    func keeping(_ theirs: DefinitionForm, basedOn base: DefinitionForm) -> DefinitionForm {
        var form = self
        for (name, text) in texts where text == base[name] { form.texts[name] = theirs[name] }
        for name in Self.boxes where isChecked(name) == base.isChecked(name) {
            if theirs.isChecked(name) { form.checked.insert(name) } else { form.checked.remove(name) }
        }
        return form
    }

    subscript(name: String) -> String { texts[name] ?? "" }

    func isChecked(_ name: String) -> Bool { checked.contains(name) }

    /// Returns `nil` after setting ``problems``.
    ///
    /// Fields that the form lacks, or leaves as they were, keep the exact value of `base`.
    mutating func definition(of key: FlagKeyPath, basedOn base: FlagDefinition?) -> FlagDefinition? {
        guard let type = FlagType(rawValue: self["type"]) else {
            problems["type"] = "“\(self["type"])” isn’t a type. Choose one from the list."
            return nil
        }
        var definition = base ?? FlagDefinition(key: key, type: type)
        definition.type = type
        definition.isOptional = isChecked("isOptional")
        readMetadata(into: &definition.metadata)
        readGroup(into: &definition)
        readConstraints(into: &definition)
        readStorage(into: &definition)
        checkConstraints(of: definition, basedOn: base)
        readSuggestions(into: &definition, basedOn: base?.type == type ? base : nil)
        readDefault(into: &definition, basedOn: base?.type == type ? base : nil)
        return problems.isEmpty ? definition : nil
    }

    private static func kind(of choices: [FlagValue]) -> String {
        let areWhole = choices.allSatisfy { if case .integer = $0 { true } else { false } }
        return areWhole && !choices.isEmpty ? "integer" : "string"
    }

    private mutating func readChoices(into definition: inout FlagDefinition) {
        let old = definition.constraints.choices.map { ($0, LineEnds.normalized(definition.lineText(of: $0))) }
        let kind = texts[Self.choiceKind]
        let isKindKept = kind == nil || kind == Self.kind(of: old.map(\.0))
        // Choices that are empty or have line breaks are kept only while the field is untouched.
        if isKindKept, self["choices"] == old.map(\.1).joined(separator: "\n") { return }
        definition.constraints.choices = []
        for line in self["choices"].split(separator: "\n").map(String.init) where !line.allSatisfy(\.isWhitespace) {
            if isKindKept, let known = old.first(where: { $0.1 == line })?.0 {
                definition.constraints.choices.append(known)
            } else if kind == "integer" {
                guard let whole = Int128(line.trimmingCharacters(in: .whitespaces)),
                    FlagValue.integerRange.contains(whole)
                else {
                    problems["choices"] = "“\(line)” isn’t a whole number, or is too large."
                    return
                }
                definition.constraints.choices.append(.integer(whole))
            } else {
                definition.constraints.choices.append(.string(line))
            }
        }
    }

    private mutating func readConstraints(into definition: inout FlagDefinition) {
        readChoices(into: &definition)
        definition.constraints.minimum = limit("minimum")
        definition.constraints.maximum = limit("maximum")
        definition.constraints.pattern = text("pattern", like: definition.constraints.pattern)
        readSchemas(into: &definition)
    }

    private static func text(_ schema: FlagSchema) -> String { FlagJSON.line(.dictionary(schema.manifestEntry)) }

    private static func text(_ schemas: [String: FlagSchema]) -> String {
        schemas.isEmpty ? "" : FlagJSON.line(schemas.manifestEntry)
    }

    /// Keeps what fits the type if the form has no field for it, or another type's.
    private mutating func readSchemas(into definition: inout FlagDefinition) {
        let old = definition.constraints
        func isKept(_ field: ManifestField, _ text: String) -> Bool { (texts[field.rawValue] ?? text) == text }
        if isKept(.format, old.format?.rawValue ?? "") {
            definition.constraints.format = old.format.flatMap { $0.type == definition.type ? $0 : nil }
        } else {
            definition.constraints.format = FlagFormat(rawValue: self["format"])
            if !self["format"].isEmpty, definition.constraints.format?.type != definition.type {
                let names = FlagFormat.formats(of: definition.type).map(\.rawValue).joined(separator: ", ")
                problems["format"] =
                    names.isEmpty
                    ? "Only \(Self.names(of: ManifestField.format.types)) have a format. Choose “Any number” or another type."
                    : "Choose a format for \(definition.type.rawValue): \(names)."
            }
        }
        if isKept(.items, old.items.map(Self.text) ?? "") {
            if !ManifestField.items.types.contains(definition.type) { definition.constraints.items = nil }
        } else {
            definition.constraints.items = trimmed("items").isEmpty ? nil : schema("items") { $0 }
        }
        if isKept(.properties, Self.text(old.properties)) {
            if !ManifestField.properties.types.contains(definition.type) { definition.constraints.properties = [:] }
        } else {
            let wrapped =
                trimmed("properties").isEmpty ? nil : schema("properties") { ["type": "json", "properties": $0] }
            definition.constraints.properties = wrapped?.constraints.properties ?? [:]
        }
    }

    private mutating func schema(_ field: String, _ entry: (FlagValue) -> FlagValue) -> FlagSchema? {
        do {
            return try FlagManifestContent.schema(entry(try FlagJSON.value(self[field])))
        } catch let error as FlagManifestError {
            problems[field] = error.problems.map(\.reason).joined(separator: "; ").uppercasedFirst.asSentence
        } catch {
            problems[field] = "\(error)".uppercasedFirst.asSentence
        }
        return nil
    }

    /// A form without the field keeps the layout, if the type allows it.
    private mutating func readStorage(into definition: inout FlagDefinition) {
        let layouts = FlagStorage.layouts(of: definition.type)
        let wanted = texts["storage"].map { FlagStorage(rawValue: $0) } ?? definition.storage
        definition.storage = wanted.flatMap { layouts.contains($0) ? $0 : nil }
        guard let text = texts["storage"], !text.isEmpty, !layouts.isEmpty, definition.storage == nil else { return }
        let names = layouts.map(\.rawValue).joined(separator: " or ")
        problems["storage"] = "\(definition.type.rawValue) can only be stored as \(names)."
    }

    private static let constraints: [ManifestField] = [
        .choices, .minimum, .maximum, .pattern, .storage, .format, .items, .properties,
    ]

    /// Fields that code fills in; those that don't fit another type are dropped.
    private static let ofCode: [ManifestField] = [.format, .items, .properties]

    static let furtherValues = "furtherValues"

    private static let lineDefault = "lineDefault"

    private static let further =
        ["emptyDefault", "suggestions"] + constraints.filter { $0 != .choices }.map(\.rawValue)

    /// Whatever not all types use, by which the style sheet shows it: fields, sections and looks.
    static let details =
        [booleanDefault, "default", lineDefault, ManifestField.choices.rawValue, choiceKind, furtherValues] + further

    static func details(of type: FlagType) -> [String] {
        details.filter { types(for: $0)?.contains(type) == true }
    }

    /// `nil` for all.
    static func types(for field: String) -> [FlagType]? {
        switch field {
        case "emptyDefault": FlagType.allCases.filter(\.rules.hasEmptyText)
        case booleanDefault: FlagType.allCases.filter { $0.rules.field == .toggle }
        case "default": FlagType.allCases.filter { $0.rules.field != .toggle }
        case choiceKind, ManifestField.choices.rawValue: FlagType.allCases.filter { $0.rules.form == .choice }
        case lineDefault:
            FlagType.allCases.filter { if case .area = $0.rules.field { false } else { $0.rules.field != .toggle } }
        case furtherValues:
            FlagType.allCases.filter { type in further.contains { types(for: $0)?.contains(type) == true } }
        default: ManifestField(rawValue: field).map(\.types).flatMap { $0 == FlagType.allCases ? nil : $0 }
        }
    }

    private static func names(of types: [FlagType]) -> String { types.map(\.rawValue).joined(separator: " and ") }

    /// Rejects bad constraints, and those that the type ignores: people would rely on them.
    private mutating func checkConstraints(of definition: FlagDefinition, basedOn base: FlagDefinition?) {
        let before = base.flatMap { $0.type == definition.type ? DefinitionForm($0) : nil }
        let filled = base.map { DefinitionForm($0) }
        for field in Self.constraints.map(\.rawValue) {
            if Self.ofCode.map(\.rawValue).contains(field), self[field] == filled?[field] { continue }
            guard problems[field] == nil, let types = Self.types(for: field), !types.contains(definition.type),
                !trimmed(field).isEmpty,
                self[field] != before?[field]
            else { continue }
            problems[field] =
                "Only for \(Self.names(of: types)). Clear this field or choose another type."
        }
        let constraints = definition.constraints
        if let minimum = constraints.minimum, let maximum = constraints.maximum, minimum > maximum {
            // Blames the field that was typed now.
            if before?["minimum"] == self["minimum"], before?["maximum"] != self["maximum"] {
                problems["maximum"] = problems["maximum"] ?? "The maximum (\(maximum.text)) is below the minimum."
            } else {
                problems["minimum"] = problems["minimum"] ?? "The minimum (\(minimum.text)) is above the maximum."
            }
        }
        if let pattern = constraints.pattern, FlagConstraints.expression(pattern) == nil {
            problems["pattern"] = problems["pattern"] ?? "Invalid regular expression."
        }
    }

    private mutating func readDefault(into definition: inout FlagDefinition, basedOn base: FlagDefinition?) {
        let isOfBoolean = definition.type == .bool && self["default"].allSatisfy(\.isWhitespace)
        let field = isOfBoolean ? Self.booleanDefault : "default"
        let typed = self[field]
        let hasEmptyText = definition.type.rules.hasEmptyText
        if hasEmptyText ? typed.isEmpty : typed.allSatisfy(\.isWhitespace) {
            definition.defaultValue = hasEmptyText && isChecked("emptyDefault") ? .string("") : nil
            return
        }
        let old = base?.defaultValue
        let text = old.map { LineEnds.restored(typed, like: definition.editableText(of: $0)) } ?? typed
        do throws(FlagValueError) {
            definition.defaultValue = try judge(of: definition).parse(text, replacing: old)
        } catch {
            problems[field] = error.advice.uppercasedFirst.asSentence
        }
    }

    /// The definition without bad constraints, which would make valid values look wrong.
    private func judge(of definition: FlagDefinition) -> FlagDefinition {
        var judge = definition
        if Self.constraints.contains(where: { problems[$0.rawValue] != nil }) {
            judge.constraints = FlagConstraints(choices: definition.constraints.choices)
        }
        return judge
    }

    private mutating func readSuggestions(into definition: inout FlagDefinition, basedOn base: FlagDefinition?) {
        guard let typed = texts["suggestions"] else {
            // Suggestions of another type are invalid for this one.
            if base == nil { definition.suggestions = [] }
            return
        }
        let old = base?.suggestions.map { ($0, LineEnds.normalized(definition.lineText(of: $0))) } ?? []
        // As with choices, suggestions with line breaks are kept only while the field is untouched.
        if typed == old.map(\.1).joined(separator: "\n") { return }
        let judge = judge(of: definition)
        definition.suggestions = []
        for line in typed.split(separator: "\n").map(String.init) where !line.allSatisfy(\.isWhitespace) {
            do throws(FlagValueError) {
                let known = old.first { $0.1 == line }?.0
                let value = if let known { known } else { try judge.parse(line) }
                definition.suggestions.append(try judge.suggestion(value))
            } catch {
                problems["suggestions"] = error.description.uppercasedFirst.asSentence
                return
            }
        }
    }

    private mutating func limit(_ name: String) -> FlagLimit? {
        let text = trimmed(name)
        guard !text.isEmpty else { return nil }
        if let whole = Int128(text), FlagValue.integerRange.contains(whole) { return FlagLimit(whole) }
        guard let number = FlagNumber.parse(text), number.isFinite else {
            problems[name] = "“\(text)” isn’t a number."
            return nil
        }
        return FlagLimit(number)
    }

    func trimmed(_ name: String) -> String {
        self[name].trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// Restores the line ends that browsers don't send; `nil` if empty.
    func text(_ name: String, like old: String?) -> String? {
        let typed = self[name]
        if typed.isEmpty { return old?.isEmpty == true ? old : nil }
        return LineEnds.restored(typed, like: old ?? "")
    }
}

extension FlagDefinition {
    fileprivate func lineText(of value: FlagValue) -> String {
        switch (type.rules.form, value) {
        case (.document, _), (_, .array), (_, .dictionary): FlagJSON.line(value)
        default: editableText(of: value)
        }
    }
}
