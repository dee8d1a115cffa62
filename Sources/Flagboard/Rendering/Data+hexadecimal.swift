import Foundation

extension Data {
    /// The bytes in hexadecimal.
    var hexadecimal: String { map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() }
}
