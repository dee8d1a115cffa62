import FeatureFlags
import Foundation

/// An `input` of one line that fits a flag's type.
struct LineField: Hashable, PagePart {
    let kind: String
    let content: String
    let inputMode: String
    private(set) var slider: SliderRange?
    private(set) var pattern: String?
    private(set) var title: String?
    private(set) var picker: TimePicker?

    static func text(_ content: String, inputMode: String = "text", pattern: String? = nil) -> LineField {
        var field = LineField(kind: "text", content: content, inputMode: inputMode)
        field.take(pattern)
        return field
    }

    /// A text: browsers drop characters from a field of numbers unseen, so that `1,5` would be 15.
    static func integer(_ content: String, _ constraints: FlagConstraints) -> LineField {
        number(content, "numeric", constraints.least?.roundedUp, constraints.greatest?.roundedDown, step: "1")
    }

    static func double(_ content: String, _ constraints: FlagConstraints) -> LineField {
        number(content, "decimal", constraints.minimum, constraints.maximum, step: "any")
    }

    private static func number(
        _ content: String, _ inputMode: String, _ least: FlagLimit?, _ greatest: FlagLimit?, step: String
    ) -> LineField {
        var field = LineField.text(content, inputMode: inputMode)
        if content.isEmpty || isNumber(content) { field.slider = SliderRange(least, greatest, step: step) }
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

    /// True for a number in the syntax of a browser's slider.
    private static func isNumber(_ text: String) -> Bool {
        // Swift also reads `+5`, `.5`, `5.` and `5.e1`.
        let start = text.hasPrefix("-") ? text.dropFirst() : text[...]
        return Double(text).map { $0.magnitude <= SliderRange.largestExact } == true
            && text.utf8.allSatisfy(FlagNumber.isDecimal)
            && !"+.".contains(start.prefix(1)) && !text.hasSuffix(".") && !text.lowercased().contains(".e")
    }
}

/// The slider of a number between two bounds, which a script adds.
struct SliderRange: Hashable, PagePart {
    let minimum: String
    let maximum: String
    let step: String

    /// The largest number up to which browsers represent every whole number.
    fileprivate static let largestExact = 9_007_199_254_740_991.0

    /// `nil` unless browsers can represent both bounds.
    init?(_ least: FlagLimit?, _ greatest: FlagLimit?, step: String) {
        guard let least, let greatest, least.double.magnitude <= Self.largestExact,
            greatest.double.magnitude <= Self.largestExact
        else { return nil }
        (minimum, maximum, self.step) = (least.text, greatest.text, step)
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
