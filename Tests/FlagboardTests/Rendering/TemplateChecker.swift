/// Compares the keys of templates with the stored properties of their page models.
struct TemplateChecker {
    let templates: [String: [TemplateTag]]
    let shapes: PageShapes
    private(set) var faults: [String] = []
    /// The properties that some template shows, as `Type.property`.
    private(set) var used: Set<String> = []
    private var visited: Set<String> = []

    init(templates: [String: [TemplateTag]], shapes: PageShapes) {
        self.templates = templates
        self.shapes = shapes
    }

    /// Checks a template, and whatever it includes, for a page model.
    mutating func check(_ template: String, _ scopes: [PageShapes.Content]) {
        guard visited.insert("\(template) \(scopes.suffix(2))").inserted else { return }
        check(templates[template] ?? [], scopes, template)
    }

    private mutating func check(_ tags: [TemplateTag], _ scopes: [PageShapes.Content], _ place: String) {
        for tag in tags {
            switch tag {
            case .partial(let name): check(name, scopes)
            case .block(let inner): check(inner, scopes, place)
            case .layout(let name, let inner):
                check(name, scopes)
                check(inner, scopes, place)
            case .variable("."):
                if scopes.last != .scalar { faults.append("\(place): {{.}} is no text here") }
            case .variable(let name):
                guard let property = find(name, scopes, place) else { continue }
                if property.content != .scalar || property.isOptional || property.isList {
                    faults.append("\(place): {{\(name)}} is no text that is always there")
                }
            case .inverted(let name, let inner):
                if let property = find(name, scopes, place), !canBeAbsent(property) {
                    faults.append("\(place): {{^\(name)}} never shows")
                }
                check(inner, scopes, place)
            case .section(let name, let inner): checkSection(name, inner, scopes, place)
            }
        }
    }

    private mutating func checkSection(
        _ name: String, _ inner: [TemplateTag], _ scopes: [PageShapes.Content], _ place: String
    ) {
        let isQuestion = name.hasSuffix("?")
        guard let property = find(isQuestion ? String(name.dropLast()) : name, scopes, place) else { return }
        if isQuestion {
            if !canBeAbsent(property) { faults.append("\(place): {{#\(name)}} always shows") }
            return check(inner, scopes, place)
        }
        switch property.content {
        case .unknown: faults.append("\(place): no sample fills \(name)")
        case .bool: check(inner, scopes, place)
        case .scalar where !canBeAbsent(property): faults.append("\(place): {{#\(name)}} always shows")
        case .scalar, .object: check(inner, scopes + [property.content], place)
        }
    }

    private func canBeAbsent(_ property: PageShapes.Property) -> Bool {
        property.isOptional || property.isList || property.content == .bool
    }

    /// Finds a key as mustache does: in the innermost scope that has it, or there alone where it begins with `.`.
    private mutating func find(
        _ name: String, _ scopes: [PageShapes.Content], _ place: String
    ) -> PageShapes.Property? {
        let parts = name.split(separator: ".").map(String.init)
        let visible = name.hasPrefix(".") ? scopes.suffix(1) : scopes[...]
        let owners = visible.reversed().filter { property(parts[0], of: $0) != nil }
        guard let owner = owners.first, var found = property(parts[0], of: owner) else {
            faults.append("\(place): \(name) is no stored property of \(scopes)")
            return nil
        }
        if found.isOptional, owners.count > 1 {
            faults.append("\(place): where \(name) is nil, that of an outer scope shows; write .\(name)")
        }
        note(parts[0], of: owner)
        for part in parts.dropFirst() {
            let owner = found.content
            guard let next = property(part, of: owner) else {
                faults.append("\(place): \(name) is no stored property")
                return nil
            }
            note(part, of: owner)
            found = next
        }
        return found
    }

    private func property(_ name: String, of scope: PageShapes.Content) -> PageShapes.Property? {
        guard case .object(let type) = scope else { return nil }
        return shapes.types[type]?[name]
    }

    private mutating func note(_ name: String, of scope: PageShapes.Content) {
        guard case .object(let type) = scope else { return }
        used.insert("\(type).\(name)")
    }
}
