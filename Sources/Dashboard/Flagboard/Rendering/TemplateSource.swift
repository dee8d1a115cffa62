/// A template as its file says it: text and tags, nested, and checked for what would be unsafe in a page.
///
/// The tags are those of mustache that the dashboard needs: `{{name}}`, `{{#section}}`, `{{^inverted}}`, `{{>partial}}`,
/// `{{<parent}}` with `{{$block}}`, and `{{! comments }}`. One that stands alone on its line takes the line with it.
struct TemplateSource {
    /// What every template starts with, which says how it is escaped.
    static let opening = "{{% CONTENT_TYPE:SAFE}}\n"

    let name: String
    let elements: [TemplateElement]

    /// Reads and checks a template.
    init(name: String, text: String) throws(TemplateError) {
        let opening = Self.opening
        guard text.utf8.starts(with: opening.utf8) else {
            throw .forbidden(name, reason: "its first line must be \(opening)")
        }
        self.name = name
        var reader = TemplateReader(name: name, bytes: Array(text.utf8.dropFirst(opening.utf8.count)), firstLine: 2)
        elements = try reader.read()
    }

    /// The names of the templates that this one includes or inherits from.
    var references: [String] { elements.flatMap(\.references) }
}

/// A piece of a template.
indirect enum TemplateElement {
    case text([UInt8])
    case variable(String)
    case section(String, [TemplateElement])
    case inverted(String, [TemplateElement])
    /// What another template holds.
    case partial(String)
    /// What another template holds, with blocks of this one in it.
    case parent(String, [TemplateElement])
    /// What a template that inherits this one gives, else what it holds itself.
    case block(String, [TemplateElement])

    fileprivate var references: [String] {
        switch self {
        case .text, .variable: []
        case .partial(let name): [name]
        case .parent(let name, let inner): [name] + inner.flatMap(\.references)
        case .section(_, let inner), .inverted(_, let inner), .block(_, let inner): inner.flatMap(\.references)
        }
    }
}
