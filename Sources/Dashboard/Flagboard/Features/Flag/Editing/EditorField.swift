import FeatureFlags
import FlagChanges

/// The field for a flag's type, with its content.
///
/// Exactly one property is filled.
struct EditorField: Hashable, Sendable {
    private(set) var radios: [ChoiceOption] = []
    private(set) var options: [ChoiceOption] = []
    private(set) var line: LineField?
    private(set) var area: FlagEditor.AreaField?

    /// More become a select.
    private static let mostRadios = 6

    /// `content` is `nil` without a value to start from.
    init(_ definition: FlagDefinition, content: String?, picked: PickedTime? = nil) {
        let rules = definition.type.rules
        switch rules.field {
        case .toggle:
            radios = Self.radios([("true", "On"), ("false", "Off")], content)
        case .choices:
            let choices = definition.constraints.choices.map { choice in
                (definition.editableText(of: choice), ShownValue.label(of: choice))
            }
            if choices.isEmpty {
                line = .text(content ?? "")
            } else if choices.count <= Self.mostRadios {
                radios = Self.radios(choices, content)
            } else {
                options = Self.options(choices, content)
            }
        case .line(.numeric): line = .integer(content ?? "", definition.constraints)
        case .line(.decimal): line = .double(content ?? "", definition.constraints)
        case .line(.url): line = .url(content ?? "", pattern: Self.pattern(definition))
        case .line(.text) where rules.kinds.contains("date"): line = .date(content ?? "", picked)
        case .line(.text): line = .text(content ?? "", pattern: Self.pattern(definition))
        case .area(let lines, isCode: true): area = Self.area(content, least: lines, isCode: true)
        case .area(let lines, isCode: false):
            // Only a line can be checked by browsers; a pattern without line breaks, and a colour, fit one.
            let pattern = Self.pattern(definition)
            let isOfOneLine = pattern != nil || Colour(of: definition, content: content) != nil
            if isOfOneLine, content?.contains(where: \.isNewline) != true {
                line = .text(content ?? "", pattern: pattern)
            } else {
                area = Self.area(content, least: lines)
            }
        }
    }

    private static func expression(_ definition: FlagDefinition) -> String? {
        definition.type.rules.hasPattern ? definition.constraints.pattern : nil
    }

    private static func pattern(_ definition: FlagDefinition) -> String? {
        expression(definition).flatMap { pattern in
            FlagConstraints.expression(pattern) == nil ? nil : BrowserPattern.attribute(for: pattern)
        }
    }

    private static func radios(_ choices: [(value: String, label: String)], _ content: String?) -> [ChoiceOption] {
        choices.enumerated().map { place, choice in
            ChoiceOption(
                value: choice.value, label: choice.label, isSelected: choice.value == content,
                id: "value-\(place + 1)")
        }
    }

    /// A select always shows an option: if no choice is stored, the first one says so.
    private static func options(_ choices: [(value: String, label: String)], _ content: String?) -> [ChoiceOption] {
        let options = radios(choices, content)
        guard !options.contains(where: \.isSelected) else { return options }
        return [ChoiceOption(value: "", label: "Choose a value", isSelected: true)] + options
    }

    /// In bytes; the browser doesn't detect the direction of longer texts.
    private static let longestOfAnyDirection = 100_000

    private static func area(_ content: String?, least: Int, isCode: Bool = false) -> FlagEditor.AreaField {
        let text = content ?? ""
        let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        let rows = lines.reduce(0) { $0 + 1 + $1.utf16.count / 72 }
        let isLeftToRight = isCode || text.utf8.count > longestOfAnyDirection
        return FlagEditor.AreaField(
            content: text, rows: min(max(rows + 1, least), 24), direction: isLeftToRight ? "ltr" : "auto")
    }

    static func hint(_ definition: FlagDefinition, _ answer: FlagResolution.Answer) -> String {
        let (constraints, rules) = (definition.constraints, definition.type.rules)
        let size = "up to \(FormFields.maximumBytes / 1024 / 1024) MB"
        let parts: [String?] =
            switch rules.field {
            case .toggle, .choices: []
            case .line(.numeric):
                [
                    "Whole number from \(constraints.least?.text ?? String(FlagValue.integerRange.lowerBound)) to "
                        + "\(constraints.greatest?.text ?? String(FlagValue.integerRange.upperBound))"
                ]
            case .line(.decimal): ["Number\(range(constraints))"]
            case .area where rules.isData: ["Base64, \(size). Leave empty to store 0 bytes.", stored(answer)]
            case .area(_, isCode: true) where constraints.limitsParts: ["JSON: \(definition.expectation), \(size)"]
            case .area(_, isCode: true): [rules.hint.map { "\($0), \(size)" }]
            case .line, .area:
                expression(definition).map { [rules.hint.map(\.asSentence), "Must match \($0)."] } ?? [rules.hint]
            }
        return parts.compactMap(\.self).joined(separator: " ")
    }

    private static func range(_ constraints: FlagConstraints) -> String {
        switch (constraints.minimum?.text, constraints.maximum?.text) {
        case (let least?, let most?): " from \(least) to \(most)"
        case (let least?, nil): ", \(least) or more"
        case (nil, let most?): ", \(most) or less"
        case (nil, nil):
            "\(constraints.format == .float ? ", single precision" : ""); nan, inf and -inf are allowed"
        }
    }

    private static func stored(_ answer: FlagResolution.Answer) -> String? {
        guard case .value(let value, _) = answer else { return nil }
        return "Currently \(ShownValue(value).inSentence)."
    }
}
