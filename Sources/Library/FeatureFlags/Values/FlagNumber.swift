package enum FlagNumber {
    /// Returns text that ``parse(_:)`` reads as the same number.
    ///
    /// A whole number of at most 21 digits has no fraction (`5`, `-0`); others have as many digits as needed (`0.1`,
    /// `1e+30`).
    package static func text(_ number: Double) -> String {
        guard number.magnitude < 1e21, let whole = Int128(exactly: number) else {
            return number.isNaN ? "nan" : "\(number)"
        }
        return number == 0 && number.sign == .minus ? "-0" : String(whole)
    }

    /// Reads a decimal number, such as `5`, `-0.1` or `2e3`, or `nan`, `inf` or `infinity`.
    ///
    /// `nil` if the number is too large for a `Double`, or too small to differ from 0.
    package static func parse(_ text: String) -> Double? {
        guard let number = Double(text) else { return nil }
        // Swift also accepts hexadecimal fractions and a payload of `nan`, and reads numbers that are too large as
        // infinity.
        guard text.utf8.allSatisfy(isDecimal) else {
            let name = text.lowercased().trimmingPrefix { "+-".contains($0) }
            return ["inf", "infinity", "nan"].contains(name) ? number : nil
        }
        guard number.isFinite else { return nil }
        return number == 0 && text.prefix { !"eE".contains($0) }.contains(where: "123456789".contains) ? nil : number
    }

    /// Returns a whole number; `nil` for a fraction, and beyond 2⁵³, where doubles merge.
    package static func exactWhole(_ number: Double) -> Int128? {
        number.magnitude <= 9_007_199_254_740_992 ? Int128(exactly: number) : nil
    }

    /// `true` for the bytes of decimal numbers, exponents included.
    package static func isDecimal(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."),
            UInt8(ascii: "e"), UInt8(ascii: "E"):
            true
        default: false
        }
    }

    /// Returns possible meanings of text that isn't a number, plainly written: `1.5` for `1,5`, `1500` and `1.500` for
    /// `1,500`, `16` for `0x10`, and `1` for `1.0`.
    static func readings(of text: String) -> [String] {
        let text = text.replacing("\u{2212}", with: "-")
        if let digits = text.wholeMatch(of: /([+-]?)0[xX]([0-9a-fA-F]+)/) {
            return Int128(digits.1 + digits.2, radix: 16).map { ["\($0)"] } ?? []
        }
        guard text.wholeMatch(of: /[+-]?[0-9][0-9.,_'’\s]*/) != nil else { return [] }
        let separators = text.filter(".,".contains)
        let parts = text.filter { !$0.isWhitespace && !"_'’".contains($0) }.split(whereSeparator: ".,".contains)
        let whole = parts.joined()
        guard let decimal = separators.last, let fraction = parts.last, parts.count > 1 else { return [whole] }
        guard separators.count == 1 || separators.first != decimal else { return [whole] }
        let units = parts.dropLast().joined()
        // Three digits may also be thousands.
        if separators.count == 1, fraction.count == 3 { return [whole, "\(units).\(fraction)"] }
        return ["\(units).\(fraction)"] + (fraction.allSatisfy { $0 == "0" } ? [units] : [])
    }
}
