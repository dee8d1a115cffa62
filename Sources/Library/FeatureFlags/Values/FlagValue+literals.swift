/// Values written as Swift literals: `["retries": 3, "colours": ["red", "blue"]]` is a dictionary of values.
extension FlagValue: ExpressibleByBooleanLiteral {
    /// A boolean.
    ///
    /// - Parameter value: The literal.
    public init(booleanLiteral value: Bool) { self = .bool(value) }
}

extension FlagValue: ExpressibleByIntegerLiteral {
    /// An integer; a number of a fraction or an exponent is a real.
    ///
    /// - Parameter value: The literal.
    public init(integerLiteral value: Int128) { self = .integer(value) }
}

extension FlagValue: ExpressibleByFloatLiteral {
    /// A real.
    ///
    /// - Parameter value: The literal.
    public init(floatLiteral value: Double) { self = .double(value) }
}

extension FlagValue: ExpressibleByStringInterpolation {
    /// A string.
    ///
    /// - Parameter value: The literal.
    public init(stringLiteral value: String) { self = .string(value) }
}

extension FlagValue: ExpressibleByArrayLiteral {
    /// An array.
    ///
    /// - Parameter elements: Its values.
    public init(arrayLiteral elements: FlagValue...) { self = .array(elements) }
}

extension FlagValue: ExpressibleByDictionaryLiteral {
    /// A dictionary.
    ///
    /// - Parameter elements: Its keys and values; the last one of a key holds.
    public init(dictionaryLiteral elements: (String, FlagValue)...) {
        self = .dictionary(Dictionary(elements) { $1 })
    }
}
