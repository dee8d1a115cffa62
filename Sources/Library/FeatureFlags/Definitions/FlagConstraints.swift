/// What a flag's value must satisfy beyond its type.
///
/// ```swift
/// let constraints = FlagConstraints(minimum: 0, maximum: 10)
/// let retries = FlagDefinition(key: FlagKeyPath(components: ["retries"]), type: .integer, constraints: constraints)
/// try retries.check(.integer(11))  // throws: it is more than 10
/// ```
public struct FlagConstraints: Hashable, Sendable {
    /// The values that a `choice` flag may take, in the order to offer them, and no others.
    ///
    /// A flag of another type has ``FlagDefinition/suggestions``, which are offered while others are allowed too.
    public var choices: [FlagValue]
    /// The least number allowed, for `integer` and `double`.
    public var minimum: FlagLimit?
    /// The greatest number allowed, for `integer` and `double`.
    public var maximum: FlagLimit?
    /// A regular expression that the whole text of a `string` or `url` must match.
    public var pattern: String?

    /// Makes constraints; without arguments, none.
    ///
    /// - Parameters:
    ///   - choices: The values that a `choice` flag may take, in the order to offer them.
    ///   - minimum: The least number allowed, for `integer` and `double`.
    ///   - maximum: The greatest number allowed, for `integer` and `double`.
    ///   - pattern: A regular expression that the whole text of a `string` or `url` must match.
    public init(choices: [FlagValue] = [], minimum: FlagLimit? = nil, maximum: FlagLimit? = nil, pattern: String? = nil)
    {
        self.choices = choices
        self.minimum = minimum
        self.maximum = maximum
        self.pattern = pattern
    }
}
