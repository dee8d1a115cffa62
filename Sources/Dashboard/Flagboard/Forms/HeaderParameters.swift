/// A header's value with its parameters, such as `form-data; name="file"; filename="flags.xml"`.
struct HeaderParameters: Hashable, Sendable {
    /// What comes before the first semicolon, in lower case.
    let value: String
    /// The parameters by name, in lower case; a quoted one without its quotation marks.
    let parameters: [String: String]

    /// Reads a header's value; `nil` where it is not of this form, or has a parameter twice.
    ///
    /// A backslash in a quoted parameter stands for itself, as browsers send it (WHATWG HTML, 4.10.21.8).
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

    /// Reads scalar by scalar, since a mark behind a quotation mark would make another character of it.
    private struct Scanner {
        var rest: Substring.UnicodeScalarView

        mutating func skip(_ scalar: Unicode.Scalar) -> Bool {
            guard rest.first == scalar else { return false }
            rest.removeFirst()
            return true
        }

        /// Always `true`, to stand in a condition.
        mutating func skipBlanks() -> Bool {
            rest = rest.drop { $0 == " " || $0 == "\t" }
            return true
        }

        /// One or more of the characters of a token (RFC 9110, 5.6.2), and of one more.
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
