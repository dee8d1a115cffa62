import FeatureFlags
import HTTPTypes

/// A request of a program as a command line of curl.
struct CurlLine {
    let method: HTTPRequest.Method
    /// The path within the dashboard, percent-encoded, with its query.
    let path: String
    /// Further fields of the head, such as `If-Match: *`.
    var headers: [String] = []
    /// What is sent.
    var json: JSONValue?
    /// Whether the answer goes on and on, and is to be shown as it comes.
    var isStream = false

    /// Where programs reach the dashboard.
    struct Address: Hashable, Sendable {
        /// The scheme, the host and the path of the dashboard, without a slash at its end.
        let base: String
        /// Whether a program has to send a token.
        let needsToken: Bool
    }

    /// The variable of the shell that holds the token; no page shows one.
    static let tokenVariable = "FLAGBOARD_TOKEN"

    /// Writes the line.
    ///
    /// - Returns: The line, which goes on behind a `\` where it is long; `nil` where a header can't be typed.
    func text(to address: Address) -> String? {
        // curl takes steps such as `..` out of a path, unless it is told not to.
        let hasSteps = path.prefix { $0 != "?" }.split(separator: "/").contains { $0 == "." || $0 == ".." }
        var parts = ["curl"]
        if hasSteps { parts[0] += " --path-as-is" }
        if isStream { parts[0] += " -N" }
        if method != .get { parts[0] += " -X \(method.rawValue)" }
        guard let url = ShellText.word(address.base + path) else { return nil }
        parts[0] += " \(url)"
        if address.needsToken { parts.append(#"-H "Authorization: Bearer $\#(Self.tokenVariable)""#) }
        for header in headers + (json == nil ? [] : ["Content-Type: application/json"]) {
            guard let word = ShellText.word(header) else { return nil }
            parts.append("-H \(word)")
        }
        if let json {
            guard let word = ShellText.word(ShellText.visible(json: FlagJSON.line(json))) else { return nil }
            parts.append("--data-raw \(word)")
        }
        return parts.joined(separator: " \\\n    ")
    }
}
