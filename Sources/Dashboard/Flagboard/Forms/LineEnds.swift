/// The line ends of a text that went through a form: a browser turns every one into CR LF and shows none of them.
enum LineEnds {
    /// The text with every line end as LF.
    static func normalized(_ text: String) -> String {
        guard text.utf8.contains(0x0D) else { return text }
        var normalized = String.UnicodeScalarView()
        var previous: Unicode.Scalar?
        for scalar in text.unicodeScalars {
            if scalar == "\r" {
                normalized.append("\n")
            } else if scalar != "\n" || previous != "\r" {
                normalized.append(scalar)
            }
            previous = scalar
        }
        return String(normalized)
    }

    /// What a person typed, with the line ends of the text that the form started from.
    ///
    /// - Returns: `original` itself where they differ in nothing else; otherwise CR LF or CR where all of `original` has
    ///   that.
    static func restored(_ typed: String, like original: String) -> String {
        guard original.utf8.contains(0x0D) else { return typed }
        let normal = normalized(original)
        if typed.utf8.elementsEqual(normal.utf8) { return original }
        for end in ["\r\n", "\r"] where replaced(normal, by: end).utf8.elementsEqual(original.utf8) {
            return replaced(typed, by: end)
        }
        return typed
    }

    private static func replaced(_ text: String, by end: String) -> String {
        var replaced = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            if scalar == "\n" { replaced.append(contentsOf: end.unicodeScalars) } else { replaced.append(scalar) }
        }
        return String(replaced)
    }
}
