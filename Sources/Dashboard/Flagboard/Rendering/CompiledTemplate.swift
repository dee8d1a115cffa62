/// A template bound to its page's type, so that rendering only copies text and reads properties.
///
/// The tree of nodes is laid out flat, as numbers: rendering nodes that hold arrays would retain and release them.
struct CompiledTemplate: Sendable {
    private let mount: MountPath
    /// Limit of nested sections, including the page.
    private let scopeCount: Int
    private var steps: [Step] = []
    private var texts: [UInt8] = []
    private var fields: [Int] = []
    private var fragments: [Range<Int>] = []
    private var page = 0..<0

    private enum Step {
        case text(Range<Int>)
        case value(Place)
        case address(Place)
        /// The steps up to `end` are the section's own.
        case section(Place, slot: Int?, end: Int)
        case present(Place, end: Int)
        case inverted(Place, end: Int)
        case fragment(Int)
    }

    private struct Place {
        let slot: Int
        /// Of the template's ``fields``.
        let fields: Range<Int>
    }

    /// - Parameters:
    ///   - fragments: One per set of enclosing types.
    ///   - mount: Prefixed to addresses.
    init(nodes: [TemplateNode], fragments: [[TemplateNode]], scopeCount: Int, below mount: MountPath) {
        self.mount = mount
        self.scopeCount = scopeCount
        for fragment in fragments { self.fragments.append(add(fragment)) }
        page = add(nodes)
    }

    private mutating func add(_ nodes: [TemplateNode]) -> Range<Int> {
        let start = steps.count
        for node in nodes {
            switch node {
            case .text(let text):
                steps.append(.text(texts.count..<texts.count + text.count))
                texts += text
            case .value(let place): steps.append(.value(add(place)))
            case .address(let place): steps.append(.address(add(place)))
            case .section(let place, let slot, let inner):
                add(inner) { [place = add(place)] in .section(place, slot: slot, end: $0) }
            case .present(let place, let inner): add(inner) { [place = add(place)] in .present(place, end: $0) }
            case .inverted(let place, let inner): add(inner) { [place = add(place)] in .inverted(place, end: $0) }
            case .fragment(let place): steps.append(.fragment(place))
            }
        }
        return start..<steps.count
    }

    private mutating func add(_ inner: [TemplateNode], _ step: (_ end: Int) -> Step) {
        let place = steps.count
        steps.append(step(place))
        steps[place] = step(add(inner).upperBound)
    }

    private mutating func add(_ place: ContentPlace) -> Place {
        fields += place.fields
        return Place(slot: place.slot, fields: fields.count - place.fields.count..<fields.count)
    }

    func render(_ page: some PageModel) -> [UInt8] {
        var rendering = Rendering(self, page)
        rendering.add(self.page)
        return rendering.bytes
    }

    private struct Rendering {
        let template: CompiledTemplate
        var bytes: [UInt8] = []
        /// By slot: the part that a section has entered.
        private var parts: [any PagePart]
        /// By slot: the text that a section has entered.
        private var texts: [String]

        init(_ template: CompiledTemplate, _ page: some PageModel) {
            self.template = template
            parts = Array(repeating: page, count: template.scopeCount)
            texts = Array(repeating: "", count: template.scopeCount)
        }

        mutating func add(_ steps: Range<Int>) {
            var next = steps.lowerBound
            while next < steps.upperBound {
                let step = template.steps[next]
                next += 1
                switch step {
                case .text(let text): bytes.append(contentsOf: template.texts[text])
                case .value(let place):
                    if case .text(let text) = content(at: place) { SafeHTML.append(text, to: &bytes) }
                case .address(let place):
                    if case .text(let text) = content(at: place) {
                        SafeHTML.append(template.mount.address(of: text), to: &bytes)
                    }
                case .section(let place, let slot, let end):
                    add(next..<end, for: content(at: place), slot)
                    next = end
                case .present(let place, let end):
                    if !content(at: place).isEmpty { add(next..<end) }
                    next = end
                case .inverted(let place, let end):
                    if content(at: place).isEmpty { add(next..<end) }
                    next = end
                case .fragment(let place): add(template.fragments[place])
                }
            }
        }

        private mutating func add(_ steps: Range<Int>, for content: ShownContent, _ slot: Int?) {
            switch content {
            case .absent: break
            case .flag(let isSet): if isSet { add(steps) }
            case .list(let list): for place in 0..<list.count { add(steps, for: list.shown(at: place), slot) }
            case .text(let text):
                guard let slot else { return }
                let outer = texts[slot]
                texts[slot] = text
                add(steps)
                texts[slot] = outer
            case .part(let part):
                guard let slot else { return }
                let outer = parts[slot]
                parts[slot] = part
                add(steps)
                parts[slot] = outer
            }
        }

        private func content(at place: Place) -> ShownContent {
            guard !place.fields.isEmpty else { return .text(texts[place.slot]) }
            var content = parts[place.slot].content(at: template.fields[place.fields.lowerBound])
            for field in place.fields.dropFirst() {
                guard case .part(let part) = content else { return .absent }
                content = part.content(at: template.fields[field])
            }
            return content
        }
    }
}

/// A template's tree.
enum TemplateNode: Sendable {
    case text([UInt8])
    case value(ContentPlace)
    /// An address, to be prefixed with the mount path.
    case address(ContentPlace)
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
