import FeatureFlags

extension JSONValue {
    /// A member of an object; `nil` where it has none, or this is none.
    subscript(name: String) -> JSONValue? {
        if case .object(let members) = self { members[name] } else { nil }
    }

    /// The text, where this is text.
    var text: String? {
        if case .scalar(.string(let text)) = self { text } else { nil }
    }

    /// The number, where this is an integer.
    var integer: Int? {
        if case .scalar(.integer(let number)) = self { Int(exactly: number) } else { nil }
    }

    /// Whether this is `true`.
    var isTrue: Bool { self == .scalar(.bool(true)) }

    /// The items, where this is an array.
    var items: [JSONValue]? {
        if case .array(let items) = self { items } else { nil }
    }
}
