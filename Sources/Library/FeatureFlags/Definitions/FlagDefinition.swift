/// The definition of a flag: key, type, default, constraints and metadata.
///
/// ```swift
/// let fee = FlagDefinition(
///     key: FlagKeyPath(components: ["delivery", "fee"]), type: .double, defaultValue: 4.9,
///     metadata: "In euros")
/// let value = try fee.parse("3.50")
/// let resolution = fee.resolve(in: [local])
/// print(fee.displayName, value, resolution.effectiveValue ?? "none")
/// ```
public struct FlagDefinition: Hashable, Sendable {
    /// The key path under which providers keep the value.
    public var key: FlagKeyPath
    /// The type of the value.
    public var type: FlagType
    /// The value when no provider holds one; `nil` for none.
    public var defaultValue: FlagValue?
    /// The values that editors offer, in the form of the type; others stay allowed.
    ///
    /// A `bool` and a `choice` have none: an editor offers all their values.
    public var suggestions: [FlagValue]
    /// The constraints on the value.
    public var constraints: FlagConstraints
    /// The description and other facts for people and tools.
    public var metadata: FlagMetadata
    /// The layout of stored values, for a type with several; `nil` keeps that of the current or last value.
    ///
    /// A manifest that names another type's layout is refused.
    public var storage: FlagStorage?

    /// Creates a definition.
    ///
    /// - Parameters:
    ///   - key: The key path under which providers keep the value.
    ///   - type: The type of the value.
    ///   - defaultValue: The value when no provider holds one, in the form of the type; `nil` for none.
    ///   - suggestions: The values that an editor offers, in the form of the type and in order.
    ///   - constraints: The constraints on the value.
    ///   - metadata: The description and other facts for people and tools.
    ///   - storage: The layout of stored values; `nil` keeps that of the current or last value.
    public init(
        key: FlagKeyPath, type: FlagType, defaultValue: FlagValue? = nil, suggestions: [FlagValue] = [],
        constraints: FlagConstraints = FlagConstraints(), metadata: FlagMetadata = FlagMetadata(),
        storage: FlagStorage? = nil
    ) {
        self.key = key
        self.type = type
        self.defaultValue = defaultValue
        self.suggestions = suggestions
        self.constraints = constraints
        self.metadata = metadata
        self.storage = storage
    }

    /// The metadata's name, or one made from the key.
    public var displayName: String { metadata.name ?? key.readableName }
}

/// The definition of a group of flags.
///
/// ```swift
/// let delivery = FlagCollectionDefinition(
///     key: FlagKeyPath(components: ["delivery"]), description: "What delivery costs", order: 2)
/// print(delivery.displayName)  // "Delivery"
/// ```
public struct FlagCollectionDefinition: Hashable, Sendable {
    /// The start of the key paths of the group's flags.
    public var key: FlagKeyPath
    /// A readable name; if `nil`, one is made from the key.
    public var name: String?
    /// The purpose of the group.
    public var description: String
    /// The place among its neighbours; those without one follow, by key.
    public var order: Int?

    /// Creates a definition of a group.
    ///
    /// - Parameters:
    ///   - key: The start of the key paths of the group's flags.
    ///   - name: A readable name; if `nil`, one is made from the key.
    ///   - description: The purpose of the group.
    ///   - order: The place among its neighbours; those without one follow, by key.
    public init(key: FlagKeyPath, name: String? = nil, description: String = "", order: Int? = nil) {
        self.key = key
        self.name = name
        self.description = description
        self.order = order
    }

    /// The group's name, or one made from the key.
    public var displayName: String { name ?? key.readableName }
}

extension FlagDefinition {
    /// Reads a suggestion for an editor as a value of this flag's type.
    package func suggestion(_ stored: FlagValue) throws(FlagValueError) -> FlagValue {
        switch type {
        case .bool: throw FlagValueError("a bool has no suggestions: true and false are offered already")
        case .choice: throw FlagValueError("a choice has no suggestions: its choices are offered already")
        default: return try interpret(stored)
        }
    }
}

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
    /// ``FlagDefinition/suggestions`` of other types don't exclude further values.
    public var choices: [FlagValue]
    /// The least number allowed, for `integer` and `double`.
    public var minimum: FlagLimit?
    /// The greatest number allowed, for `integer` and `double`.
    public var maximum: FlagLimit?
    /// A regular expression that the whole text of a `string` or `url` must match.
    public var pattern: String?

    /// Creates constraints; without arguments, none.
    ///
    /// - Parameters:
    ///   - choices: The only values of a `choice` flag, in the order to offer them.
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
