import FeatureFlags
import Foundation

/// The text of scalar elements as values.
enum PropertyListScalar {
    /// The most bytes that the text of a number or a date may have.
    static let maximumSize = 1024

    /// Reads a whole number: decimal or `0x` and hexadecimal digits, with or without a sign.
    static func integer(_ text: [UInt8]) throws(PropertyListValueError) -> FlagValue {
        // Most are short and plain.
        guard 1...18 ~= text.count, text.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }) else {
            return try integer(String(decoding: text, as: UTF8.self))
        }
        return .integer(Int128(text.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }))
    }

    private static func integer(_ text: String) throws(PropertyListValueError) -> FlagValue {
        let digits = trimmed(text)
        guard let number = Int128(digits) ?? hexadecimal(digits) else {
            guard digits.wholeMatch(of: /[+-]?(0[xX][0-9A-Fa-f]+|[0-9]+)/) != nil else {
                throw PropertyListValueError(
                    "\(shown(text)) is no whole number; write digits such as 42 or -1, or hexadecimal ones such as 0xff"
                )
            }
            throw outOfRange(text)
        }
        guard FlagValue.integerRange.contains(number) else { throw outOfRange(text) }
        return .integer(number)
    }

    /// Reads a number as Core Foundation does; Swift's own reading does not depend on the locale.
    static func real(_ text: String) throws(PropertyListValueError) -> FlagValue {
        let number = trimmed(text)
        switch number.lowercased() {
        case "nan": return .double(.nan)
        case "inf", "+inf", "infinity", "+infinity": return .double(.infinity)
        case "-inf", "-infinity": return .double(-.infinity)
        default: break
        }
        guard number.utf8.allSatisfy(isDecimal), let value = Double(number) else {
            throw PropertyListValueError("\(shown(text)) is no number; write one such as 1.5, -2e3, nan or infinity")
        }
        return .double(value)
    }

    static func date(_ text: String) throws(PropertyListValueError) -> FlagValue {
        guard let date = FlagDate.parseWholeSecond(trimmed(text)) else {
            throw PropertyListValueError(
                "\(shown(text)) is no date; write one that exists, such as 2011-11-11T11:11:11Z")
        }
        return .date(date)
    }

    /// Reads base64, with white space anywhere; what is none is found before anything is copied.
    static func data(_ text: [UInt8]) throws(PropertyListValueError) -> FlagValue {
        guard text.allSatisfy({ isBase64[Int($0)] }),
            let data = Data(base64Encoded: Data(text.lazy.filter { !Byte.isWhitespace($0) }))
        else { throw PropertyListValueError("the data is not base64; write groups of four such as AAEC or AA==") }
        return .data(data)
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

    private static func outOfRange(_ text: String) -> PropertyListValueError {
        PropertyListValueError(
            "the integer \(shown(text)) is out of range; "
                + "from -9223372036854775808 to 18446744073709551615 is allowed")
    }

    private static func trimmed(_ text: String) -> String {
        guard let first = text.utf8.first, let last = text.utf8.last,
            Byte.isWhitespace(first) || Byte.isWhitespace(last)
        else { return text }
        return text.trimmingCharacters(in: .whitespacesAndNewlines)
    }

    private static func shown(_ text: String) -> String {
        let text = trimmed(text)
        return text.count <= 60 ? "\"\(text)\"" : "a text of \(text.count) characters"
    }
}

/// What is wrong with the text of an element.
struct PropertyListValueError: Error {
    let text: String

    init(_ text: String) {
        self.text = text
    }
}
