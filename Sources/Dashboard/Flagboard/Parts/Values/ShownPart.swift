/// A part of a text, perhaps with a sign for an invisible character.
///
/// The text is unchanged, so that it can be copied and found; the style sheet draws the sign.
struct ShownPart: Hashable, PagePart {
    let text: String
    /// `⇥`, `↵`, or a code such as `U+202E`.
    let sign: String?

    /// One part for each invisible character.
    ///
    /// Works on scalars, since a combining mark may hide one in a harmless-looking character.
    ///
    /// - Parameter breaksLines: Line ends break lines instead of getting a sign.
    static func parts(of text: String, breaksLines: Bool) -> [ShownPart] {
        guard text.unicodeScalars.contains(where: { sign(for: $0) != nil }) else {
            return text.isEmpty ? [] : [ShownPart(text: text, sign: nil)]
        }
        var parts: [ShownPart] = []
        var plain = String.UnicodeScalarView()
        let scalars = Array(text.unicodeScalars)
        for (index, scalar) in scalars.enumerated() {
            let isPlain = (breaksLines && scalar == "\n") || isPartOfEmoji(index, scalars)
            guard let sign = isPlain ? nil : sign(for: scalar) else {
                plain.append(scalar)
                continue
            }
            if !plain.isEmpty { parts.append(ShownPart(text: String(plain), sign: nil)) }
            plain = String.UnicodeScalarView()
            // A page would show a carriage return as another line end.
            parts.append(ShownPart(text: scalar == "\r" ? "" : String(scalar), sign: sign))
        }
        if !plain.isEmpty { parts.append(ShownPart(text: String(plain), sign: nil)) }
        return parts
    }

    private static func sign(for scalar: Unicode.Scalar) -> String? {
        switch scalar.value {
        case 0x09: return "⇥"
        case 0x0A: return "↵"
        case 0x0D: return "␍"
        case 0x20...0x7E: return nil
        case 0xA0: return "⍽"
        case 0x2028, 0x2029, 0xFFF9...0xFFFB: return code(of: scalar)
        default:
            let properties = scalar.properties
            let isInvisible = properties.isDefaultIgnorableCodePoint || properties.generalCategory == .control
            return isInvisible ? code(of: scalar) : nil
        }
    }

    /// Joiners and selectors within an emoji are visible in its shape.
    private static func isPartOfEmoji(_ index: Int, _ scalars: [Unicode.Scalar]) -> Bool {
        guard index > 0 else { return false }
        switch scalars[index].value {
        case 0xFE0F: return scalars[index - 1].properties.isEmoji
        case 0x200D:
            guard index + 1 < scalars.count, scalars[index + 1].properties.isEmoji else { return false }
            let before = scalars[index - 1]
            return before.value == 0xFE0F || before.properties.isEmoji || before.properties.isEmojiModifier
        default: return false
        }
    }

    private static func code(of scalar: Unicode.Scalar) -> String {
        let digits = String(scalar.value, radix: 16, uppercase: true)
        return "U+" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    }

    var plain: String {
        guard let sign else { return text }
        return sign.utf8.count > 3 ? "⟨\(sign)⟩" : sign
    }
}
