import FeatureFlags
import Foundation

struct HexView: Hashable, PagePart {
    /// Lines of 16 bytes.
    let text: String
    let caption: String
    let href: String

    /// In bytes.
    private static let (limit, width) = (256, 16)

    /// `nil` for other or empty values.
    init?(_ value: FlagValue?, of key: FlagKeyPath) {
        guard case .data(let data)? = value, !data.isEmpty else { return nil }
        let shown = Array(data.prefix(Self.limit))
        text = stride(from: 0, to: shown.count, by: Self.width).map { start in
            Self.line(start, shown[start..<min(start + Self.width, shown.count)])
        }.joined(separator: "\n")
        href = PageLink.data(of: key)
        let count = data.count == 1 ? "1 byte" : "\(data.count) bytes"
        caption = data.count > Self.limit ? "The first \(Self.limit) of \(count)" : count
    }

    private static func line(_ offset: Int, _ bytes: ArraySlice<UInt8>) -> String {
        let hexadecimal = bytes.map { digits($0, 2) }.joined(separator: " ")
        let padding = String(repeating: " ", count: width * 3 - 1 - hexadecimal.count)
        let characters = bytes.map { (0x20...0x7E).contains($0) ? String(Unicode.Scalar($0)) : "." }.joined()
        return "\(digits(offset, 4))  \(hexadecimal)\(padding)  \(characters)"
    }

    private static func digits(_ number: some BinaryInteger, _ count: Int) -> String {
        let text = String(number, radix: 16)
        return String(repeating: "0", count: max(0, count - text.count)) + text
    }
}
