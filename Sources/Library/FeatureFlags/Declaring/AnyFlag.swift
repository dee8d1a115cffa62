/// A declared flag, whatever the type of its value.
///
/// ```swift
/// for flag in manager.featureFlags where flag.isUILocked {
///     print(flag.keyPath, flag.readableDataType, flag.explain().state.label)
/// }
/// ```
public protocol AnyFlag: Sendable {
    /// Where providers keep the value.
    var keyPath: FlagKeyPath { get }

    /// The readable name: the metadata's, else one made from the property's (`newURLFormat` reads `New URL Format`).
    var name: String { get }

    /// What the flag is for.
    var description: String { get }

    /// What people are told of the flag, and what the groups around it say of all their flags.
    var metadata: FlagMetadata { get }

    /// Key path, type, default, suggestions, constraints and metadata, as a manifest holds them.
    var definition: FlagDefinition { get }

    /// The readable names of the groups around the flag, outermost first, also of those that the key path skips.
    var groups: [String] { get }

    /// Whether no tool may change the flag.
    var isUILocked: Bool { get }

    /// The Swift type of the value; of an optional, the type that it wraps.
    var dataType: Any.Type { get }

    /// The name of ``dataType``.
    var readableDataType: String { get }

    /// The types of providers that the flag is not read from.
    var excludedProviders: [any FlagsProviderConvertible.Type]? { get }

    /// The providers that the flag is read from, in order of precedence.
    var providers: [any FlagsProvider] { get }

    /// Whether a tool may change the flag in some provider.
    var hasWritableProvider: Bool { get }

    /// The value where no provider holds one.
    var defaultFallbackValue: Any? { get }

    /// The value.
    ///
    /// - Parameter providerType: The only type of provider to ask; `nil` for all in order.
    /// - Returns: The value.
    func getValueForFlag(from providerType: (any FlagsProviderConvertible.Type)?) -> Any?

    /// The value as text, and the provider that holds it.
    ///
    /// - Parameter providerType: The only type of provider to ask; `nil` for all in order.
    /// - Returns: The text, and `nil` as the provider of a computed value and of the default.
    func getValueDescriptionForFlag(from providerType: (any FlagsProviderConvertible.Type)?) -> (
        value: String, sourceProvider: (any FlagsProvider)?
    )

    /// Stores the value that a read returns now in a provider.
    ///
    /// - Parameter provider: The provider.
    /// - Throws: Where the provider is not writable, or why the value could not be stored.
    func setValueToProvider(_ provider: any FlagsProvider) throws

    /// Changes the value that a read returns where no provider holds one.
    ///
    /// - Parameter value: The new default.
    /// - Throws: Where it is not of the flag's type.
    func setDefaultValue(_ value: Any) throws

    /// How the value comes about.
    ///
    /// - Returns: Every provider's answer in order, the effective value and its source.
    func explain() -> FlagExplanation

    /// Stores or removes a value in its stored form.
    ///
    /// - Parameters:
    ///   - value: The new value; `nil` removes the one that is held.
    ///   - provider: The provider's name.
    /// - Throws: Where the value is none of the flag's type, there is no provider of the name, it is not writable, or why
    ///   the value could not be stored.
    func setStoredValue(_ value: FlagValue?, in provider: String) throws

    /// Removes the value from every writable provider that the flag does not exclude.
    ///
    /// - Throws: The first provider's problem.
    func resetValue() throws

    /// Whether a change of the value since the flag was loaded takes effect when the app restarts.
    var awaitsRestart: Bool { get }

    /// Shows itself to a visitor with the type of its value.
    ///
    /// - Parameter visitor: The visitor.
    func accept(_ visitor: inout some FlagVisitor)
}

extension Flag: AnyFlag {
    /// The readable name: the metadata's, else one made from the property's.
    public var name: String {
        metadata.name ?? declared.placement.map { FlagLabel.text(of: $0.propertyName) } ?? keyPath.readableName
    }

    /// What the flag is for.
    public var description: String { metadata.description }

    /// Key path, type, default, suggestions, constraints and metadata, as a manifest holds them.
    ///
    /// A default or a suggestion that has no stored form is left out. The type is that of the stored default where this is none of what
    /// ``FlagProtocol/flagType`` says; where neither says any, it is ``FlagType/json``, and a manifest leaves the flag out.
    public var definition: FlagDefinition {
        let stored = defaultValue.encodedIfStorable
        var metadata = metadata
        metadata.name = name
        let (type, constraints) = Self.storedType(of: stored) ?? (.json, FlagConstraints())
        // A default of another layout shows that the type has an `encoded()` of its own.
        let storage = stored.flatMap { FlagStorage(of: $0, as: type) } ?? Value.flagStorage
        return FlagDefinition(
            key: keyPath, type: type, defaultValue: stored,
            suggestions: declared.suggestions.compactMap(\.encodedIfStorable), constraints: constraints,
            metadata: metadata, storage: type == Value.flagType && storage == Value.flagStorage ? storage : nil)
    }

