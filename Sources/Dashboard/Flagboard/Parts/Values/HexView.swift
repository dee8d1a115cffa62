import FeatureFlags
import Foundation

/// The first bytes of data as offset, hexadecimal and ASCII.
struct HexView: Hashable, PagePart {
    /// The lines, of 16 bytes each.
    let text: String
    /// How many bytes there are, and how many of them are shown.
    let caption: String
    /// Where all of the bytes can be downloaded.
    let href: String

    /// How many bytes are shown at most.
    private static let (limit, width) = (256, 16)

    /// Shows data.
    ///
    /// - Parameter value: A flag's effective value; `nil` comes of any that is not data, and of no data at all.
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
