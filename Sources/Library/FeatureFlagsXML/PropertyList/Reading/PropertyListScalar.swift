import FeatureFlags
import Foundation

/// Readers of scalar text; `nil` if it is not of the kind.
enum PropertyListScalar {
    /// Reads a whole number, decimal or `0x` and hexadecimal digits, with an optional sign.
    static func integer(_ text: [UInt8]) -> FlagValue? {
        // A fast path, since most are short and plain.
        guard 1...18 ~= text.count, text.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }) else {
            guard let digits = trimmed(text), let number = Int128(digits) ?? hexadecimal(digits),
                FlagValue.integerRange.contains(number)
            else { return nil }
            return .integer(number)
        }
        return .integer(Int128(text.reduce(Int64(0)) { $0 * 10 + Int64($1 - UInt8(ascii: "0")) }))
    }

    /// Reads a number as Core Foundation does; Swift's own parser is independent of the locale.
    static func real(_ text: [UInt8]) -> FlagValue? {
        guard let number = trimmed(text) else { return nil }
        switch number.lowercased() {
        case "nan": return .double(.nan)
        case "inf", "+inf", "infinity", "+infinity": return .double(.infinity)
        case "-inf", "-infinity": return .double(-.infinity)
        default: return number.utf8.allSatisfy(FlagNumber.isDecimal) ? Double(number).map(FlagValue.double) : nil
        }
    }

    static func date(_ text: [UInt8]) -> FlagValue? {
        trimmed(text).flatMap(FlagDate.parsePropertyList).map(FlagValue.date)
    }

    /// Reads base64 with any whitespace; rejects other text before copying anything.
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
