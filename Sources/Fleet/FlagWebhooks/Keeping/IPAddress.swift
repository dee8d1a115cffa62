import Foundation

/// An address of the Internet Protocol: 4 or 16 bytes.
package struct IPAddress: Hashable, Sendable, CustomStringConvertible {
    /// The bytes, in the order of the network.
    let bytes: [UInt8]

    /// Takes bytes.
    init(bytes: [UInt8]) { self.bytes = bytes }

    /// Reads an address as it is written in full, `192.0.2.1` or `2001:db8::1`; `nil` for any other text, such as `127.1`, and where
    /// there is a zone.
    ///
    /// - Parameter text: The text, without brackets.
    package init?(_ text: String) {
        var (four, six) = (in_addr(), in6_addr())
        if inet_pton(AF_INET, text, &four) == 1 {
            bytes = withUnsafeBytes(of: &four) { Array($0) }
        } else if inet_pton(AF_INET6, text, &six) == 1 {
            bytes = withUnsafeBytes(of: &six) { Array($0) }
        } else {
            return nil
        }
    }

    /// The address as it is usually written.
    package var description: String {
        var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        let family = bytes.count == 4 ? AF_INET : AF_INET6
        let written = bytes.withUnsafeBytes { inet_ntop(family, $0.baseAddress, &text, socklen_t(text.count)) }
        guard written != nil else { return bytes.map { String($0, radix: 16) }.joined(separator: ".") }
        return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
