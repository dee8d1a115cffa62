/// A feature flag as a property of a collection; RealFlags' wrapper of the same name.
///
/// ```swift
/// struct UserFlags: FlagCollectionProtocol {
///     @Flag("Show social login beside the login form") var showSocialLogin = true
///
///     @Flag(default: 3, suggestions: [1, 3, 5], description: "How often a failed login may be repeated")
///     var loginRetries: Int
/// }
/// ```
///
/// The property is the flag's value: the computed value if there is one, else the value of the first provider that
/// holds one, else the default. The projection (`$showSocialLogin`) is the flag itself, to explain, change, reset and
/// observe. Outside a ``FlagsLoader``, a flag has its default.
@propertyWrapper
public struct Flag<Value: FlagProtocol>: Sendable {
    @usableFromInline let declared: DeclaredFlag<Value>

    /// Declares a flag whose default is the property's initial value: `@Flag("Pay in one click") var quick = false`.
    ///
    /// - Parameters:
    ///   - wrappedValue: The value when no provider holds one.
    ///   - description: The flag's purpose, or its whole metadata.
    ///   - name: A readable name; by default from the property's.
    ///   - key: The key path's last component, taken literally.
    ///   - keyPath: The whole key path, without groups and prefix.
    ///   - provider: The name of the only provider to read; `nil` for all.
    ///   - excludedProviders: The types of providers not to read.
    ///   - excludedProviderNames: The names of further providers not to read.
    ///   - computedValue: Called at each read; after `nil`, the providers are asked.
    ///   - suggestions: Values that editors offer; others are valid too. ToggleUI's `debugValues`.
    public init(
        wrappedValue: Value, _ description: FlagMetadata, name: String? = nil, key: String? = nil,
        keyPath: FlagKeyPath? = nil, provider: String? = nil,
        excludedProviders: [any FlagsProviderConvertible.Type]? = nil, excludedProviderNames: [String] = [],
        computedValue: (@Sendable () -> Value?)? = nil, suggestions: [Value] = []
    ) {
        self.init(
            name: name, key: key, keyPath: keyPath, default: wrappedValue, provider: provider,
            excludedProviders: excludedProviders,
            excludedProviderNames: excludedProviderNames, computedValue: computedValue, suggestions: suggestions,
            description: description)
    }

    /// Declares a flag whose default is the initial value of the property: `@Flag var quickCheckout = false`.
    ///
    /// - Parameters:
    ///   - wrappedValue: The value when no provider holds one.
    ///   - name: A readable name; by default from the property's.
    ///   - key: The key path's last component, taken literally.
    ///   - keyPath: The whole key path, without groups and prefix.
    ///   - provider: The name of the only provider to read; `nil` for all.
    ///   - excludedProviders: The types of providers not to read.
    ///   - excludedProviderNames: The names of further providers not to read.
    ///   - computedValue: Called at each read; after `nil`, the providers are asked.
    ///   - suggestions: Values that editors offer; others are valid too. ToggleUI's `debugValues`.
    ///   - description: The flag's purpose, or its whole metadata.
    public init(
        wrappedValue: Value, name: String? = nil, key: String? = nil, keyPath: FlagKeyPath? = nil,
        provider: String? = nil, excludedProviders: [any FlagsProviderConvertible.Type]? = nil,
        excludedProviderNames: [String] = [],
        computedValue: (@Sendable () -> Value?)? = nil, suggestions: [Value] = [], description: FlagMetadata = ""
    ) {
        self.init(
            wrappedValue: wrappedValue, description, name: name, key: key, keyPath: keyPath, provider: provider,
            excludedProviders: excludedProviders,
            excludedProviderNames: excludedProviderNames, computedValue: computedValue, suggestions: suggestions)
    }

    /// Declares a flag.
    ///
    /// - Parameters:
    ///   - name: A readable name; by default from the property's.
    ///   - key: The last component of the key path, taken literally; by default made from the property's name by the
    ///     ``KeyConfiguration``.
    ///   - keyPath: The whole key path, without groups and prefix.
    ///   - defaultValue: The value when no provider holds one.
    ///   - provider: The name of the only provider to read; `nil` for all.
    ///   - excludedProviders: The types of providers not to read.
    ///   - excludedProviderNames: The names of further providers not to read.
    ///   - computedValue: Called at each read; after `nil`, the providers are asked.
    ///   - suggestions: Values that editors offer; others are valid too. ToggleUI's `debugValues`.
    ///   - description: The flag's purpose, or its whole metadata.
    public init(
        name: String? = nil, key: String? = nil, keyPath: FlagKeyPath? = nil, default defaultValue: Value,
        provider: String? = nil, excludedProviders: [any FlagsProviderConvertible.Type]? = nil,
        excludedProviderNames: [String] = [], computedValue: (@Sendable () -> Value?)? = nil, suggestions: [Value] = [],
        description: FlagMetadata = ""
    ) {
        self.init(
            name: name, key: key, keyPath: keyPath, fallback: .fixed(defaultValue),
            exclusion: FlagExclusion(only: provider, types: excludedProviders ?? [], names: excludedProviderNames),
            computedValue: computedValue, suggestions: suggestions, description: description)
    }

