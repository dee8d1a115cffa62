/// Binds templates to their pages' types, so that an unknown name stops the launch.
///
/// A name refers to the innermost part that has it; with a leading point, to the innermost part only. A section whose
/// name ends in a question mark shows once if the property has content, and enters nothing.
struct TemplateCompiler {
    private let sources: [String: [TemplateElement]]
    private let mount: MountPath
    private var fragments: [[TemplateNode]] = []
    private var known: [Fragment: Int] = [:]
    private var scopeCount = 1

    init(_ sources: [TemplateSource], below mount: MountPath = .root) {
        self.mount = mount
        self.sources = Dictionary(sources.map { ($0.name, $0.elements) }, uniquingKeysWith: { first, _ in first })
    }

    /// `slot` is its index while rendering.
    private struct Scope {
        let part: (any PagePart.Type)?
        let slot: Int
    }

    /// An included template; the same enclosing parts give the same result.
    private struct Fragment: Hashable {
        let name: String
        let parts: [ObjectIdentifier?]
        let slots: [Int]

        init(_ name: String, _ scopes: [Scope]) {
            self.name = name
            parts = scopes.map { scope in scope.part.map { ObjectIdentifier($0) } }
            slots = scopes.map(\.slot)
        }
    }

    private struct Surroundings {
        let template: String
        var scopes: [Scope]
        var blocks: [String: [TemplateElement]] = [:]
    }

    mutating func compile(_ page: any PageModel.Type) throws(TemplateError) -> CompiledTemplate {
        guard let elements = sources[page.template] else { throw .noSuchPage(page.template) }
        (fragments, known, scopeCount) = ([], [:], 1)
        let nodes = try nodes(
            of: elements, Surroundings(template: page.template, scopes: [Scope(part: page, slot: 0)]))
        return CompiledTemplate(nodes: nodes, fragments: fragments, scopeCount: scopeCount, below: mount)
    }

    private mutating func nodes(
        of elements: [TemplateElement], _ around: Surroundings
    ) throws(TemplateError) -> [TemplateNode] {
        var nodes: [TemplateNode] = []
        var before: [UInt8] = []
        for element in elements {
            var bound = try self.nodes(of: element, around)
            if mount != .root, MountPath.isBeforeAddress(before), case .value(let place)? = bound.first {
                bound = [.address(place)]
            }
            if case .text(let text)? = nodes.last, case .text(let more)? = bound.first {
                nodes[nodes.count - 1] = .text(text + more)
                bound.removeFirst()
            }
            nodes += bound
            before = if case .text(let text) = element { text } else { [] }
        }
        return nodes
    }

    private mutating func nodes(
        of element: TemplateElement, _ around: Surroundings
    ) throws(TemplateError) -> [TemplateNode] {
        switch element {
        case .text(let bytes): return [.text(bytes)]
        case .variable(let name):
            let (place, kind) = try find(name, around)
            guard case .text = kind else {
                throw .unfit("{{\(name)}}", in: around.template, reason: "isn’t text that is always present")
            }
            return [.value(place)]
        case .section(let name, let inner):
            guard name.hasSuffix("?") else { return [try section(name, inner, around)] }
            let (place, kind) = try find(String(name.dropLast()), around)
            guard kind.canBeEmpty else {
                throw .unfit("{{#\(name)}}", in: around.template, reason: "always shows")
            }
            return [.present(place, try nodes(of: inner, around))]
        case .inverted(let name, let inner):
            let (place, kind) = try find(name, around)
            guard kind.canBeEmpty else {
                throw .unfit("{{^\(name)}}", in: around.template, reason: "never shows")
            }
            return [.inverted(place, try nodes(of: inner, around))]
        case .partial(let name): return [.fragment(try fragment(name, around))]
        case .parent(let name, let inner):
            var blocks = around.blocks
            for case .block(let name, let content) in inner where blocks[name] == nil { blocks[name] = content }
            return try nodes(
                of: source(name, in: around.template),
                Surroundings(template: around.template, scopes: around.scopes, blocks: blocks))
        case .block(let name, let content): return try nodes(of: around.blocks[name] ?? content, around)
        }
    }

