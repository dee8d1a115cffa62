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
