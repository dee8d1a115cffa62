/// Code points in the notation of the Unicode standard.
package enum UnicodeName {
    /// `U+0001`.
    package static func of(_ scalar: Unicode.Scalar) -> String {
        let digits = String(scalar.value, radix: 16, uppercase: true)
        return "U+" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    }

    /// The code points in which two texts of equal look differ: `U+00E9 in one and U+0065 U+0301 in the other`.
    ///
    /// - Parameters:
    ///   - one: A text.
    ///   - other: Another one, equal to it but for its Unicode form.
    /// - Returns: `nil` where both are the same, code point by code point.
    package static func difference(of one: String, from other: String) -> String? {
        var (left, right) = (Array(one.unicodeScalars)[...], Array(other.unicodeScalars)[...])
        while let first = left.first, first == right.first { (left, right) = (left.dropFirst(), right.dropFirst()) }
        while let last = left.last, last == right.last { (left, right) = (left.dropLast(), right.dropLast()) }
        guard !left.isEmpty || !right.isEmpty else { return nil }
        return "\(names(left)) in one and \(names(right)) in the other"
    }

    private static func names(_ scalars: ArraySlice<Unicode.Scalar>) -> String {
        scalars.isEmpty ? "nothing" : scalars.prefix(8).map(of).joined(separator: " ")
    }
}
