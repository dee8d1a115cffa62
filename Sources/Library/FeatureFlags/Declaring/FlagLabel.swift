/// Readable names made from the names of properties.
enum FlagLabel {
    /// The words of a name in camel case, as Override labels a feature: `newURLFormat` reads `New URL Format`.
    static func text(of name: String) -> String {
        let scalars = Array(name.unicodeScalars)
        var words = String.UnicodeScalarView()
        for (index, scalar) in scalars.enumerated() {
            let previous = index > 0 ? scalars[index - 1] : " "
            let next = index + 1 < scalars.count ? scalars[index + 1] : " "
            let isUpper = scalar.properties.isUppercase
            let beginsWord = isUpper && (!previous.properties.isUppercase || next.properties.isLowercase)
            if scalar == "_" || (beginsWord && index > 0 && previous != "_") { words.append(" ") }
            if scalar != "_" { words.append(scalar) }
        }
        let text = String(words).trimmingPrefix(" ")
        return text.prefix(1).uppercased() + text.dropFirst()
    }
}
