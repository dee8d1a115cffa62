/// An element of a RELAX NG schema in XML syntax.
struct RelaxNGPattern {
    let name: String
    let attributes: [(String, String)]
    let children: [RelaxNGPattern]
    /// The text, instead of children.
    let text: String?

    init(_ name: String, _ attributes: [(String, String)] = [], _ children: [RelaxNGPattern] = [], text: String? = nil)
    {
        (self.name, self.attributes, self.children, self.text) = (name, attributes, children, text)
    }

    init(_ name: String, _ children: [RelaxNGPattern]) { self.init(name, [], children) }

    static let empty = RelaxNGPattern("empty", [], [])
    static let anyText = RelaxNGPattern("text", [], [])

    static func define(_ name: String, _ children: [RelaxNGPattern]) -> RelaxNGPattern {
        RelaxNGPattern("define", [("name", name)], children)
    }

    static func element(_ name: String, _ children: [RelaxNGPattern]) -> RelaxNGPattern {
        RelaxNGPattern("element", [("name", name)], children)
    }

    static func ref(_ name: String) -> RelaxNGPattern { RelaxNGPattern("ref", [("name", name)]) }

    static func value(_ text: String) -> RelaxNGPattern { RelaxNGPattern("value", [("type", "string")], text: text) }

    /// Returns a string with a facet, such as a pattern that the whole text must match.
    static func text(with facet: String, _ value: String) -> RelaxNGPattern {
        let facet = RelaxNGPattern("param", [("name", facet)], text: value)
        return .element("string", [RelaxNGPattern("data", [("type", "string")], [facet])])
    }

    static func either(_ patterns: [RelaxNGPattern]) -> RelaxNGPattern {
        patterns.count == 1 ? patterns[0] : RelaxNGPattern("choice", patterns)
    }

    static func array(_ children: [RelaxNGPattern], isEmptyAllowed: Bool = true) -> RelaxNGPattern {
        .element("array", [RelaxNGPattern(isEmptyAllowed ? "zeroOrMore" : "oneOrMore", children)])
    }

    /// Values under any key must match.
    static func members(_ value: RelaxNGPattern) -> RelaxNGPattern {
        .element("dict", [RelaxNGPattern("zeroOrMore", [.element("key", [.anyText]), value])])
    }

    func lines(_ level: Int) -> [String] {
        let indent = String(repeating: "  ", count: level)
        let start = name + attributes.map { " \($0)=\"\(Self.escaped($1))\"" }.joined()
        if let text { return ["\(indent)<\(start)>\(Self.escaped(text))</\(name)>"] }
        guard !children.isEmpty else { return ["\(indent)<\(start)/>"] }
        return ["\(indent)<\(start)>"] + children.flatMap { $0.lines(level + 1) } + ["\(indent)</\(name)>"]
    }

    private static func escaped(_ text: String) -> String {
        var escaped = ""
        for character in text {
            switch character {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case "\"": escaped += "&quot;"
            default: escaped.append(character)
            }
        }
        return escaped
    }
}
