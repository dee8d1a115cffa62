/// What is known of a flag apart from its values: key, type, default, constraints and metadata.
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
    /// Where providers keep the value.
    public var key: FlagKeyPath
    /// What the value is.
    public var type: FlagType
    /// The value when no provider holds one; `nil` where there is none.
    public var defaultValue: FlagValue?
    /// The values that an editor offers, in the form of the type; others are allowed too.
    ///
    /// A `bool` and a `choice` have none: what they offer is all that they can be.
    public var suggestions: [FlagValue]
    /// What the value must satisfy.
    public var constraints: FlagConstraints
    /// What people are told of it.
    public var metadata: FlagMetadata
    /// The layout in which values are stored, of a type that has several; `nil` keeps the one that a value has or last had.
    ///
    /// Another type's layout is none: a manifest that names one is refused.
    public var storage: FlagStorage?

    /// Makes a definition.
    ///
    /// - Parameters:
    ///   - key: Where providers keep the value.
    ///   - type: What the value is.
    ///   - defaultValue: The value when no provider holds one, in the form of the type; `nil` where there is none.
    ///   - suggestions: The values that an editor offers, in the form of the type, in the order to offer them.
    ///   - constraints: What the value must satisfy.
    ///   - metadata: What people are told of it.
    ///   - storage: The layout in which values are stored; `nil` keeps the one that a value has or last had.
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

    /// The name to show: the metadata's, else one made from the key.
    public var displayName: String { metadata.name ?? key.readableName }
}

/// What people are told of a group of flags.
///
/// ```swift
/// let delivery = FlagCollectionDefinition(
///     key: FlagKeyPath(components: ["delivery"]), description: "What delivery costs", order: 2)
/// print(delivery.displayName)  // "Delivery"
/// ```
public struct FlagCollectionDefinition: Hashable, Sendable {
    /// The path that all the group's flags begin with.
    public var key: FlagKeyPath
    /// A readable name; where `nil`, one is made from the key.
    public var name: String?
    /// What the group is about.
    public var description: String
    /// The place among its neighbours; those without one follow, by key.
    public var order: Int?

    /// Makes a definition of a group.
    ///
    /// - Parameters:
    ///   - key: The path that all the group's flags begin with.
    ///   - name: A readable name; where `nil`, one is made from the key.
    ///   - description: What the group is about.
    ///   - order: The place among its neighbours; those without one follow, by key.
    public init(key: FlagKeyPath, name: String? = nil, description: String = "", order: Int? = nil) {
        self.key = key
        self.name = name
        self.description = description
        self.order = order
    }

    /// The name to show: its own, else one made from the key.
    public var displayName: String { name ?? key.readableName }
}

extension FlagDefinition {
    /// Reads a value that an editor is to offer as one of this flag's type.
    package func suggestion(_ stored: FlagValue) throws(FlagValueError) -> FlagValue {
        switch type {
        case .bool: throw FlagValueError("a bool has no suggestions: true and false are offered already")
        case .choice: throw FlagValueError("a choice has no suggestions: its choices are offered already")
        default: return try interpret(stored)
        }
    }
}

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
