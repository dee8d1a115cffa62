import Crypto
import Foundation

package enum ContentHash {
    package static func sha256(_ data: Data) -> Data {
        Data(SHA256.hash(data: data))
    }

    /// Hashes in pieces, since a file may be large.
    package static func sha256(contentsOf url: URL) throws -> (count: Int, hash: Data) {
        let file = try FileHandle(forReadingFrom: url)
        var (count, hash) = (0, SHA256())
        while let piece = try file.read(upToCount: 1 << 20), !piece.isEmpty {
            count += piece.count
            hash.update(data: piece)
        }
        try file.close()
        return (count, Data(hash.finalize()))
    }
}

extension Data {
    package var hexadecimal: String {
        var text: [UInt8] = []
        text.reserveCapacity(count * 2)
        for byte in self {
            text.append(Self.digits[Int(byte >> 4)])
            text.append(Self.digits[Int(byte & 15)])
        }
        return String(decoding: text, as: UTF8.self)
    }

    private static let digits = Array("0123456789abcdef".utf8)

    /// Decodes either case; `nil` for other text.
    package init?(hexadecimal text: some StringProtocol) {
        let digits = text.utf8.map { digit -> UInt8? in
            switch digit {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
            case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
            case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
            default: nil
            }
        }
        guard digits.count.isMultiple(of: 2) else { return nil }
        self.init()
        for index in stride(from: 0, to: digits.count, by: 2) {
            guard let high = digits[index], let low = digits[index + 1] else { return nil }
            append(high << 4 | low)
        }
    }
}
