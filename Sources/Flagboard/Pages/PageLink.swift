import FeatureFlags

/// Where the links and forms of the pages lead.
enum PageLink {
    static let flags = "/"
    static let history = "/history"
    static let export = "/export"
    static let access = "/access"
    static let signIn = "/sign-in"
    static let signOut = "/sign-out"

    /// The page of one flag, each component of its key path percent-encoded.
    ///
    /// Browsers take the components `.` and `..` for steps in the path, encoded or not, and drop an empty one at the
    /// end: such a key path travels in the query.
    static func flag(_ key: FlagKeyPath, provider: String? = nil) -> String {
        if key.components.contains(where: { $0.isEmpty || $0 == "." || $0 == ".." }) {
            return "/flags?key=\(encode(key.text))" + (provider.map { "&provider=\(encode($0))" } ?? "")
        }
        // A mark at the start of a component would make one character of it and the separator before it.
        let path = key.components.map { encode(FlagKeyPath(components: [$0]).text) }.joined(separator: "/")
        return "/flags/" + path + query([("provider", provider)])
    }

    /// The bytes of a flag's effective value.
    static func data(of key: FlagKeyPath) -> String { "/data?key=\(encode(key.text))" }

    /// A link with one more item in its query.
    static func adding(_ name: String, _ value: String, to href: String) -> String {
        "\(href)\(href.utf8.contains(UInt8(ascii: "?")) ? "&" : "?")\(encode(name))=\(encode(value))"
    }

    static func change(_ id: Int64) -> String { "\(history)/\(id)" }

    static func history(of key: FlagKeyPath) -> String { history + query([("key", key.text)]) }

    /// The items that have a value as a query with its question mark; empty where none has.
    static func query(_ items: [(String, String?)]) -> String {
        let pairs = items.compactMap { name, value -> String? in
            guard let value, !value.isEmpty else { return nil }
            return "\(encode(name))=\(encode(value))"
        }
        return pairs.isEmpty ? "" : "?" + pairs.joined(separator: "&")
    }

    /// Percent-encodes every byte but RFC 3986's unreserved ones.
    static func encode(_ text: String) -> String {
        var encoded = ""
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
                UInt8(ascii: "~"):
                encoded.unicodeScalars.append(Unicode.Scalar(byte))
            default:
                let digits = String(byte, radix: 16, uppercase: true)
                encoded += "%" + (digits.count == 1 ? "0" : "") + digits
            }
        }
        return encoded
    }
}
