import Mustache

/// The properties of a page and of what it holds, read once: whatever a row of a list does not have is looked for in its
/// page too, and reflecting on the page each time takes longer than all the rest.
///
/// What a page has many of tells its properties itself, as a ``PageRow``.
struct PageFields: MustacheParent {
    private let fields: [String: Any]

    /// Reads a page, or what one holds.
    init(_ object: Any) {
        self.init(Mirror(reflecting: object))
    }

    private init(_ mirror: Mirror) {
        var fields: [String: Any] = [:]
        for child in mirror.children {
            guard let name = child.label else { continue }
            fields[name] = Self.shown(child.value)
        }
        self.fields = fields
    }

    func child(named name: String) -> Any? { fields[name] }

    /// What a template is shown for a value; `nil` for an optional without one, which is as if there were no such property.
    private static func shown(_ value: Any) -> Any? {
        if value is String || value is Bool || value is any PageRow || value is [any PageRow] { return value }
        let mirror = Mirror(reflecting: value)
        return switch mirror.displayStyle {
        case .optional: mirror.children.first.flatMap { shown($0.value) }
        case .collection: mirror.children.compactMap { shown($0.value) }
        case .struct where !mirror.children.isEmpty: PageFields(mirror)
        default: value
        }
    }
}
