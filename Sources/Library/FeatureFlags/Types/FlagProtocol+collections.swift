/// A type with a value for "none", which is never stored: setting it removes the stored value.
protocol OptionalFlagValue {
    var isNone: Bool { get }

    static var wrappedType: Any.Type { get }
}

extension Optional: OptionalFlagValue {
    var isNone: Bool { self == nil }

    static var wrappedType: Any.Type { Wrapped.self }
}

extension Optional: FlagProtocol where Wrapped: FlagProtocol {
    /// Reads the wrapped type; `nil` is never stored.
    public init?(encoded value: FlagValue) {
        guard let wrapped = Wrapped(encoded: value) else { return nil }
        self = .some(wrapped)
    }

    /// The stored form of the wrapped value.
    public func encoded() throws(FlagValueError) -> FlagValue {
        guard let self else { throw FlagValueError("nil can't be stored; remove the value instead") }
        return try self.encoded()
    }

    /// The wrapped type's value.
    public static var flagType: FlagType? { Wrapped.flagType }

    /// The wrapped type's value.
    public static var flagStorage: FlagStorage? { Wrapped.flagStorage }

    /// The wrapped type's value.
    public static var flagConstraints: FlagConstraints { Wrapped.flagConstraints }

    /// The wrapped type's value.
    public static var flagExpectation: String { Wrapped.flagExpectation }
}

/// An array or a dictionary of elements with a schema.
protocol FlagContainer {
    static var elementType: any FlagProtocol.Type { get }
}

extension Array: FlagContainer where Element: FlagProtocol {
    static var elementType: any FlagProtocol.Type { Element.self }
}

extension Dictionary: FlagContainer where Key == String, Value: FlagProtocol {
    static var elementType: any FlagProtocol.Type { Value.self }
}

extension Array: FlagProtocol where Element: FlagProtocol {
    /// Reads an array of the element's type.
    public init?(encoded value: FlagValue) {
        guard case .array(let values) = value else { return nil }
        var elements: [Element] = []
        for value in values {
            guard let element = Element(encoded: value) else { return nil }
            elements.append(element)
        }
        self = elements
    }

    /// An array of the elements' stored forms.
    public func encoded() throws(FlagValueError) -> FlagValue {
        var values: [FlagValue] = []
        for element in self { values.append(try element.encoded()) }
        return .array(values)
    }

    /// An array.
    public static var flagType: FlagType? { .array }

    /// The schema of the elements.
    public static var flagConstraints: FlagConstraints { FlagConstraints(items: FlagSchema(ofPart: Element.self)) }
}

extension Dictionary: FlagProtocol where Key == String, Value: FlagProtocol {
    /// Reads a dictionary of the value's type.
    public init?(encoded value: FlagValue) {
        guard case .dictionary(let values) = value else { return nil }
        var entries: [String: Value] = [:]
        for (key, value) in values {
            guard let entry = Value(encoded: value) else { return nil }
            entries[key] = entry
        }
        self = entries
    }

    /// A dictionary of the values' stored forms.
    public func encoded() throws(FlagValueError) -> FlagValue {
        var values: [String: FlagValue] = [:]
        for (key, entry) in self { values[key] = try entry.encoded() }
        return .dictionary(values)
    }

    /// A dictionary.
    public static var flagType: FlagType? { .dictionary }

    /// The schema of the values.
    public static var flagConstraints: FlagConstraints { FlagConstraints(items: FlagSchema(ofPart: Value.self)) }
}
