import FeatureFlags
import Foundation
import HTTPTypes

/// How a flag, or a change, is asked for from a terminal, to be copied.
struct TerminalLines: Hashable, PagePart {
    let groups: [Group]
    /// Whether curl needs a token.
    let needsToken: Bool

    /// Lines that do the same.
    struct Group: Hashable, PagePart {
        let heading: String
        let lines: [Line]
    }

    /// One line.
    struct Line: Hashable, PagePart {
        /// What it is called where it is copied: `curl line to read it`.
        let name: String
        let text: String
    }
}

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

/// One of our own commands as it is typed: `flagboard set FILE KEY VALUE --reason WHY`.
package struct FlagboardLine {
    /// Which command.
    let command: String
    /// What it takes in their order: the file, the key path, a value.
    let arguments: [String]
    /// Its options, each with a value.
    var options: [(name: String, value: String)] = []

    package init(command: String, arguments: [String], options: [(name: String, value: String)] = []) {
        (self.command, self.arguments, self.options) = (command, arguments, options)
    }

    /// The line; `nil` where a part of it can't be typed.
    package var text: String? {
        // What begins with a dash is an argument only behind the two dashes that end the options.
        let hasDash = arguments.contains { $0.utf8.first == UInt8(ascii: "-") }
        var words: [String] = []
        for argument in arguments {
            guard let word = ShellText.word(argument) else { return nil }
            words.append(word)
        }
        var choices: [String] = []
        for (name, value) in options {
            guard let word = ShellText.word(value) else { return nil }
            choices.append(value.utf8.first == UInt8(ascii: "-") ? "--\(name)=\(word)" : "--\(name) \(word)")
        }
        let parts = hasDash ? choices + ["--"] + words : words + choices
        return (["flagboard", command] + parts).joined(separator: " ")
    }
}

/// Text within a command line that is copied into a terminal: it stays text there, whatever it holds.
package enum ShellText {
    /// A text as one word, for any shell that follows POSIX.
    ///
    /// - Returns: The word; `nil` where the text holds what a terminal would act on when it is pasted, or what can't be seen.
    package static func word(_ text: String) -> String? {
        guard ShownPart.parts(of: text, breaksLines: false).allSatisfy({ $0.sign == nil }) else { return nil }
        return !text.isEmpty && text.utf8.allSatisfy(standsForItself)
            ? text : "'\(text.replacing("'", with: #"'\''"#))'"
    }

    /// JSON in which what can't be seen is written with escapes.
    static func visible(json: String) -> String {
        ShownPart.parts(of: json, breaksLines: false)
            .map { $0.sign == nil ? $0.text : escapes($0.text) }.joined()
    }

    private static func escapes(_ text: String) -> String {
        text.utf16.map { unit in
            let digits = String(unit, radix: 16)
            return #"\u"# + String(repeating: "0", count: 4 - digits.count) + digits
        }.joined()
    }

    private static func standsForItself(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."),
            UInt8(ascii: "/"), UInt8(ascii: ":"), UInt8(ascii: "+"), UInt8(ascii: "@"), UInt8(ascii: "%"),
            UInt8(ascii: ","):
            true
        default: false
        }
    }
}
