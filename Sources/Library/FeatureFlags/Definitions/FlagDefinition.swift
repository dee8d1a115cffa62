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
    /// The values that editors offer, in the form of the type; others are valid too.
    ///
    /// A `bool` and a `choice` have none: an editor offers all their values.
    public var suggestions: [FlagValue]
    /// The constraints on the value.
    public var constraints: FlagConstraints
    /// `true` if the flag may have no value: its Swift type is an optional.
    public var isOptional: Bool
    /// The part of the flag that only the app's code knows; `nil` for none.
    public var computed: FlagComputation?
    /// The names of the providers that the app doesn't read the flag from.
    public var excludedProviders: [String]
    /// The path of the group that tools show the flag in; `nil` for the group of its key path.
    public var group: FlagKeyPath?
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
    ///   - defaultValue: The value when no provider holds one, in the form of the type.
    ///   - suggestions: The values that editors offer, in the form of the type.
    ///   - constraints: The constraints on the value.
    ///   - metadata: The description and other facts for people and tools.
    ///   - storage: The layout of stored values.
    ///   - isOptional: `true` if the flag may have no value.
    ///   - computed: The part of the flag that only the app's code knows.
    ///   - excludedProviders: The names of the providers not to read.
    ///   - group: The path of the group that tools show the flag in.
    public init(
        key: FlagKeyPath, type: FlagType, defaultValue: FlagValue? = nil, suggestions: [FlagValue] = [],
        constraints: FlagConstraints = FlagConstraints(), metadata: FlagMetadata = FlagMetadata(),
        storage: FlagStorage? = nil, isOptional: Bool = false, computed: FlagComputation? = nil,
        excludedProviders: [String] = [], group: FlagKeyPath? = nil
    ) {
        self.key = key
        self.type = type
        self.defaultValue = defaultValue
        self.suggestions = suggestions
        self.constraints = constraints
        self.metadata = metadata
        self.storage = storage
        self.isOptional = isOptional
        self.computed = computed
        self.excludedProviders = excludedProviders
        self.group = group
    }

    /// The metadata's name, or one made from the key.
    public var displayName: String { metadata.name ?? key.readableName }

    /// The paths of the groups that tools show the flag in, outermost first.
    public var groups: [FlagKeyPath] { group.map { $0.ancestors + [$0] } ?? key.ancestors }

    /// `true` if the flag is shown in another group than that of its key path.
    package var isInOwnGroup: Bool { !groupPath.elementsEqual(key.components.dropLast()) }

    /// The components of the last of ``groups``; empty without one.
    package var groupPath: ArraySlice<String> { group.map { $0.components[...] } ?? key.components.dropLast() }
}

/// The part of a flag that only the app's code knows, since it computes it at each read.
///
/// ```swift
/// let tuesday = FlagDefinition(key: FlagKeyPath(components: ["tuesday"]), type: .bool, computed: .default)
/// print(tuesday.resolve(in: []).effectiveValue ?? "computed by the app")
/// ```
public enum FlagComputation: String, CaseIterable, Hashable, Sendable {
    /// The value, before any provider is asked; without one, the app asks the providers.
    case value
    /// The default.
    case `default`
}

/// The definition of a group of flags.
///
/// Its path identifies a group, and usually starts the key paths of its flags. A whole collection, or a group that adds
/// nothing to key paths, has a path of its own: its flags name it as their ``FlagDefinition/group``.
///
/// ```swift
/// let delivery = FlagCollectionDefinition(
///     key: FlagKeyPath(components: ["delivery"]), description: "What delivery costs", order: 2)
/// print(delivery.displayName)  // "Delivery"
/// ```
public struct FlagCollectionDefinition: Hashable, Sendable {
    /// The path of the group.
    public var key: FlagKeyPath
    /// A readable name; if `nil`, one is made from the key.
    public var name: String?
    /// The purpose of the group.
    public var description: String
    /// The place among the group's neighbours; groups without one come last, in the order of declaration.
    public var order: Int?
    /// The name of an icon, such as an SF Symbol.
    public var icon: String?
    /// `true` if tools show the group as a part of the group around it: a heading that can't be collapsed.
    public var isSection: Bool

    /// Creates a definition of a group.
    ///
    /// - Parameters:
    ///   - key: The path of the group.
    ///   - name: A readable name.
    ///   - description: The purpose of the group.
    ///   - order: The place among the group's neighbours.
    ///   - icon: The name of an icon.
    ///   - isSection: `true` if tools show the group as a part of the group around it.
    public init(
        key: FlagKeyPath, name: String? = nil, description: String = "", order: Int? = nil, icon: String? = nil,
        isSection: Bool = false
    ) {
        self.key = key
        self.name = name
        self.description = description
        self.order = order
        self.icon = icon
        self.isSection = isSection
    }

    /// The group's name, or one made from the key.
    public var displayName: String { name ?? key.readableName }
}

extension FlagDefinition {
    /// Reads a suggestion for an editor as a value of this flag's type.
    package func suggestion(_ stored: FlagValue) throws(FlagValueError) -> FlagValue {
        if let offered = type.rules.offered {
            throw FlagValueError("a \(type.rawValue) can't have suggestions: \(offered) already offered")
        }
        return try interpret(stored)
    }
}
