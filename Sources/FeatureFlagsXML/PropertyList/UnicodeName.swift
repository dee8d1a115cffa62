/// Code points in the notation of the Unicode standard.
package enum UnicodeName {
    /// `U+0001`.
    package static func of(_ scalar: Unicode.Scalar) -> String {
        let digits = String(scalar.value, radix: 16, uppercase: true)
        return "U+" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    }
}
