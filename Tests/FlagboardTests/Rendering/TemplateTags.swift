/// A template as a tree of its tags, read apart from the library that renders it.
indirect enum TemplateTag {
    case variable(String)
    case section(String, [TemplateTag])
    case inverted(String, [TemplateTag])
    case block([TemplateTag])
    case layout(String, [TemplateTag])
    case partial(String)

    /// Reads a template's text; `nil` where the tags don't nest.
    static func parse(_ text: String) -> [TemplateTag]? {
        var contents = text.components(between: "{{", and: "}}")[...]
        let tags = parse(&contents, until: nil)
        return contents.isEmpty ? tags : nil
    }

    private static func parse(_ contents: inout ArraySlice<String>, until end: String?) -> [TemplateTag]? {
        var tags: [TemplateTag] = []
        while let content = contents.popFirst() {
            let name = String(content.dropFirst())
            switch content.first {
            case "%", "!": continue
            case "/": return name == end ? tags : nil
            case ">": tags.append(.partial(name))
            case "#", "^", "$", "<":
                guard let inner = parse(&contents, until: name) else { return nil }
                switch content.first {
                case "#": tags.append(.section(name, inner))
                case "^": tags.append(.inverted(name, inner))
                case "$": tags.append(.block(inner))
                default: tags.append(.layout(name, inner))
                }
            default: tags.append(.variable(content))
            }
        }
        return end == nil ? tags : nil
    }
}

extension String {
    fileprivate func components(between opening: String, and closing: String) -> [String] {
        split(separator: opening).compactMap { part in
            part.firstRange(of: closing).map { String(part[..<$0.lowerBound]) }
        }
    }
}
