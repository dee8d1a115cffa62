import Foundation

extension Data {
    /// The bytes in hexadecimal.
    var hexadecimal: String { map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() }

    /// The bytes of such a text; `nil` where it is none.
    init?(hexadecimal text: String) {
        let digits = text.unicodeScalars.map { Character($0).hexDigitValue }
        guard digits.count.isMultiple(of: 2) else { return nil }
        var data = Data()
        for index in stride(from: 0, to: digits.count, by: 2) {
            guard let high = digits[index], let low = digits[index + 1] else { return nil }
            data.append(UInt8(high << 4 | low))
        }
        self = data
    }
}
