/// The stored properties of page models, by type, as far as samples show them.
struct PageShapes {
    /// What a property holds, once optionals and arrays are opened.
    enum Content: Hashable {
        case scalar, bool
        case object(String)
        /// No sample fills it.
        case unknown
    }

    struct Property: Hashable {
        var content: Content
        var isList: Bool
        var isOptional: Bool
    }

    private(set) var types: [String: [String: Property]] = [:]

    /// Learns the types in a value.
    ///
    /// - Returns: What the value is.
    @discardableResult
    mutating func learn(_ value: Any) -> Content {
        if value is Bool { return .bool }
        if value is String || value is Int || value is Int64 { return .scalar }
        let type = String(reflecting: Swift.type(of: value))
        for child in Mirror(reflecting: value).children {
            guard let label = child.label else { continue }
            let property = learnProperty(child.value)
            let known = types[type, default: [:]][label]
            if known == nil || known?.content == .unknown { types[type, default: [:]][label] = property }
        }
        return .object(type)
    }

    private mutating func learnProperty(_ value: Any) -> Property {
        let mirror = Mirror(reflecting: value)
        switch mirror.displayStyle {
        case .optional:
            let content = mirror.children.first.map { learn($0.value) } ?? .unknown
            return Property(content: content, isList: false, isOptional: true)
        case .collection:
            let contents = mirror.children.map { learn($0.value) }
            return Property(content: contents.first ?? .unknown, isList: true, isOptional: false)
        default:
            return Property(content: learn(value), isList: false, isOptional: false)
        }
    }
}
