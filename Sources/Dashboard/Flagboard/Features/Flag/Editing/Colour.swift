import FeatureFlags

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
