/// Numbers as text.
package enum FlagNumber {
    /// A whole number of at most 21 digits without a fraction (`5`, `-0`), any other with as many digits as it takes
    /// (`0.1`, `1e+30`).
    ///
    /// - Parameter number: The number.
    /// - Returns: The text, which ``parse(_:)`` reads as the same number.
    package static func text(_ number: Double) -> String {
        guard number.magnitude < 1e21, let whole = Int128(exactly: number) else {
            return number.isNaN ? "nan" : "\(number)"
        }
        return number == 0 && number.sign == .minus ? "-0" : String(whole)
    }

    /// Reads a decimal number, such as `5`, `-0.1` or `2e3`, or `nan`, `inf` or `infinity`.
    ///
    /// - Parameter text: The text.
    /// - Returns: The nearest number; `nil` where the text is none, or says a number too large for a `Double`, or too small to
    ///   be told from 0.
    package static func parse(_ text: String) -> Double? {
        guard let number = Double(text) else { return nil }
        if text.wholeMatch(of: /(?i)[+-]?inf(inity)?|[+-]?nan/) != nil { return number }
        // Swift also reads hexadecimal fractions and a payload behind `nan`, and takes what is too large as infinite.
        guard number.isFinite, text.utf8.allSatisfy(decimalBytes.contains) else { return nil }
        return number == 0 && text.prefix { !"eE".contains($0) }.contains(where: "123456789".contains) ? nil : number
    }

    /// The whole number that a number is.
    ///
    /// - Returns: The whole number; `nil` where it has a fraction, or is so large (beyond 2⁵³) that what it was read from may
    ///   have been another.
    package static func exactWhole(_ number: Double) -> Int128? {
        number.magnitude <= 9_007_199_254_740_992 ? Int128(exactly: number) : nil
    }

    private static let decimalBytes = Set("0123456789+-.eE".utf8)
}
