/// A collection of flags and the providers that it is read from; RealFlags' type of the same name.
///
/// ```swift
/// let flags = FlagsLoader(ShopFlags.self, providers: [EnvironmentProvider(prefix: "SHOP_"), local])
/// if flags.quickCheckout { print("Pay in one click") }
/// ```
@dynamicMemberLookup
public final class FlagsLoader<Collection: FlagCollectionProtocol>: AnyFlagsLoader {
    /// The collection, each of its flags placed.
    public let loadedCollection: Collection
    /// How key paths are made from the names of properties.
    public let keyConfiguration: KeyConfiguration
    /// What people are told of the collection.
    public let metadata: FlagMetadata?
    /// The flags and groups, in the order of declaration.
    public let tree: [FlagTree]
    /// What is wrong with the flags, as reads and changes find it out.
    public let diagnostics: FlagDiagnostics
    private let source: FlagSource

    /// Loads a collection with a fixed list of providers.
    ///
    /// - Parameters:
    ///   - collectionType: The type of the collection.
    ///   - description: What people are told of the collection.
    ///   - providers: The providers, in order of precedence; of two of one name, ``diagnostics`` tells.
    ///   - keyConfiguration: How key paths are made from the names of properties.
    public convenience init(
        _ collectionType: Collection.Type, description: FlagMetadata? = nil,
        providers: [any FlagsProviderConvertible],
        keyConfiguration: KeyConfiguration = KeyConfiguration()
    ) {
        self.init(
            description,
            FlagSource(
                providers: providers.map(\.flagsProvider), keyConfiguration: keyConfiguration,
                diagnostics: FlagDiagnostics()))
    }

    /// Loads a collection whose list of providers is asked for at each access.
    ///
    /// Consumers of values and changes ask for the list at each event; ``providersDidChange()`` is one.
    ///
    /// - Parameters:
    ///   - collectionType: The type of the collection.
    ///   - description: What people are told of the collection.
    ///   - dynamicProviders: Gives the providers, in order of precedence; `nil` for none.
    ///   - keyConfiguration: How key paths are made from the names of properties.
    public convenience init(
        _ collectionType: Collection.Type, description: FlagMetadata? = nil,
        dynamicProviders: (@Sendable () -> [any FlagsProvider])? = nil,
        keyConfiguration: KeyConfiguration = KeyConfiguration()
    ) {
        self.init(
            description,
            FlagSource(
                dynamicProviders: dynamicProviders ?? { [] }, keyConfiguration: keyConfiguration,
                diagnostics: FlagDiagnostics()))
    }

    init(_ metadata: FlagMetadata?, _ source: FlagSource) {
        self.metadata = metadata
        self.source = source
        keyConfiguration = source.keyConfiguration
        diagnostics = source.diagnostics
        loadedCollection = Collection()
        tree = loadedCollection.placeMembers(
            below: FlagGroupPath(metadata: metadata ?? FlagMetadata()), source: source)
        for collision in tree.flatMap(\.flags).collisions { diagnostics.report(collision) }
    }

    /// The providers, in order of precedence.
    public var providers: [any FlagsProvider] { source.providers }

    /// Tells those who observe flags that the dynamic list of providers is another than before.
    ///
    /// A read asks for the list each time, and needs no telling. Those who observe follow the providers of the new list
    /// when this returns, and are given the flags' values anew where these differ.
    public func providersDidChange() { source.tellOfList() }

    /// A property of the collection: the value of a flag, or with `$` the flag itself.
    public subscript<Value>(dynamicMember member: KeyPath<Collection, Value>) -> Value {
        loadedCollection[keyPath: member]
    }
}

extension FlagsLoader: CustomDebugStringConvertible {
    /// The collection's type, and each flag's key path and value.
    public var debugDescription: String {
        let flags = featureFlags.map { "\($0.keyPath.fullPath)=\($0.getValueDescriptionForFlag(from: nil).value)" }
        return "FlagsLoader<\(Collection.self)>(\(flags.joined(separator: "; ")))"
    }
}

