import FeatureFlags
import Foundation

/// The text of scalar elements as values; `nil` for a text that is no value of its kind, and for one that is too long to be.
enum PropertyListScalar {
    /// Reads a whole number: decimal or `0x` and hexadecimal digits, with or without a sign.
    static func integer(_ text: [UInt8]) -> FlagValue? {
        // Most are short and plain.
        guard 1...18 ~= text.count, text.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }) else {
            guard let digits = trimmed(text), let number = Int128(digits) ?? hexadecimal(digits),
                FlagValue.integerRange.contains(number)
            else { return nil }
            return .integer(number)
        }
        return .integer(Int128(text.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }))
    }

    /// Reads a number as Core Foundation does; Swift's own reading does not depend on the locale.
    static func real(_ text: [UInt8]) -> FlagValue? {
        guard let number = trimmed(text) else { return nil }
        switch number.lowercased() {
        case "nan": return .double(.nan)
        case "inf", "+inf", "infinity", "+infinity": return .double(.infinity)
        case "-inf", "-infinity": return .double(-.infinity)
        default: return number.utf8.allSatisfy(isDecimal) ? Double(number).map(FlagValue.double) : nil
        }
    }

    static func date(_ text: [UInt8]) -> FlagValue? {
        trimmed(text).flatMap(FlagDate.parsePropertyList).map(FlagValue.date)
    }

    /// Reads base64, with white space anywhere; what is none is found before anything is copied.
    static func data(_ text: [UInt8]) -> FlagValue? {
        guard text.allSatisfy({ isBase64[Int($0)] }) else { return nil }
        return Data(base64Encoded: Data(text.lazy.filter { !Byte.isWhitespace($0) })).map(FlagValue.data)
    }

    private static let isBase64: [Bool] = (UInt8.min...UInt8.max).map { byte in
        switch Unicode.Scalar(byte) {
        case "A"..."Z", "a"..."z", "0"..."9", "+", "/", "=": true
        default: Byte.isWhitespace(byte)
        }
    }

    /// Without these, Swift would also read hexadecimal fractions.
    private static func isDecimal(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."),
            UInt8(ascii: "e"), UInt8(ascii: "E"):
            true
        default: false
        }
    }

    private static func hexadecimal(_ text: String) -> Int128? {
        var digits = Substring(text)
        let isNegative = digits.first == "-"
        if isNegative || digits.first == "+" { digits = digits.dropFirst() }
        guard digits.hasPrefix("0x") || digits.hasPrefix("0X"), digits.dropFirst(2).first?.isHexDigit == true else {
            return nil
        }
        return Int128(digits.dropFirst(2), radix: 16).map { isNegative ? -$0 : $0 }
    }

    private static func trimmed(_ text: [UInt8]) -> String? {
        guard text.count <= BrokenFlagValue.maximumSize else { return nil }
        let string = String(decoding: text, as: UTF8.self)
        guard let first = text.first, let last = text.last, Byte.isWhitespace(first) || Byte.isWhitespace(last) else {
            return string
        }
        return string.trimmingCharacters(in: .whitespacesAndNewlines)
    }
}