    /// Declares a flag whose default is computed at each read.
    ///
    /// - Parameters:
    ///   - name: A readable name; by default from the property's.
    ///   - key: The key path's last component, taken literally.
    ///   - keyPath: The whole key path, without groups and prefix.
    ///   - provider: The name of the only provider to read; `nil` for all.
    ///   - dynamicDefault: Computes the value when no provider holds one.
    ///   - excludedProviders: The types of providers not to read.
    ///   - excludedProviderNames: The names of further providers not to read.
    ///   - suggestions: Values that editors offer; others are valid too. ToggleUI's `debugValues`.
    ///   - description: The flag's purpose, or its whole metadata.
    public init(
        name: String? = nil, key: String? = nil, keyPath: FlagKeyPath? = nil, provider: String? = nil,
        dynamicDefault: @escaping @Sendable () -> Value,
        excludedProviders: [any FlagsProviderConvertible.Type]? = nil, excludedProviderNames: [String] = [],
        suggestions: [Value] = [], description: FlagMetadata = ""
    ) {
        self.init(
            name: name, key: key, keyPath: keyPath, provider: provider, dynamicDefault: { _ in dynamicDefault() },
            excludedProviders: excludedProviders,
            excludedProviderNames: excludedProviderNames, suggestions: suggestions, description: description)
    }

    /// Declares a flag whose default is computed at each read, from the flag itself.
    ///
    /// - Parameters:
    ///   - name: A readable name; by default from the property's.
    ///   - key: The key path's last component, taken literally.
    ///   - keyPath: The whole key path, without groups and prefix.
    ///   - provider: The name of the only provider to read; `nil` for all.
    ///   - dynamicDefault: Computes the value when no provider holds one, from the flag, whose value it must not read.
    ///   - excludedProviders: The types of providers not to read.
    ///   - excludedProviderNames: The names of further providers not to read.
    ///   - suggestions: Values that editors offer; others are valid too. ToggleUI's `debugValues`.
    ///   - description: The flag's purpose, or its whole metadata.
    public init(
        name: String? = nil, key: String? = nil, keyPath: FlagKeyPath? = nil, provider: String? = nil,
        dynamicDefault: @escaping @Sendable (Flag<Value>) -> Value,
        excludedProviders: [any FlagsProviderConvertible.Type]? = nil, excludedProviderNames: [String] = [],
        suggestions: [Value] = [], description: FlagMetadata = ""
    ) {
        self.init(
            name: name, key: key, keyPath: keyPath, fallback: .dynamic(dynamicDefault),
            exclusion: FlagExclusion(only: provider, types: excludedProviders ?? [], names: excludedProviderNames),
            computedValue: nil, suggestions: suggestions, description: description)
    }

    /// Declares a flag, its description first: `@Flag("The most items", default: 3) var limit: Int`.
    ///
    /// - Parameters:
    ///   - description: The flag's purpose, or its whole metadata.
    ///   - name: A readable name; by default from the property's.
    ///   - key: The key path's last component, taken literally.
    ///   - keyPath: The whole key path, without groups and prefix.
    ///   - defaultValue: The value when no provider holds one.
    ///   - provider: The name of the only provider to read; `nil` for all.
    ///   - suggestions: Values that editors offer; others are valid too. ToggleUI's `debugValues`.
    public init(
        _ description: FlagMetadata, name: String? = nil, key: String? = nil, keyPath: FlagKeyPath? = nil,
        default defaultValue: Value, provider: String? = nil, suggestions: [Value] = []
    ) {
        self.init(
            name: name, key: key, keyPath: keyPath, default: defaultValue, provider: provider, suggestions: suggestions,
            description: description)
    }

