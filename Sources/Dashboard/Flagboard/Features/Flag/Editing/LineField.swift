import FeatureFlags
import Foundation

/// An `input` of one line that fits a flag's type.
struct LineField: Hashable, PagePart {
    let kind: String
    let content: String
    let inputMode: String
    private(set) var minimum: String?
    private(set) var maximum: String?
    private(set) var step: String?
    private(set) var pattern: String?
    private(set) var title: String?
    private(set) var picker: TimePicker?

    /// The largest number up to which browsers represent every whole number.
    private static let largestExact = 9_007_199_254_740_991.0

    static func text(_ content: String, inputMode: String = "text", pattern: String? = nil) -> LineField {
        var field = LineField(kind: "text", content: content, inputMode: inputMode)
        field.take(pattern)
        return field
    }

    /// Falls back to a text if browsers can't represent the number or its limits.
    static func integer(_ content: String, _ constraints: FlagConstraints) -> LineField {
        let limits = [constraints.minimum, constraints.maximum].compactMap { $0 }
        let number = isNumber(content) ? Double(content) : nil
        let isHeld = content.isEmpty || number.map { $0.magnitude <= largestExact } == true
        guard isHeld, limits.allSatisfy({ $0.double.magnitude <= largestExact }) else {
            return .text(content, inputMode: "numeric")
        }
        var field = LineField(kind: "number", content: content, inputMode: "numeric")
        field.minimum = exact(constraints.least)?.roundedUp.text
        field.maximum = exact(constraints.greatest)?.roundedDown.text
        field.step = "1"
        return field
    }

    /// `nil` for a limit that browsers can't represent, which is checked when the value is saved.
    private static func exact(_ limit: FlagLimit?) -> FlagLimit? {
        limit.flatMap { $0.double.magnitude <= largestExact ? $0 : nil }
    }

    /// Falls back to a text if the field may hold `nan` or an infinity.
    static func double(_ content: String, _ constraints: FlagConstraints) -> LineField {
        guard let minimum = constraints.minimum, let maximum = constraints.maximum, minimum.double.isFinite,
            maximum.double.isFinite,
            content.isEmpty || isNumber(content)
        else { return .text(content, inputMode: "decimal") }
        var field = LineField(kind: "number", content: content, inputMode: "decimal")
        field.minimum = minimum.text
        field.maximum = maximum.text
        field.step = "any"
        return field
    }

    /// Browsers accept only absolute URLs, so any other stays text.
    static func url(_ content: String, pattern: String?) -> LineField {
        let isAbsolute = content.isEmpty || content.wholeMatch(of: /[A-Za-z][A-Za-z0-9+.\-]*:[^\s]+/) != nil
        var field = LineField(kind: isAbsolute ? "url" : "text", content: content, inputMode: "url")
        field.take(pattern)
        return field
    }

    /// The picker keeps a refused time.
    static func date(_ content: String, _ picked: PickedTime?) -> LineField {
        var field = LineField.text(content)
        field.picker = TimePicker(picked)
        return field
    }

    private mutating func take(_ pattern: String?) {
        self.pattern = pattern
        title = pattern.map { "Must match \($0)" }
    }

    private init(kind: String, content: String, inputMode: String) {
        self.kind = kind
        self.content = content
        self.inputMode = inputMode
    }

    /// Browsers empty a number field whose content isn't a number in HTML's syntax.
    private static func isNumber(_ text: String) -> Bool {
        // Swift also reads `+5`, `.5`, `5.` and `5.e1`.
        let start = text.hasPrefix("-") ? text.dropFirst() : text[...]
        return Double(text) != nil && text.utf8.allSatisfy(FlagNumber.isDecimal)
            && !"+.".contains(start.prefix(1)) && !text.hasSuffix(".") && !text.lowercased().contains(".e")
    }
}

struct TimePicker: Hashable, PagePart {
    let picked: String
    let zones: [ChoiceOption]

    init(_ picked: PickedTime?) {
        self.picked = picked?.local ?? ""
        let known = TimeZone.knownTimeZoneIdentifiers.filter { $0 != "UTC" && $0 != "GMT" && $0.contains("/") }.sorted()
        zones = (["UTC"] + known).map {
            ChoiceOption(value: $0, label: $0, isSelected: $0 == picked?.zone ?? "UTC")
        }
    }
}

struct Colour: Hashable, Sendable {
    /// `#1A5FB4`, or with two more digits for opacity.
    let text: String
    /// The colour for a browser's picker: `#1a5fb4`.
    var picked: String { text.prefix(7).lowercased() }

    init?(_ text: String) {
        guard text.wholeMatch(of: /#[0-9a-fA-F]{6}([0-9a-fA-F]{2})?/) != nil else { return nil }
        self.text = text
    }

    init?(_ value: FlagValue?) {
        guard case .string(let text)? = value else { return nil }
        self.init(text)
    }

    /// Falls back to the flag's default.
    init?(of definition: FlagDefinition, content: String?) {
        guard definition.type == .string, let colour = content.flatMap({ Self($0) }) ?? Self(definition.defaultValue)
        else { return nil }
        self = colour
    }
}
