/// An element of a RELAX NG schema in XML syntax.
struct RelaxNGPattern {
    /// The element's name.
    let name: String
    /// Its attributes, in the order to write.
    let attributes: [(String, String)]
    /// The elements in it.
    let children: [RelaxNGPattern]
    /// The text in it, instead of elements.
    let text: String?

    /// An element of any name.
    init(_ name: String, _ attributes: [(String, String)] = [], _ children: [RelaxNGPattern] = [], text: String? = nil)
    {
        (self.name, self.attributes, self.children, self.text) = (name, attributes, children, text)
    }

    /// An element without attributes.
    init(_ name: String, _ children: [RelaxNGPattern]) { self.init(name, [], children) }

    /// Nothing.
    static let empty = RelaxNGPattern("empty", [], [])
    /// Any text.
    static let anyText = RelaxNGPattern("text", [], [])

    /// A pattern that others refer to by its name.
    static func define(_ name: String, _ children: [RelaxNGPattern]) -> RelaxNGPattern {
        RelaxNGPattern("define", [("name", name)], children)
    }

    /// An element of the property list.
    static func element(_ name: String, _ children: [RelaxNGPattern]) -> RelaxNGPattern {
        RelaxNGPattern("element", [("name", name)], children)
    }

    /// The pattern of a name.
    static func ref(_ name: String) -> RelaxNGPattern { RelaxNGPattern("ref", [("name", name)]) }

    /// A text, exactly as it is.
    static func value(_ text: String) -> RelaxNGPattern { RelaxNGPattern("value", [("type", "string")], text: text) }

    /// A string whose text has a facet, such as that it matches a pattern as a whole.
    static func text(with facet: String, _ value: String) -> RelaxNGPattern {
        let facet = RelaxNGPattern("param", [("name", facet)], text: value)
        return .element("string", [RelaxNGPattern("data", [("type", "string")], [facet])])
    }

    /// One of some patterns.
    static func either(_ patterns: [RelaxNGPattern]) -> RelaxNGPattern {
        patterns.count == 1 ? patterns[0] : RelaxNGPattern("choice", patterns)
    }

    /// An array of elements.
    static func array(_ children: [RelaxNGPattern], isEmptyAllowed: Bool = true) -> RelaxNGPattern {
        .element("array", [RelaxNGPattern(isEmptyAllowed ? "zeroOrMore" : "oneOrMore", children)])
    }

    /// The element as lines of XML.
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
