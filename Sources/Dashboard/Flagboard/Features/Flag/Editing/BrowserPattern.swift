/// A flag's pattern as the `pattern` attribute of a field, in JavaScript's syntax.
///
/// Only syntax with the same meaning in both is translated, and only what matches no line break, since the field has
/// one line. A browser must never refuse what the server accepts.
struct BrowserPattern {
    private var rest: Substring.UnicodeScalarView
    private var text = ""

    /// `nil` if browsers may read the pattern differently or not at all.
    static func attribute(for pattern: String) -> String? {
        var translation = BrowserPattern(rest: pattern[...].unicodeScalars)
        return translation.translate() ? translation.text : nil
    }

    private init(rest: Substring.UnicodeScalarView) {
        self.rest = rest
    }

    private mutating func translate() -> Bool {
        while let next = rest.popFirst() {
            switch next {
            case "[": if !translateSet() { return false }
            case "\\": if !translateEscape(inSet: false) { return false }
            case "(":
                text += "("
                if rest.first == "?", !["?:", "?=", "?!"].contains(String(rest.prefix(2))) { return false }
            case "*", "+", "?", "}":
                text.unicodeScalars.append(next)
                // Browsers know no possessive quantifiers.
                if rest.first == "+" { return false }
            case ".", "|", ")", "^", "$", "{": text.unicodeScalars.append(next)
            case "]", "\"", "&", "~": return false
            case _ where next.isPlain: text.unicodeScalars.append(next)
            default: return false
            }
        }
        return true
    }

    /// Translates a set such as `a-z0-9_`.
    ///
    /// Refuses one that begins with `^`, as it may match a line break.
    private mutating func translateSet() -> Bool {
        text += "["
        var (isFirst, previous) = (true, Unicode.Scalar("["))
        while let next = rest.popFirst() {
            switch next {
            case "]":
                text += "]"
                return !isFirst
            case "\\": if !translateEscape(inSet: true) { return false }
            case "-" where isFirst || rest.first == "]": text += "\\-"
            case "-" where previous == "-" || rest.first == "-" || rest.first == "[" || rest.first == "\\": return false
            case "-": text += "-"
            case ".", "*", "+", "?", "$", "/", "(", ")", "|": text += "\\" + String(next)
            case "^", "[", "{", "}", "&", "~", "\"", ":": return false
            // A doubled character is a set operation in one of the syntaxes.
            case _ where next.isPlain && (next != previous || next.properties.isAlphabetic):
                text.unicodeScalars.append(next)
            default: return false
            }
            (isFirst, previous) = (false, next)
        }
        return false
    }

    private mutating func translateEscape(inSet: Bool) -> Bool {
        let word = #"\p{Alphabetic}\p{M}\p{Nd}\p{Pc}\u200c\u200d"#
        switch rest.popFirst() {
        case "d": text += #"\p{Nd}"#
        case "w": text += inSet ? word : "[\(word)]"
        case "-": text += inSet ? "\\-" : "-"
        case let mark? where "^$\\.*+?()[]{}|/".unicodeScalars.contains(mark): text += "\\" + String(mark)
        case let mark? where "@#%,:;=!<>'_ ".unicodeScalars.contains(mark) && !inSet: text += String(mark)
        default: return false
        }
        return true
    }
}

extension Unicode.Scalar {
    /// Matches only itself in a regular expression.
    fileprivate var isPlain: Bool {
        properties.isAlphabetic || ("0"..."9").contains(self) || "_ @#%,;=!<>'/-:".unicodeScalars.contains(self)
    }
}
