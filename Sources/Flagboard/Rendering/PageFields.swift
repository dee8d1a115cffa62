import Mustache

/// The properties of a page, read once: whatever a row of a list does not have is looked for in its page too, and
/// reflecting on the page each time takes longer than all the rest.
struct PageFields: MustacheParent {
    private let fields: [String: Any]

    /// Reads a page.
    init(_ page: some PageModel) {
        var fields: [String: Any] = [:]
        for child in Mirror(reflecting: page).children {
            guard let name = child.label else { continue }
            fields[name] = Self.unwrapped(child.value)
        }
        self.fields = fields
    }

    func child(named name: String) -> Any? { fields[name] }

    /// The value of an optional; `nil` where it has none, which is as if there were no such property.
    private static func unwrapped(_ value: Any) -> Any? {
        let mirror = Mirror(reflecting: value)
        return mirror.displayStyle == .optional ? mirror.children.first?.value : value
    }
}
