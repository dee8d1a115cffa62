/// A template bound to its page's type, so that rendering only copies text and reads properties.
struct CompiledTemplate: Sendable {
    fileprivate let nodes: [TemplateNode]
    /// One per set of enclosing types.
    fileprivate let fragments: [[TemplateNode]]
    /// Limit of nested sections, including the page.
    fileprivate let scopeCount: Int

    init(nodes: [TemplateNode], fragments: [[TemplateNode]], scopeCount: Int) {
        self.nodes = nodes
        self.fragments = fragments
        self.scopeCount = scopeCount
    }

    func render(_ page: some PageModel) -> [UInt8] {
        var rendering = Rendering(self, page)
        rendering.add(nodes)
        return rendering.bytes
    }
}

enum TemplateNode: Sendable {
    case text([UInt8])
    case value(ContentPlace)
    /// An address, to be prefixed with the mount path.
    case address(ContentPlace, below: MountPath)
    /// A section per content of a property; flags take no slot.
    case section(ContentPlace, slot: Int?, [TemplateNode])
    /// A section shown once if a property has content.
    case present(ContentPlace, [TemplateNode])
    case inverted(ContentPlace, [TemplateNode])
    case fragment(Int)
}

struct ContentPlace: Sendable {
    let slot: Int
    var fields: [Int] = []
}

private struct Rendering {
    let template: CompiledTemplate
    var bytes: [UInt8] = []
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
        case .list(let list): for place in 0..<list.count { add(nodes, for: list.shown(at: place), slot) }
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
        case .list(let list): list.count == 0
        case .text, .part: false
        }
    }
}

/// Escapes text for HTML elements and quoted attributes.
///
/// It works on bytes: as a Character, a quotation mark with a combining accent would slip through and end an attribute.
enum SafeHTML {
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

    private static let isPlain = (UInt8.min...UInt8.max).map { replacement(for: $0).isEmpty }

    private static func replacement(for byte: UInt8) -> String {
        switch byte {
        case UInt8(ascii: "&"): "&amp;"
        case UInt8(ascii: "<"): "&lt;"
        case UInt8(ascii: ">"): "&gt;"
        case UInt8(ascii: "\""): "&quot;"
        case UInt8(ascii: "'"): "&#39;"
        case UInt8(ascii: "`"): "&#96;"
        // HTML does not allow these control characters.
        case 0x00...0x08, 0x0B, 0x0E...0x1F, 0x7F: "\u{FFFD}"
        default: ""
        }
    }
}
