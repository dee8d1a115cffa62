/// A page's template, bound to the page's type: what is left to do for a page is to copy texts and to read properties.
struct CompiledTemplate: Sendable {
    fileprivate let nodes: [TemplateNode]
    /// The templates that it includes, each for the places of one sort.
    fileprivate let fragments: [[TemplateNode]]
    /// How many sections are open at once at most, and the page itself.
    fileprivate let scopeCount: Int

    init(nodes: [TemplateNode], fragments: [[TemplateNode]], scopeCount: Int) {
        self.nodes = nodes
        self.fragments = fragments
        self.scopeCount = scopeCount
    }

    /// Renders a page.
    func render(_ page: some PageModel) -> [UInt8] {
        var rendering = Rendering(self, page)
        rendering.add(nodes)
        return rendering.bytes
    }
}

/// A piece of a template that is bound to types.
indirect enum TemplateNode: Sendable {
    case text([UInt8])
    case value(ContentPlace)
    /// A value that is an address, behind the path below which the dashboard is served.
    case address(ContentPlace, below: MountPath)
    /// What is shown for each content of a property, which takes a slot unless it is a flag.
    case section(ContentPlace, slot: Int?, [TemplateNode])
    /// What is shown once where a property holds anything.
    case present(ContentPlace, [TemplateNode])
    case inverted(ContentPlace, [TemplateNode])
    case fragment(Int)
}

/// Where a content is found: from which open section, and by which properties.
struct ContentPlace: Sendable {
    let slot: Int
    var fields: [Int] = []
}

private struct Rendering {
    let template: CompiledTemplate
    var bytes: [UInt8] = []
    /// What each open section is about.
    private var scopes: [ShownContent]

    init(_ template: CompiledTemplate, _ page: some PageModel) {
        self.template = template
        scopes = Array(repeating: .absent, count: template.scopeCount)
        scopes[0] = .part(page)
    }

    mutating func add(_ nodes: [TemplateNode]) {
        for node in nodes {
            switch node {
            case .text(let text): bytes.append(contentsOf: text)
            case .value(let place):
                if case .text(let text) = content(at: place) { SafeHTML.append(text, to: &bytes) }
            case .address(let place, let mount):
                if case .text(let text) = content(at: place) { SafeHTML.append(mount.address(of: text), to: &bytes) }
            case .section(let place, let slot, let inner): add(inner, for: content(at: place), slot)
            case .present(let place, let inner): if !content(at: place).isEmpty { add(inner) }
            case .inverted(let place, let inner): if content(at: place).isEmpty { add(inner) }
            case .fragment(let place): add(template.fragments[place])
            }
        }
    }

    private mutating func add(_ nodes: [TemplateNode], for content: ShownContent, _ slot: Int?) {
        switch content {
        case .absent: break
        case .flag(let isSet): if isSet { add(nodes) }
        case .list(let contents): for content in contents { add(nodes, for: content, slot) }
        case .text, .part:
            guard let slot else { return }
            let outer = scopes[slot]
            scopes[slot] = content
            add(nodes)
            scopes[slot] = outer
        }
    }

    private func content(at place: ContentPlace) -> ShownContent {
        guard let first = place.fields.first else { return scopes[place.slot] }
        guard case .part(let part) = scopes[place.slot] else { return .absent }
        var content = part.content(at: first)
        for field in place.fields.dropFirst() {
            guard case .part(let part) = content else { return .absent }
            content = part.content(at: field)
        }
        return content
    }
}

extension ShownContent {
    fileprivate var isEmpty: Bool {
        switch self {
        case .absent: true
        case .flag(let isSet): !isSet
        case .list(let contents): contents.isEmpty
        case .text, .part: false
        }
    }
}

/// Escapes text for HTML, in elements and in quoted attributes, byte by byte: compared by whole characters, a quotation mark
/// with a combining accent after it would slip through and end an attribute.
enum SafeHTML {
    /// Appends a text to a page, escaped.
    static func append(_ text: String, to page: inout [UInt8]) {
        var text = text
        let isPlain = isPlain
        text.withUTF8 { bytes in
            var written = 0
            for place in bytes.indices where !isPlain[Int(bytes[place])] {
                page.append(contentsOf: bytes[written..<place])
                page.append(contentsOf: replacement(for: bytes[place]).utf8)
                written = place + 1
            }
            page.append(contentsOf: bytes[written...])
        }
    }

    /// Which bytes stand for themselves.
    private static let isPlain = (UInt8.min...UInt8.max).map { replacement(for: $0).isEmpty }

    /// What is written for a byte; empty for the byte itself.
    private static func replacement(for byte: UInt8) -> String {
        switch byte {
        case UInt8(ascii: "&"): "&amp;"
        case UInt8(ascii: "<"): "&lt;"
        case UInt8(ascii: ">"): "&gt;"
        case UInt8(ascii: "\""): "&quot;"
        case UInt8(ascii: "'"): "&#39;"
        case UInt8(ascii: "`"): "&#96;"
        // HTML has no place for these; a page that holds one is not valid.
        case 0x00...0x08, 0x0B, 0x0E...0x1F, 0x7F: "\u{FFFD}"
        default: ""
        }
    }
}
