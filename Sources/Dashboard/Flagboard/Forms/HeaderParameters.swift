/// A header's value with its parameters, such as `form-data; name="file"; filename="flags.xml"`.
struct HeaderParameters: Hashable, Sendable {
    /// The part before the first semicolon, in lower case.
    let value: String
    /// Without quotation marks, by lower-case name.
    let parameters: [String: String]

    /// `nil` if malformed or if a parameter repeats.
    ///
    /// A backslash in a quoted parameter is literal, as browsers send it (WHATWG HTML, 4.10.21.8).
    init?(_ text: some StringProtocol) {
        var scanner = Scanner(rest: Substring(text).unicodeScalars)
        guard let value = scanner.token(with: "/") else { return nil }
        var parameters: [String: String] = [:]
        while scanner.skipBlanks(), !scanner.rest.isEmpty {
            guard scanner.skip(";"), scanner.skipBlanks(), let name = scanner.token(with: "*"), scanner.skip("="),
                let content = scanner.skip("\"") ? scanner.quoted() : scanner.token(with: "/"),
                parameters.updateValue(content, forKey: name.lowercased()) == nil
            else { return nil }
        }
        self.value = value.lowercased()
        self.parameters = parameters
    }

    /// Scans Unicode scalars, since a combining mark would merge with a quotation mark.
    private struct Scanner {
        var rest: Substring.UnicodeScalarView

        mutating func skip(_ scalar: Unicode.Scalar) -> Bool {
            guard rest.first == scalar else { return false }
            rest.removeFirst()
            return true
        }

        mutating func skipBlanks() -> Bool {
            rest = rest.drop { $0 == " " || $0 == "\t" }
            return true
        }

        /// Reads a non-empty token (RFC 9110, 5.6.2), which may also contain `extra`.
        mutating func token(with extra: Unicode.Scalar) -> String? {
            let token = rest.prefix { $0 == extra || Self.isToken($0) }
            guard !token.isEmpty else { return nil }
            rest = rest[token.endIndex...]
            return String(token)
        }

        mutating func quoted() -> String? {
            guard let end = rest.firstIndex(of: "\"") else { return nil }
            let text = String(rest[..<end])
            rest = rest[rest.index(after: end)...]
            return text
        }

        private static func isToken(_ scalar: Unicode.Scalar) -> Bool {
            switch scalar {
            case "a"..."z", "A"..."Z", "0"..."9": true
            default: "!#$%&'+-.^_`|~".unicodeScalars.contains(scalar)
            }
        }
    }
}