    /// Declares a flag whose default is computed at each read, its description first.
    ///
    /// - Parameters:
    ///   - description: The flag's purpose, or its whole metadata.
    ///   - name: A readable name; by default from the property's.
    ///   - key: The key path's last component, taken literally.
    ///   - keyPath: The whole key path, without groups and prefix.
    ///   - provider: The name of the only provider to read; `nil` for all.
    ///   - dynamicDefault: Computes the value when no provider holds one.
    ///   - suggestions: Values that editors offer; others are valid too. ToggleUI's `debugValues`.
    public init(
        _ description: FlagMetadata, name: String? = nil, key: String? = nil, keyPath: FlagKeyPath? = nil,
        provider: String? = nil, dynamicDefault: @escaping @Sendable () -> Value, suggestions: [Value] = []
    ) {
        self.init(
            name: name, key: key, keyPath: keyPath, provider: provider, dynamicDefault: dynamicDefault,
            suggestions: suggestions, description: description)
    }

    // For `@Flag var limit: Int`, the compiler finds an `init()` in the type's body alone.
    /// Not available: the flag has no default.
    @available(
        *, unavailable,
        message: "a flag needs a default: @Flag(\"…\") var limit = 3, or @Flag(default: 3, description: \"…\")"
    )
    public init() { fatalError("a flag needs a default") }

    init(
        name: String?, key: String?, keyPath: FlagKeyPath?, fallback: FlagDefault<Value>, exclusion: FlagExclusion,
        computedValue: (@Sendable () -> Value?)?, suggestions: [Value], description: FlagMetadata
    ) {
        var metadata = description
        if let name { metadata.name = name }
        declared = DeclaredFlag(
            fixedKey: key, fixedKeyPath: keyPath, fallback: fallback, exclusion: exclusion,
            computedValue: computedValue,
            suggestions: suggestions, metadata: metadata)
    }

    @inlinable
    init(declared: DeclaredFlag<Value>) { self.declared = declared }

    /// The flag's value.
    @inlinable public var wrappedValue: Value { declared.value }

    /// The flag itself.
    public var projectedValue: Flag<Value> { self }
}

extension Flag where Value: ExpressibleByNilLiteral {
    /// Declares a flag whose default is `nil`, without a description: `@Flag var title: String?`.
    public init() { self.init("") }

    /// Declares a flag whose default is `nil`: `@Flag("The title of a sale") var title: String?`.
    ///
    /// - Parameters:
    ///   - description: The flag's purpose, or its whole metadata.
    ///   - name: A readable name; by default from the property's.
    ///   - key: The key path's last component, taken literally.
    ///   - keyPath: The whole key path, without groups and prefix.
    ///   - provider: The name of the only provider to read; `nil` for all.
    ///   - suggestions: Values that editors offer; others are valid too. ToggleUI's `debugValues`.
    public init(
        _ description: FlagMetadata, name: String? = nil, key: String? = nil, keyPath: FlagKeyPath? = nil,
        provider: String? = nil, suggestions: [Value] = []
    ) {
        self.init(
            name: name, key: key, keyPath: keyPath, default: nil, provider: provider, suggestions: suggestions,
            description: description)
    }

    /// Declares a flag of an optional type, whose default is `nil`.
    ///
    /// - Parameters:
    ///   - name: A readable name.
    ///   - key: The key path's last component, taken literally.
    ///   - keyPath: The whole key path, without groups and prefix.
    ///   - provider: The name of the only provider to read; `nil` for all.
    ///   - excludedProviders: The types of providers not to read.
    ///   - excludedProviderNames: The names of further providers not to read.
    ///   - computedValue: Called at each read before any provider.
    ///   - suggestions: Values that editors offer; others are valid too. ToggleUI's `debugValues`.
    ///   - description: The flag's purpose, or its whole metadata.
    public init(
        name: String? = nil, key: String? = nil, keyPath: FlagKeyPath? = nil, provider: String? = nil,
        excludedProviders: [any FlagsProviderConvertible.Type]? = nil,
        excludedProviderNames: [String] = [], computedValue: (@Sendable () -> Value?)? = nil,
        suggestions: [Value] = [], description: FlagMetadata = ""
    ) {
        self.init(
            name: name, key: key, keyPath: keyPath, default: nil, provider: provider,
            excludedProviders: excludedProviders,
            excludedProviderNames: excludedProviderNames, computedValue: computedValue, suggestions: suggestions,
            description: description)
    }
}

extension Flag where Value == Bool {
    /// Declares a flag that is off by default, without a description: `@Flag var quickCheckout: Bool`.
    public init() { self.init("") }

    /// Declares a flag that is off by default: `@Flag("Pay in one click") var quickCheckout: Bool`.
    ///
    /// - Parameters:
    ///   - description: The flag's purpose, or its whole metadata.
    ///   - name: A readable name; by default from the property's.
    ///   - key: The key path's last component, taken literally.
    ///   - keyPath: The whole key path, without groups and prefix.
    ///   - provider: The name of the only provider to read; `nil` for all.
    public init(
        _ description: FlagMetadata, name: String? = nil, key: String? = nil, keyPath: FlagKeyPath? = nil,
        provider: String? = nil
    ) {
        self.init(
            name: name, key: key, keyPath: keyPath, default: false, provider: provider, description: description)
    }

