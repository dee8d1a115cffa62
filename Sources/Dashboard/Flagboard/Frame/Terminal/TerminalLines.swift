import FeatureFlags
import Foundation
import HTTPTypes

/// Terminal commands for a flag or a change, to be copied.
struct TerminalLines: Hashable, PagePart {
    let groups: [Group]
    let needsToken: Bool

    struct Group: Hashable, PagePart {
        let heading: String
        let lines: [Line]
    }

    struct Line: Hashable, PagePart {
        /// The accessible name: `curl command to read it`.
        let name: String
        let text: String
    }
}

struct CurlLine {
    let method: HTTPRequest.Method
    /// The percent-encoded path and query within the dashboard.
    let path: String
    var headers: [String] = []
    var json: JSONValue?
    /// The response is a stream, to be shown as it arrives.
    var isStream = false

    struct Address: Hashable, Sendable {
        /// Without a slash at its end.
        let base: String
        let needsToken: Bool
        var isLoopback: Bool {
            ["127.0.0.1", "localhost", "[::1]"].contains { name in
                let rest = base.split(separator: "/").dropFirst().first ?? ""
                return rest == name || rest.hasPrefix("\(name):")
            }
        }
    }

    /// The shell variable with the token; no page shows one.
    static let tokenVariable = "FLAGBOARD_TOKEN"

    /// Returns the line, broken by `\` if long; `nil` if a header can't be typed.
    func text(to address: Address) -> String? {
        // curl resolves `..` in a path unless told otherwise.
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

/// A flagboard command line: `flagboard set FILE KEY VALUE --reason WHY`.
package struct FlagboardLine {
    let command: String
    let arguments: [String]
    var options: [(name: String, value: String)] = []

    package init(command: String, arguments: [String], options: [(name: String, value: String)] = []) {
        (self.command, self.arguments, self.options) = (command, arguments, options)
    }

    /// `nil` if a part can't be typed.
    package var text: String? {
        // Arguments with a leading dash must follow `--`.
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

/// Quoting for command lines that people paste into a terminal.
package enum ShellText {
    /// Returns one word of a POSIX shell; `nil` for invisible characters, which a terminal may act on when pasted.
    package static func word(_ text: String) -> String? {
        guard ShownPart.parts(of: text, breaksLines: false).allSatisfy({ $0.sign == nil }) else { return nil }
        return !text.isEmpty && isPlain(text)
            ? text : "'\(text.unicodeScalars.map { $0 == "'" ? #"'\''"# : String($0) }.joined())'"
    }

    /// True if no character means anything to a shell; those beyond ASCII mean nothing.
    ///
    /// Looks at bytes, since a mark may follow any of them to make one character.
    package static func isPlain(_ text: String, beyondASCII isAnyPlain: Bool = false) -> Bool {
        text.utf8.allSatisfy { isAnyPlain && $0 >= 0x80 || standsForItself($0) }
    }

    /// Returns the text of a word as a shell reads it, without expansions.
    package static func unquoted(_ word: String) -> String {
        var (text, quote, isEscaped) = (String.UnicodeScalarView(), Unicode.Scalar?.none, false)
        for character in word.unicodeScalars {
            switch character {
            case _ where isEscaped:
                text.append(character)
                isEscaped = false
            case "\\" where quote != "'": isEscaped = true
            case "'", "\"":
                switch quote {
                case nil: quote = character
                case character?: quote = nil
                default: text.append(character)
                }
            default: text.append(character)
            }
        }
        return String(text)
    }

    /// Escapes invisible characters.
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