extension Sequence where Element == any AnyFlag {
    /// Flags that share a key path, or one of which stands in another's place as a group: each named with the other.
    var collisions: [FlagDiagnostic] {
        var flags: [FlagKeyPath: any AnyFlag] = [:]
        var collisions: [FlagDiagnostic] = []
        for flag in self {
            if let other = flags.updateValue(flag, forKey: flag.keyPath) {
                collisions.append(
                    collision(flag, "\(flag.place) and \(other.place) share the key path; give one another key"))
            }
        }
        for flag in flags.values {
            for ancestor in flag.keyPath.ancestors {
                guard let other = flags[ancestor] else { continue }
                collisions.append(
                    collision(
                        flag,
                        "it stands below \(ancestor.text), which \(other.place) has as its own; give one another key"))
            }
        }
        return collisions.sorted(by: FlagDiagnostic.precedes)
    }

    private func collision(_ flag: any AnyFlag, _ text: String) -> FlagDiagnostic {
        FlagDiagnostic(flag: flag.keyPath, provider: nil, kind: .keyCollision, problem: FlagValueError(text))
    }
}

extension AnyFlag {
    /// The flag's place in words: `List > Infinite Scroll`.
    var place: String { (groups + [name]).joined(separator: " > ") }
}

/// How key paths are made from the names of properties; RealFlags' type of the same name.
///
/// ```swift
/// let keys = KeyConfiguration(prefix: "shop", keyTransform: .kebabCase)
/// let flags = FlagsLoader(ShopFlags.self, providers: [local], keyConfiguration: keys)
/// print(flags.$quickCheckout.keyPath)  // shop/quick-checkout
/// ```
public struct KeyConfiguration: Hashable, Sendable {
    /// How a property's name becomes a component of its key path.
    ///
    /// ```swift
    /// print(KeyConfiguration.Transform.snakeCase.component(for: "quickCheckout"))  // quick_checkout
    /// ```
    public enum Transform: Hashable, Sendable {
        /// As it is: `flatBoolean`.
        case none
        /// `flat-boolean`.
        case kebabCase
        /// `flat_boolean`.
        case snakeCase
        /// This text, whatever the name.
        case custom(String)

        /// The component for a property's name.
        ///
        /// A `-` or `_` comes between a lower-case letter or digit and an upper-case one, so `myURLPath2Go` becomes
        /// `my_urlpath2_go`, as RealFlags has it.
        ///
        /// - Parameter name: The name of a property.
        /// - Returns: The component.
        public func component(for name: String) -> String {
            switch self {
            case .none: name
            case .kebabCase: Self.separated(name, by: "-")
            case .snakeCase: Self.separated(name, by: "_")
            case .custom(let component): component
            }
        }

        private static func separated(_ name: String, by separator: Unicode.Scalar) -> String {
            var result = String.UnicodeScalarView()
            var previous: Unicode.Scalar = " "
            for scalar in name.unicodeScalars {
                let endsWord = ("a"..."z").contains(previous) || ("0"..."9").contains(previous)
                if endsWord, ("A"..."Z").contains(scalar) { result.append(separator) }
                result.append(scalar)
                previous = scalar
            }
            return String(result).lowercased()
        }
    }

    /// A first component of every key path, transformed as the others; `nil` for none.
    public let globalPrefix: String?
    /// What joins the components where a key path is one text (``FlagKeyPath/fullPath``), as in `UserDefaults`.
    public let pathSeparator: String
    /// How names become components.
    public let keyTransform: Transform

    /// Makes a configuration.
    ///
    /// - Parameters:
    ///   - prefix: A first component of every key path.
    ///   - pathSeparator: What joins the components where a key path is one text.
    ///   - keyTransform: How names become components.
    public init(
        prefix: String? = nil, pathSeparator: String = FlagKeyPath.DefaultPathSeparator,
        keyTransform: Transform = .snakeCase
    ) {
        globalPrefix = prefix
        self.pathSeparator = pathSeparator
        self.keyTransform = keyTransform
    }

    /// The prefix as a component.
    var prefixComponents: [String] { globalPrefix.map { [keyTransform.component(for: $0)] } ?? [] }
}
