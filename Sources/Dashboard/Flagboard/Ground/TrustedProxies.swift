import DurableFiles
import Foundation

/// The proxies whose `X-Forwarded-For` and `X-Forwarded-Proto` are believed.
package struct TrustedProxies: Hashable, Sendable {
    package static let none = TrustedProxies([])

    private let ranges: [AddressRange]

    package init(_ ranges: [AddressRange]) { self.ranges = ranges }

    func contain(_ address: String) -> Bool {
        guard !ranges.isEmpty, let bytes = AddressRange.bytes(of: address) else { return false }
        return ranges.contains { $0.contains(bytes) }
    }

    /// Returns the address of the client that a trusted proxy forwards for.
    ///
    /// Each proxy appends the address that it was reached from, so the last one that isn't a trusted proxy's is the
    /// client's; earlier ones may be invented.
    func client(of peer: String, forwarded: [String]) -> String {
        var client = peer
        let hops = forwarded.flatMap { $0.split(separator: ",") }.map(AddressRange.address)
        for hop in hops.reversed() {
            guard contain(client), let bytes = AddressRange.bytes(of: hop) else { break }
            // One client, however it is written.
            client = AddressRange.text(of: bytes)
        }
        return client
    }
}

/// A range of IP addresses: `10.0.0.0/8`, `2001:db8::/32`, or a single address.
package struct AddressRange: Hashable, Sendable {
    private let prefix: [UInt8]
    /// In bits.
    private let length: Int

    package init(_ text: String) throws(PlainError) {
        let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        let name = String(parts[0])
        // The length of a mapped range counts the prefix by which IPv4 is mapped.
        guard let bytes = Self.bytes(of: name), let number = parts.count == 1 ? bytes.count * 8 : Int(parts[1]) else {
            throw Self.notARange(text)
        }
        let isMapped = bytes.count == 4 && name.contains(":")
        let length = parts.count > 1 && isMapped ? number - Self.mappedPrefix.count * 8 : number
        guard length <= bytes.count * 8, number >= 0 else { throw Self.notARange(text) }
        guard length >= 0 else {
            let plain = bytes.map(String.init).joined(separator: ".")
            throw PlainError(
                "\(text) contains more than IPv4 addresses. Give a range of IPv4 addresses as such, such as \(plain)/8")
        }
        guard length > 0 else {
            throw PlainError(
                "\(text) is every address, so anyone could pretend to be another client. Use the proxy's own address, or "
                    + "a range that only proxies have, such as 10.0.0.0/8")
        }
        (prefix, self.length) = (bytes, length)
    }

    private static func notARange(_ text: String) -> PlainError {
        PlainError("\(text) is not an IP address or a range of them, such as 10.0.0.0/8")
    }

    func contains(_ address: [UInt8]) -> Bool {
        guard address.count == prefix.count else { return false }
        let (whole, rest) = (length / 8, length % 8)
        guard address.prefix(whole).elementsEqual(prefix.prefix(whole)) else { return false }
        return rest == 0 || (address[whole] ^ prefix[whole]) >> (8 - rest) == 0
    }

    /// `host` is a `Host` header, with or without a port.
    static func isAddress(ofHost host: String) -> Bool { bytes(of: address(Substring(host))) != nil }

    /// Removes spaces, brackets and a port.
    static func address(_ item: Substring) -> String {
        let text = item.drop { $0 == " " || $0 == "\t" }.prefix { $0 != " " && $0 != "\t" }
        if text.first == "[" { return String(text.dropFirst().prefix { $0 != "]" }) }
        return String(text.count { $0 == ":" } == 1 ? text.prefix { $0 != ":" } : text)
    }

    private static let mappedPrefix: [UInt8] = Array(repeating: 0, count: 10) + [0xFF, 0xFF]

    /// Returns the usual text of ``bytes(of:)``.
    static func text(of address: [UInt8]) -> String {
        guard address.count > 4 else { return address.map(String.init).joined(separator: ".") }
        var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        guard inet_ntop(AF_INET6, address, &text, socklen_t(text.count)) != nil else { return "" }
        return String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    /// Returns the address in network order; an IPv4 address that is mapped to IPv6 counts as IPv4.
    static func bytes(of text: String) -> [UInt8]? {
        func packed(_ family: CInt, _ size: Int) -> [UInt8]? {
            var bytes = [UInt8](repeating: 0, count: size)
            return inet_pton(family, text, &bytes) == 1 ? bytes : nil
        }
        guard let packed = packed(AF_INET, 4) ?? packed(AF_INET6, 16) else { return nil }
        return packed.starts(with: mappedPrefix) ? Array(packed.dropFirst(mappedPrefix.count)) : packed
    }
}
