/// The order in which people expect names: `flag2` before `flag10`, and case aside.
enum NaturalOrder {
    /// Texts that differ in case alone come in the order of their bytes.
    static func precedes(_ one: String, _ other: String) -> Bool {
        var (left, right) = (Substring(one).utf8, Substring(other).utf8)
        while let first = left.first, let second = right.first {
            if isDigit(first), isDigit(second) {
                let (number, otherNumber) = (digits(&left), digits(&right))
                if number.count != otherNumber.count { return number.count < otherNumber.count }
                for (digit, otherDigit) in zip(number, otherNumber) where digit != otherDigit {
                    return digit < otherDigit
                }
                continue
            }
            let (sign, otherSign) = (lowercased(first), lowercased(second))
            if sign != otherSign { return sign < otherSign }
            left.removeFirst()
            right.removeFirst()
        }
        if left.isEmpty != right.isEmpty { return left.isEmpty }
        return one < other
    }

    /// Removes the digits at the start; returns them without leading zeros.
    private static func digits(_ text: inout Substring.UTF8View) -> Substring.UTF8View {
        let digits = text.prefix(while: isDigit)
        text = text.dropFirst(digits.count)
        return digits.drop { $0 == UInt8(ascii: "0") }
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

    private static func lowercased(_ byte: UInt8) -> UInt8 {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte + 32 : byte
    }
}
