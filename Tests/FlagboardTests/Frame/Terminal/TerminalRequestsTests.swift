import FeatureFlags
import FeatureFlagsXML
import HTTPTypes
import Testing

@testable import FlagChanges
@testable import Flagboard

@Suite("Lines for a terminal")
struct TerminalRequestsTests {
    private static let address = CurlLine.Address(base: "https://flags.example.com/below", needsToken: true)
    private static let requests = TerminalRequests(
        address: address, file: "/app/flags.xml", usualProvider: { _ in "Local" })

    private static func key(_ components: String...) -> FlagKeyPath { FlagKeyPath(components: components) }

    private static func texts(_ group: TerminalLines.Group?) -> [String] { group?.lines.map(\.text) ?? [] }

    @Test("A word stands as it is where no shell acts on it, and in quotation marks else")
    func words() {
        #expect(ShellText.word("checkout/new_flow-2.xml") == "checkout/new_flow-2.xml")
        #expect(ShellText.word("") == "''")
        #expect(ShellText.word("it's $HOME") == #"'it'\''s $HOME'"#)
        #expect(ShellText.word("~") == "'~'" && ShellText.word("a=b") == "'a=b'" && ShellText.word("é") == "'é'")
    }

    @Test("What a terminal acts on, and what can't be seen, is no word; in JSON it is written with escapes")
    func invisible() throws {
        for text in ["a\nb", "\t", "\u{1B}[31m", "\u{7F}", "\u{202E}", "a\u{200B}", "\u{2028}", "\u{9B}", "\u{E0041}"] {
            #expect(ShellText.word(text) == nil, "\(text.debugDescription)")
            let json = ShellText.visible(json: FlagJSON.line(JSONValue.scalar(.string(text))))
            #expect(json.unicodeScalars.allSatisfy { (0x20...0x7E).contains($0.value) }, "\(json)")
            #expect(try FlagJSON.value(json) == .string(text))
        }
    }

    @Test("A value is typed as text where that says all, and as JSON else")
    func values() {
        let typed: [(FlagValue, FlagType, String)] = [
            (.bool(true), .bool, "true"), (.integer(-5), .integer, "-5"), (.double(0.5), .double, "0.5"),
            (.string("a b"), .string, "'a b'"), (.string("-"), .string, #"--json-value '"-"'"#),
            (.string(""), .string, #"--json-value '""'"#), (.string("a\tb"), .string, #"--json-value '"a\tb"'"#),
            (.double(.infinity), .double, #"--json-value '"inf"'"#),
            (.array([.integer(1)]), .array, "--json-value '[1]'"),
        ]
        for (value, type, end) in typed {
            let group = Self.requests.setting(Self.key("count"), to: value, of: type, in: "Local", for: "set it")
            let line = Self.texts(group).first ?? ""
            let start = end == "-5" ? "flagboard set -- /app/flags.xml count " : "flagboard set /app/flags.xml count "
            #expect(line == start + end, "\(value)")
        }
    }

    @Test("Where an environment requires it, a change names it and gives a reason")
    func guarded() {
        var requests = Self.requests
        requests.environments = EnvironmentCheck(
            localName: "Local", own: EnvironmentRules(requiresReason: true, confirmsChanges: true), manifest: nil)
        let reset = Self.texts(requests.resetting(Self.key("a"), in: "Local"))
        #expect(reset.first == "flagboard reset /app/flags.xml a --reason Why --confirm Local")
        #expect(reset.last?.contains("?reason=Why&confirm=Local") == true)
        let locked = Self.texts(requests.locking(Self.key("a"), true, reason: "Sale"))
        #expect(locked.first == "flagboard lock /app/flags.xml a --reason Sale --confirm Local")
        #expect(locked.last?.contains(#""confirm":"Local""#) == true)
        #expect(Self.texts(requests.resetting(Self.key("a"), in: "QA")).first?.contains("--confirm") == false)
    }

    @Test("A provider is named where it is not the usual one, and a reason where there is one")
    func options() {
        let requests = Self.requests
        #expect(
            Self.texts(requests.resetting(Self.key("-a", "b"), in: "QA", reason: "-x")) == [
                "flagboard reset --provider QA --reason=-x -- /app/flags.xml -a/b",
                """
                curl -X DELETE 'https://flags.example.com/below/api/v1/flags/-a/b?provider=QA&reason=-x' \\
                    -H "Authorization: Bearer $FLAGBOARD_TOKEN" \\
                    -H 'If-Match: *'
                """,
            ])
        #expect(Self.texts(requests.resetting(Self.key("a"), in: "Local")).first == "flagboard reset /app/flags.xml a")
    }

    @Test("A key path that paths can't hold travels encoded, and steps in it are left as they are")
    func keys() {
        let paths: [([String], String)] = [
            (["a", "..", "b"], "a%2F..%2Fb"), ([".."], ".."), (["a", ""], "a%2F"), (["a/b", "~"], "a~1b/~0"),
            (["é", "%"], "%C3%A9/%25"),
        ]
        for (components, path) in paths {
            let lines = Self.texts(Self.requests.reading(FlagKeyPath(components: components)))
            let option = path == ".." ? "--path-as-is " : ""
            let quoted = ShellText.word("https://flags.example.com/below/api/v1/flags/\(path)") ?? ""
            #expect(lines.last?.hasPrefix("curl \(option)\(quoted) \\") == true, "\(lines)")
        }
    }

    @Test("A value that is too long for a line is left out, and what can't be typed has no command")
    func limits() {
        let long = FlagValue.string(String(repeating: "x", count: 3_000))
        #expect(Self.requests.setting(Self.key("a"), to: long, of: .string, in: nil, for: "set it") == nil)
        let hidden = Self.requests.reading(Self.key("a\u{202E}"))
        #expect(hidden?.lines.map(\.name) == ["curl command to read it"])
        let elsewhere = TerminalRequests(address: Self.address, file: nil, usualProvider: { _ in nil })
        #expect(elsewhere.locking(Self.key("a"), true)?.lines.map(\.name) == ["curl command to lock it"])
        #expect(elsewhere.lines([nil, nil]) == nil)
    }
}