    /// Whether the type of ``definition`` is known.
    package var hasKnownType: Bool { Self.storedType(of: defaultValue.encodedIfStorable) != nil }

    /// Why the default has no stored form; `nil` where it has one, and where it is an optional's `nil`.
    package var defaultProblem: FlagValueError? { defaultValue.storageProblem }

    /// Why each suggestion that has no stored form has none.
    package var suggestionProblems: [FlagValueError] {
        declared.suggestions.compactMap { suggestion in
            suggestion.storageProblem
                ?? (suggestion.encodedIfStorable == nil ? FlagValueError("nil is no value") : nil)
        }
    }

    /// The type and constraints of a flag with a default, as far as anything says them.
    private static func storedType(of stored: FlagValue?) -> (FlagType, FlagConstraints)? {
        let key = FlagKeyPath(components: [""])
        guard let stored else { return Value.flagType.map { ($0, Value.flagConstraints) } }
        if let type = Value.flagType, FlagDefinition(key: key, type: type).converted(stored) != nil {
            return (type, Value.flagConstraints)
        }
        return (FlagType(inferredFrom: stored), FlagConstraints())
    }

    /// The readable names of the groups around the flag, outermost first.
    public var groups: [String] { declared.placement?.groups ?? [] }

    /// Whether no tool may change the flag.
    public var isUILocked: Bool { metadata.isLocked }

    /// The Swift type of the value; of an optional, the type that it wraps.
    public var dataType: Any.Type { (Value.self as? any OptionalFlagValue.Type)?.wrappedType ?? Value.self }

    /// The name of ``dataType``.
    public var readableDataType: String { "\(dataType)" }

    /// Whether a tool may change the flag in some provider.
    public var hasWritableProvider: Bool { !isUILocked && providers.contains(where: \.isWritable) }

    /// The value where no provider holds one.
    public var defaultFallbackValue: Any? { defaultValue }

    /// The value.
    public func getValueForFlag(from providerType: (any FlagsProviderConvertible.Type)? = nil) -> Any? {
        flagValue(from: providerType).value
    }

    /// The value as text, and the provider that holds it.
    public func getValueDescriptionForFlag(from providerType: (any FlagsProviderConvertible.Type)? = nil) -> (
        value: String, sourceProvider: (any FlagsProvider)?
    ) {
        let (value, source) = flagValue(from: providerType)
        return ((value ?? defaultValue).shownText, source)
    }

    /// Stores the value that a read returns now in a provider.
    public func setValueToProvider(_ provider: any FlagsProvider) throws {
        try store(wrappedValue, in: provider)
    }

    /// Changes the value that a read returns where no provider holds one.
    public func setDefaultValue(_ value: Any) throws {
        guard let value = value as? Value else {
            throw FlagValueError("the default of \(keyPath.text) is a \(Value.self), not a \(type(of: value))")
        }
        setDefault(value)
    }

    /// Stores or removes a value in its stored form.
    public func setStoredValue(_ value: FlagValue?, in provider: String) throws {
        guard let value else { return try set(nil, in: provider) }
        try set(try Value.decode(value), in: provider)
    }
}

extension Flag {
    /// Whether a change of the value since the flag was loaded takes effect when the app restarts.
    public var awaitsRestart: Bool {
        guard metadata.requiresRestart, case .some(let before) = declared.valueWhenPlaced else { return false }
        return before != explain().resolution.effectiveValue
    }

    /// Shows itself to a visitor with the type of its value.
    public func accept(_ visitor: inout some FlagVisitor) { visitor.visit(self) }
}

extension Flag: FlagCollectionMember {
    func place(_ name: String, below group: FlagGroupPath, source: FlagSource) -> [FlagTree] {
        let component = declared.fixedKey ?? source.keyConfiguration.keyTransform.component(for: name)
        let placement = FlagPlacement(
            keyPath: source.keyPath(group.components + [component]), propertyName: name, groups: group.labels,
            groupMetadata: group.metadata, source: source, exclusion: declared.exclusion)
        if declared.place(placement) { rememberValue() }
        return [.flag(self)]
    }

    var memberFlags: [any AnyFlag] { [self] }

    /// Remembers the value for ``awaitsRestart``, once the flag has its place.
    func rememberValue() {
        declared.checkDefault()
        if metadata.requiresRestart { declared.remember(explain().resolution.effectiveValue) }
    }
}
