/// A template's text, checked for what swift-mustache lets pass in silence.
struct TemplateSource {
    /// What every template starts with, since each partial falls back to swift-mustache's own escaping.
    static let opening = "{{% CONTENT_TYPE:\(SafeHTML.name)}}\n"

    let name: String
    let text: String
    /// The names of the templates that this one includes or inherits from.
    let references: [String]

    /// Reads and checks a template.
    ///
    /// - Throws: What is not safe in it.
    init(name: String, text: String) throws(TemplateError) {
        guard text.hasPrefix(Self.opening) else {
            throw .forbidden(name, reason: "its first line must be \(Self.opening)")
        }
        var references: [String] = []
        for tag in Self.tags(of: text.dropFirst(Self.opening.count)) {
            if let reason = tag.fault { throw .forbidden(name, reason: reason) }
            if let reference = tag.reference { references.append(reference) }
        }
        self.name = name
        self.text = text
        self.references = references
    }

    private struct Tag {
        let content: Substring
        let before: Substring

        var reference: String? {
            guard content.first == ">" || content.first == "<" else { return nil }
            return content.dropFirst().trimmingPrefix(while: \.isWhitespace).description
        }

        var fault: String? {
            let lineStart = before.lastIndex(where: \.isNewline).map { before.index(after: $0) } ?? before.startIndex
            let isIndented = !before[lineStart...].isEmpty && before[lineStart...].allSatisfy(\.isWhitespace)
            switch content.first {
            case "{", "&": return "{{\(content)}} is not escaped; use {{ and }}"
            case "=": return "{{\(content)}} changes the delimiters; keep {{ and }}"
            case "%": return "{{\(content)}} changes the escaping; only the first line may set it"
            case ">", "<", "$":
                if reference?.first == "*" { return "{{\(content)}} names no template; write the name out" }
                return isIndented ? "{{\(content)}} is indented, which would add spaces to text areas" : nil
            case "#", "^", "/", "!": return nil
            default: return before.last == "=" ? "{{\(content)}} stands in an attribute without quotes" : nil
            }
        }
    }

    private static func tags(of text: Substring) -> [Tag] {
        var tags: [Tag] = []
        var rest = text
        while let opening = rest.firstRange(of: "{{") {
            let before = text[..<opening.lowerBound]
            rest = rest[opening.upperBound...]
            let end = rest.firstRange(of: "}}")
            tags.append(Tag(content: rest[..<(end?.lowerBound ?? rest.endIndex)], before: before))
            rest = end.map { rest[$0.upperBound...] } ?? ""
        }
        return tags
    }
}