    /// Declares a flag that is off by default.
    ///
    /// - Parameters:
    ///   - name: A readable name.
    ///   - key: The key path's last component, taken literally.
    ///   - keyPath: The whole key path, without groups and prefix.
    ///   - provider: The name of the only provider to read; `nil` for all.
    ///   - description: The flag's purpose, or its whole metadata.
    public init(
        name: String? = nil, key: String? = nil, keyPath: FlagKeyPath? = nil, provider: String? = nil,
        description: FlagMetadata = ""
    ) {
        self.init(
            name: name, key: key, keyPath: keyPath, default: false, provider: provider, description: description)
    }
}

extension Flag where Value == String {
    /// Declares a flag whose default is the empty string, without a description: `@Flag var greeting: String`.
    public init() { self.init("") }

    /// Declares a flag whose default is the empty string: `@Flag("The greeting") var greeting: String`.
    ///
    /// - Parameters:
    ///   - description: The flag's purpose, or its whole metadata.
    ///   - name: A readable name; by default from the property's.
    ///   - key: The key path's last component, taken literally.
    ///   - keyPath: The whole key path, without groups and prefix.
    ///   - provider: The name of the only provider to read; `nil` for all.
    ///   - suggestions: Values that editors offer; others are valid too. ToggleUI's `debugValues`.
    public init(
        _ description: FlagMetadata, name: String? = nil, key: String? = nil, keyPath: FlagKeyPath? = nil,
        provider: String? = nil, suggestions: [String] = []
    ) {
        self.init(
            name: name, key: key, keyPath: keyPath, default: "", provider: provider, suggestions: suggestions,
            description: description)
    }

    /// Declares a flag whose default is the empty string.
    ///
    /// - Parameters:
    ///   - name: A readable name.
    ///   - key: The key path's last component, taken literally.
    ///   - keyPath: The whole key path, without groups and prefix.
    ///   - provider: The name of the only provider to read; `nil` for all.
    ///   - suggestions: Values that editors offer; others are valid too. ToggleUI's `debugValues`.
    ///   - description: The flag's purpose, or its whole metadata.
    public init(
        name: String? = nil, key: String? = nil, keyPath: FlagKeyPath? = nil, provider: String? = nil,
        suggestions: [String] = [], description: FlagMetadata = ""
    ) {
        self.init(
            name: name, key: key, keyPath: keyPath, default: "", provider: provider, suggestions: suggestions,
            description: description)
    }
}

extension Flag: Identifiable {
    /// An identity that all copies of one flag share.
    public var id: ObjectIdentifier { ObjectIdentifier(declared) }
}

extension Flag: Hashable {
    /// Compares identities: copies of one flag are equal, whatever its value is.
    public static func == (left: Flag, right: Flag) -> Bool { left.declared === right.declared }

    /// Hashes the identity, which doesn't change with the value.
    public func hash(into hasher: inout Hasher) { hasher.combine(id) }
}

extension Flag: CustomDebugStringConvertible {
    /// The key path, and the value in its stored form.
    public var debugDescription: String { "\(keyPath.flatKey)=\(wrappedValue.shownText)" }
}

@usableFromInline
enum FlagDefault<Value: FlagProtocol>: Sendable {
    case fixed(Value)
    case dynamic(@Sendable (Flag<Value>) -> Value)

    @inlinable
    func value(of flag: DeclaredFlag<Value>) -> Value {
        switch self {
        case .fixed(let value): value
        case .dynamic(let compute): compute(Flag(declared: flag))
        }
    }

    var isDynamic: Bool {
        if case .fixed = self { false } else { true }
    }
}

package enum FlagLabel {
    /// Splits a camel-case name into words, as Override labels a feature: `newURLFormat` reads `New URL Format`.
    package static func text(of name: String) -> String {
        let scalars = Array(name.unicodeScalars)
        var words = String.UnicodeScalarView()
        for (index, scalar) in scalars.enumerated() {
            let previous = index > 0 ? scalars[index - 1] : " "
            let next = index + 1 < scalars.count ? scalars[index + 1] : " "
            let isUpper = scalar.properties.isUppercase
            let beginsWord = isUpper && (!previous.properties.isUppercase || next.properties.isLowercase)
            if scalar == "_" || (beginsWord && index > 0 && previous != "_") { words.append(" ") }
            if scalar != "_" { words.append(scalar) }
        }
        let text = String(words).trimmingPrefix(" ")
        return text.prefix(1).uppercased() + text.dropFirst()
    }
}
