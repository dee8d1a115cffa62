import DurableFiles
import Foundation

/// A receiver's `http` or `https` address, with a host and without a user or password.
package struct WebhookURL: Hashable, Sendable {
    package let text: String
    /// Without the brackets of IPv6.
    let host: String

    package init(_ text: String) throws(PlainError) {
        guard text.utf8.count <= Self.longest else {
            throw PlainError("it is longer than \(Self.longest) bytes")
        }
        guard text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }), let url = URL(string: text),
            let parts = URLComponents(string: text)
        else { throw PlainError("it is not a valid URL; use a URL like https://example.com/hook") }
        guard ["http", "https"].contains(url.scheme?.lowercased()) else {
            throw PlainError("it must start with https:// or http://")
        }
        guard parts.user == nil, parts.password == nil, !(parts.percentEncodedHost ?? "").contains("@") else {
            throw PlainError("it contains a user name or password that others could see; remove it")
        }
        guard parts.fragment == nil else {
            throw PlainError("the part after # is never sent; remove it")
        }
        // The HTTP client's own text for the host, so that the checked host is the connected one.
        let named = url.host ?? ""
        let isBracketed = named.hasPrefix("[") && named.hasSuffix("]")
        let host = isBracketed ? String(named.dropFirst().dropLast()) : named
        guard host.wholeMatch(of: /[A-Za-z0-9._\-]+/) != nil || IPAddress(host) != nil else {
            throw PlainError("it has no host; use a URL like https://example.com/hook")
        }
        guard url.port.map({ (1...65535).contains($0) }) ?? true else {
            throw PlainError("its port must be between 1 and 65535")
        }
        self.text = text
        self.host = host
    }

    private static let longest = 2000

    /// The address without its path, which may be secret.
    package var shown: String {
        let end = text.range(of: "://").flatMap { text[$0.upperBound...].firstIndex { "/?".contains($0) } }
        guard let end else { return text }
        return text[text.index(after: end)...].isEmpty ? text : "\(text[..<end])/…"
    }
}

extension WebhookURL: Codable {
    package init(from decoder: any Decoder) throws {
        let value = try decoder.singleValueContainer()
        let text = try value.decode(String.self)
        do throws(PlainError) {
            self = try WebhookURL(text)
        } catch {
            throw DecodingError.dataCorruptedError(in: value, debugDescription: "invalid URL: \(error)")
        }
    }

    package func encode(to encoder: any Encoder) throws {
        var value = encoder.singleValueContainer()
        try value.encode(text)
    }
}

package struct IPAddress: Hashable, Sendable, CustomStringConvertible {
    /// 4 or 16, in network order.
    let bytes: [UInt8]

    init(bytes: [UInt8]) { self.bytes = bytes }

    /// Parses a full address; `nil` for others, such as `127.1`, and for zones and brackets.
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

    package var description: String {
        var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        let family = bytes.count == 4 ? AF_INET : AF_INET6
        let written = bytes.withUnsafeBytes { inet_ntop(family, $0.baseAddress, &text, socklen_t(text.count)) }
        guard written != nil else { return bytes.map { String($0, radix: 16) }.joined(separator: ".") }
        return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