    private mutating func section(
        _ name: String, _ inner: [TemplateElement], _ around: Surroundings
    ) throws(TemplateError) -> TemplateNode {
        let (place, kind) = try find(name, around)
        guard let part = kind.content else { return .section(place, slot: nil, try nodes(of: inner, around)) }
        if case .text = kind {
            throw .unfit("{{#\(name)}}", in: around.template, reason: "always shows")
        }
        var around = around
        let slot = enter(part, &around.scopes)
        return .section(place, slot: slot, try nodes(of: inner, around))
    }

    /// An outer section of the same type becomes unreachable and gives up its slot, so that templates that include
    /// themselves terminate.
    private mutating func enter(_ content: PageContentKind, _ scopes: inout [Scope]) -> Int {
        let part: (any PagePart.Type)? = if case .part(let part) = content { part } else { nil }
        let hidden = scopes.firstIndex { $0.part.map { ObjectIdentifier($0) } == part.map { ObjectIdentifier($0) } }
        let slot = hidden.map { scopes.remove(at: $0).slot } ?? scopes.count
        scopes.append(Scope(part: part, slot: slot))
        scopeCount = max(scopeCount, scopes.count)
        return slot
    }

    private mutating func fragment(_ name: String, _ around: Surroundings) throws(TemplateError) -> Int {
        let fragment = Fragment(name, around.scopes)
        if let place = known[fragment] { return place }
        let place = fragments.count
        known[fragment] = place
        fragments.append([])
        fragments[place] = try nodes(
            of: source(name, in: around.template), Surroundings(template: name, scopes: around.scopes))
        return place
    }

    private func source(_ name: String, in template: String) throws(TemplateError) -> [TemplateElement] {
        guard let elements = sources[name] else { throw .missing(name, in: template) }
        return elements
    }

    private func find(
        _ name: String, _ around: Surroundings
    ) throws(TemplateError) -> (place: ContentPlace, kind: PageContentKind) {
        let scopes = around.scopes
        if name == ".", let scope = scopes.last, scope.part == nil { return (ContentPlace(slot: scope.slot), .text) }
        let names = name.split(separator: ".").map(String.init)
        let visible = name.hasPrefix(".") ? scopes.suffix(1) : scopes[...]
        let owners = names.first.map { first in visible.reversed().filter { $0.part?.place(of: first) != nil } } ?? []
        guard let owner = owners.first, let part = owner.part else {
            throw .unfit("{{\(name)}}", in: around.template, reason: "isn’t a property of \(Self.list(scopes))")
        }
        var place = ContentPlace(slot: owner.slot)
        var kind = PageContentKind.part(part)
        for part in names {
            guard case .part(let owner) = kind.content, let field = owner.place(of: part) else {
                throw .unfit("{{\(name)}}", in: around.template, reason: "isn’t a property: \(part) doesn’t exist")
            }
            place.fields.append(field)
            kind = owner.kind(at: field)
            if place.fields.count == 1, owners.count > 1, case .optional = kind {
                throw .unfit(
                    "{{\(name)}}", in: around.template,
                    reason: "can be absent, and mustache would show the outer section’s property: write .\(name)")
            }
        }
        return (place, kind)
    }

    private static func list(_ scopes: [Scope]) -> String {
        scopes.map { scope in scope.part.map { "\($0)" } ?? "a text" }.joined(separator: ", ")
    }
}

extension PageContentKind {
    /// The innermost content type; `nil` for a flag.
    fileprivate var content: PageContentKind? {
        switch self {
        case .text, .part: self
        case .flag: nil
        case .optional(let content), .list(let content): content.content
        }
    }

    fileprivate var canBeEmpty: Bool {
        switch self {
        case .flag, .optional, .list: true
        case .text, .part: false
        }
    }
}
