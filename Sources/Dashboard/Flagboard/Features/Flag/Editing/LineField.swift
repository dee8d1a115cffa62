import FeatureFlags
import Foundation

/// A field of one line, of the kind that fits a flag's type.
struct LineField: Hashable, PagePart {
    /// The attribute `type`: `text`, `number` or `url`.
    let kind: String
    let content: String
    let inputMode: String
    private(set) var minimum: String?
    private(set) var maximum: String?
    private(set) var step: String?
    private(set) var pattern: String?
    /// What a browser says where the pattern is not matched.
    private(set) var title: String?
    /// Whether a day and a time can be picked instead.
    private(set) var picker: TimePicker?

    /// The largest whole number up to which browsers can hold all.
    private static let largestExact = 9_007_199_254_740_991.0

    /// A line of any text.
    static func text(_ content: String, inputMode: String = "text", pattern: String? = nil) -> LineField {
        var field = LineField(kind: "text", content: content, inputMode: inputMode)
        field.take(pattern)
        return field
    }

    /// A whole number; what browsers can't hold, or what is no number, stays text.
    static func integer(_ content: String, _ constraints: FlagConstraints) -> LineField {
        let limits = [constraints.minimum, constraints.maximum].compactMap { $0 }
        let number = isNumber(content) ? Double(content) : nil
        let isHeld = content.isEmpty || number.map { $0.magnitude <= largestExact } == true
        guard isHeld, limits.allSatisfy({ $0.double.magnitude <= largestExact }) else {
            return .text(content, inputMode: "numeric")
        }
        var field = LineField(kind: "number", content: content, inputMode: "numeric")
        field.minimum = constraints.minimum?.roundedUp.text
        field.maximum = constraints.maximum?.roundedDown.text
        field.step = "1"
        return field
    }

    /// A number; where `nan` or an infinity may be typed, or is, the field takes text.
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

    /// A URL; one without a scheme is no URL to a browser, so the field takes text then.
    static func url(_ content: String, pattern: String?) -> LineField {
        let isAbsolute = content.isEmpty || content.wholeMatch(of: /[A-Za-z][A-Za-z0-9+.\-]*:[^\s]+/) != nil
        var field = LineField(kind: isAbsolute ? "url" : "text", content: content, inputMode: "url")
        field.take(pattern)
        return field
    }

    /// A date as text, beside which one can be picked; the picker holds what was picked and refused.
    static func date(_ content: String, _ picked: PickedTime?) -> LineField {
        var field = LineField.text(content)
        field.picker = TimePicker(picked)
        return field
    }

    private mutating func take(_ pattern: String?) {
        self.pattern = pattern
        title = pattern.map { "The whole text has to match \($0)" }
    }

    private init(kind: String, content: String, inputMode: String) {
        self.kind = kind
        self.content = content
        self.inputMode = inputMode
    }

    /// Whether HTML takes the text for a number; a browser empties a field of numbers that holds anything else.
    private static func isNumber(_ text: String) -> Bool {
        text.wholeMatch(of: /-?[0-9]+(\.[0-9]+)?([eE][-+]?[0-9]+)?/) != nil
    }
}

/// The fields by which a time is picked.
struct TimePicker: Hashable, PagePart {
    /// The day and time that they hold at first.
    let picked: String
    let zones: [ChoiceOption]

    /// Makes the fields.
    init(_ picked: PickedTime?) {
        self.picked = picked?.local ?? ""
        let known = TimeZone.knownTimeZoneIdentifiers.filter { $0 != "UTC" && $0 != "GMT" && $0.contains("/") }.sorted()
        zones = (["UTC"] + known).map {
            ChoiceOption(value: $0, label: $0, isSelected: $0 == picked?.zone ?? "UTC")
        }
    }
}

/// A colour that is written as a hash sign and hexadecimal digits.
struct Colour: Hashable, Sendable {
    /// The colour as it is written: `#1A5FB4`, or with two digits more for how opaque it is.
    let text: String
    /// The colour as a browser's picker takes it: `#1a5fb4`.
    var picked: String { text.prefix(7).lowercased() }

    /// Reads a colour; `nil` where the text is none.
    init?(_ text: String) {
        guard text.wholeMatch(of: /#[0-9a-fA-F]{6}([0-9a-fA-F]{2})?/) != nil else { return nil }
        self.text = text
    }

    /// The colour that a value is; `nil` where it is none.
    init?(_ value: FlagValue?) {
        guard case .string(let text)? = value else { return nil }
        self.init(text)
    }

    /// The colour that a field begins with: what it holds, or else the flag's default; `nil` where neither is one.
    init?(of definition: FlagDefinition, content: String?) {
        guard definition.type == .string, let colour = content.flatMap({ Self($0) }) ?? Self(definition.defaultValue)
        else { return nil }
        self = colour
    }
}
