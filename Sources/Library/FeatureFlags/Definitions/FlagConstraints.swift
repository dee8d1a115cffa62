/// The constraints on a flag's value beyond its type.
///
/// ```swift
/// let constraints = FlagConstraints(minimum: 0, maximum: 10)
/// let retries = FlagDefinition(key: FlagKeyPath(components: ["retries"]), type: .integer, constraints: constraints)
/// try retries.check(.integer(11))  // throws: it is more than 10
/// ```
public struct FlagConstraints: Hashable, Sendable {
    /// The only values of a `choice` flag, in the order to offer them.
    ///
    /// ``FlagDefinition/suggestions`` of other types don't exclude other values.
    public var choices: [FlagValue]
    /// The least number allowed, for `integer` and `double`.
    public var minimum: FlagLimit?
    /// The greatest number allowed, for `integer` and `double`.
    public var maximum: FlagLimit?
    /// A regular expression that the whole text of a `string` or `url` must match.
    public var pattern: String?
    /// The type of number in which the app holds an `integer` or a `double`; `nil` for any.
    public var format: FlagFormat?
    /// The members of a `json` object by name; empty for any object.
    ///
    /// Other members are allowed, since a decoder ignores them.
    public var properties: [String: FlagSchema]
    /// An array, since a schema can't hold itself.
    private var itemsIfAny: [FlagSchema]

    /// The schema of each element of an `array` and each value of a `dictionary`; `nil` for any.
    ///
    /// For a `json` flag, that of each top-level element or member.
    public var items: FlagSchema? {
        get { itemsIfAny.first }
        set { itemsIfAny = newValue.map { [$0] } ?? [] }
    }

    /// Creates constraints; without arguments, none.
    ///
    /// - Parameters:
    ///   - choices: The only values of a `choice` flag, in order.
    ///   - minimum: The least number allowed.
    ///   - maximum: The greatest number allowed.
    ///   - pattern: A regular expression for the whole text.
    ///   - format: The type of number in which the app holds the value.
    ///   - items: The schema of each element or value.
    ///   - properties: The members of a `json` object by name.
    public init(
        choices: [FlagValue] = [], minimum: FlagLimit? = nil, maximum: FlagLimit? = nil, pattern: String? = nil,
        format: FlagFormat? = nil, items: FlagSchema? = nil, properties: [String: FlagSchema] = [:]
    ) {
        self.choices = choices
        self.minimum = minimum
        self.maximum = maximum
        self.pattern = pattern
        self.format = format
        self.properties = properties
        itemsIfAny = items.map { [$0] } ?? []
    }
}

extension FlagConstraints {
    /// The least number allowed: ``minimum``, or that of the ``format``.
    package var least: FlagLimit? { [minimum, format?.range?.lowerBound].compactMap(\.self).max() }

    /// The greatest number allowed: ``maximum``, or that of the ``format``.
    package var greatest: FlagLimit? { [maximum, format?.range?.upperBound].compactMap(\.self).min() }

    /// `true` if there are constraints on the parts of a value.
    package var limitsParts: Bool { !itemsIfAny.isEmpty || !properties.isEmpty }
}
