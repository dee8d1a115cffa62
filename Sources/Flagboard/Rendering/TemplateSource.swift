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
        guard text.unicodeScalars.starts(with: Self.opening.unicodeScalars) else {
            throw .forbidden(name, reason: "its first line must be \(Self.opening)")
        }
        var references: [String] = []
        for tag in Self.tags(of: text.unicodeScalars.dropFirst(Self.opening.unicodeScalars.count)) {
            if let reason = tag.fault { throw .forbidden(name, reason: reason) }
            if let reference = tag.reference { references.append(reference) }
        }
        self.name = name
        self.text = text
        self.references = references
    }

    /// A tag by its scalars: a mark after a brace would make one character of both.
    private struct Tag {
        let scalars: Substring.UnicodeScalarView
        let before: Substring.UnicodeScalarView

        var content: String { String(scalars) }

        var reference: String? {
            guard scalars.first == ">" || scalars.first == "<" else { return nil }
            return String(scalars.dropFirst().drop(while: \.properties.isWhitespace))
        }

        var fault: String? {
            let lineStart = before.lastIndex(of: "\n").map { before.index(after: $0) } ?? before.startIndex
            let isIndented =
                !before[lineStart...].isEmpty && before[lineStart...].allSatisfy(\.properties.isWhitespace)
            switch scalars.first {
            case "{", "&": return "{{\(content)}} is not escaped; use {{ and }}"
            case "=": return "{{\(content)}} changes the delimiters; keep {{ and }}"
            case "%": return "{{\(content)}} changes the escaping; only the first line may set it"
            case ">", "<", "$":
                if reference?.unicodeScalars.first == "*" {
                    return "{{\(content)}} names no template; write the name out"
                }
                return isIndented ? "{{\(content)}} is indented, which would add spaces to text areas" : nil
            case "#", "^", "/", "!": return nil
            default: return before.last == "=" ? "{{\(content)}} stands in an attribute without quotes" : nil
            }
        }
    }

    private static func tags(of text: Substring.UnicodeScalarView) -> [Tag] {
        var tags: [Tag] = []
        var rest = text
        while let opening = rest.firstRange(of: "{{".unicodeScalars) {
            let before = text[..<opening.lowerBound]
            rest = rest[opening.upperBound...]
            let end = rest.firstRange(of: "}}".unicodeScalars)
            tags.append(Tag(scalars: rest[..<(end?.lowerBound ?? rest.endIndex)], before: before))
            rest = end.map { rest[$0.upperBound...] } ?? rest[rest.endIndex...]
        }
        return tags
    }
}
