/// A collection of flags and the providers it is read from; RealFlags' type of the same name.
///
/// ```swift
/// let flags = FlagsLoader(ShopFlags.self, providers: [EnvironmentProvider(prefix: "SHOP_"), local])
/// if flags.quickCheckout { print("Pay in one click") }
/// ```
@dynamicMemberLookup
public final class FlagsLoader<Collection: FlagCollectionProtocol>: AnyFlagsLoader {
    /// The collection, with each flag placed.
    public let loadedCollection: Collection
    /// The naming rules of key paths.
    public let keyConfiguration: KeyConfiguration
    /// The metadata of the collection.
    public let metadata: FlagMetadata?
    /// The flags and groups, in the order of declaration.
    public let tree: [FlagTree]
    /// Problems with the flags, found by reads and changes.
    public let diagnostics: FlagDiagnostics
    private let source: FlagSource

    /// Loads a collection with a fixed list of providers.
    ///
    /// - Parameters:
    ///   - collectionType: The type of the collection.
    ///   - description: The metadata of the collection.
    ///   - providers: The providers, in order of precedence; duplicate names are reported in ``diagnostics``.
    ///   - keyConfiguration: The naming rules of key paths.
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

    /// Loads a collection whose list of providers is computed at each access.
    ///
    /// Observers read the list at each event, such as ``providersDidChange()``.
    ///
    /// - Parameters:
    ///   - collectionType: The type of the collection.
    ///   - description: The metadata of the collection.
    ///   - dynamicProviders: Returns the providers, in order of precedence; `nil` for none.
    ///   - keyConfiguration: The naming rules of key paths.
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
        for child in Mirror(reflecting: loadedCollection).children {
            let name = child.label?.drop { $0 == "_" } ?? ""
            guard membersOfLoader.contains(String(name)),
                let flag = (child.value as? any FlagCollectionMember)?.memberFlags.first
            else { continue }
            diagnostics.report(
                FlagDiagnostic(
                    flag: flag.keyPath, provider: nil, kind: .hiddenProperty,
                    problem: FlagValueError(
                        "the loader has a member named \(name), which hides the property; read it as "
                            + "loadedCollection.\(name), or rename the property and give it the old name as its key")))
        }
    }

    /// The providers, in order of precedence.
    public var providers: [any FlagsProvider] { source.providers }

    /// Notifies observers of flags that the dynamic list of providers has changed.
    ///
    /// Reads need no notice. When this returns, observers follow the providers of the new list and have received the
    /// values that differ.
    public func providersDidChange() {
        source.tellOfList()
        tree.flatMap(\.flags).checkKeys()
    }

    /// A property of the collection: a flag's value, or with `$` the flag itself.
    public subscript<Value>(dynamicMember member: KeyPath<Collection, Value>) -> Value {
        loadedCollection[keyPath: member]
    }
}

/// The members that a property of the collection can't be read behind.
let membersOfLoader: Set<String> = [
    "loadedCollection", "keyConfiguration", "metadata", "tree", "diagnostics", "providers", "providersDidChange",
    "collectionType", "featureFlags", "keyCollisions", "changes", "snapshot", "emptySnapshot", "snapshots", "manifest",
    "writeManifest", "debugDescription",
]

extension FlagsLoader: CustomDebugStringConvertible {
    /// The collection's type, and each flag's key path and value.
    public var debugDescription: String {
        let flags = featureFlags.map { "\($0.keyPath.flatKey)=\($0.valueDescription(from: nil).value)" }
        return "FlagsLoader<\(Collection.self)>(\(flags.joined(separator: "; ")))"
    }
}

extension Sequence where Element == any AnyFlag {
    /// Flags with equal key paths, and flags with a key path that is also a group of another flag's.
    var collisions: [FlagDiagnostic] {
        var flags: [FlagKeyPath: any AnyFlag] = [:]
        var collisions: [FlagDiagnostic] = []
        for flag in self {
            if let other = flags.updateValue(flag, forKey: flag.keyPath) {
                collisions.append(
                    collision(flag, "\(flag.place) and \(other.place) have the same key path; change one of the keys"))
            }
        }
        for flag in flags.values {
            for ancestor in flag.keyPath.ancestors {
                guard let other = flags[ancestor] else { continue }
                collisions.append(
                    collision(
                        flag,
                        "it is inside \(ancestor.text), which is the key path of \(other.place); change one of the "
                            + "keys"))
            }
        }
        return collisions.sorted(by: FlagDiagnostic.precedes)
    }

    private func collision(_ flag: any AnyFlag, _ text: String) -> FlagDiagnostic {
        FlagDiagnostic(flag: flag.keyPath, provider: nil, kind: .keyCollision, problem: FlagValueError(text))
    }
}

private struct KeyChecker: FlagVisitor {
    func visit<Value: FlagProtocol>(_ flag: Flag<Value>) { flag.declared.checkKey() }
}

extension Sequence where Element == any AnyFlag {
    /// Reports the keys that someone took for a path, by the values that providers hold now.
    func checkKeys() {
        var checker = KeyChecker()
        for flag in self { flag.accept(&checker) }
    }
}

extension AnyFlag {
    /// The groups and name in words: `List > Infinite Scroll`.
    var place: String { (groups + [name]).joined(separator: " > ") }
}

/// The naming rules of key paths; RealFlags' type of the same name.
///
/// ```swift
/// let keys = KeyConfiguration(prefix: "shop", keyTransform: .kebabCase)
/// let flags = FlagsLoader(ShopFlags.self, providers: [local], keyConfiguration: keys)
/// print(flags.$quickCheckout.keyPath)  // shop/quick-checkout
/// ```
public struct KeyConfiguration: Hashable, Sendable {
    /// A transformation of a property name to a key path component.
    ///
    /// ```swift
    /// print(KeyConfiguration.Transform.snakeCase.component(for: "quickCheckout"))  // quick_checkout
    /// ```
    public enum Transform: Hashable, Sendable {
        /// The name unchanged: `flatBoolean`.
        case none
        /// `flat-boolean`.
        case kebabCase
        /// `flat_boolean`.
        case snakeCase
        /// This component, whatever the name.
        case custom(String)

        /// Returns the component for a property's name.
        ///
        /// As in RealFlags, a `-` or `_` goes between a lower-case letter or digit and an upper-case letter:
        /// `myURLPath2Go` becomes `my_urlpath2_go`.
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

    /// A first component of every key path, transformed like the others; `nil` for none.
    public let prefix: String?
    /// The separator of components in a key path's text (``FlagKeyPath/flatKey``), as in `UserDefaults`.
    public let pathSeparator: String
    /// The transformation of names to components.
    public let keyTransform: Transform

    /// Creates a configuration.
    ///
    /// - Parameters:
    ///   - prefix: A first component of every key path.
    ///   - pathSeparator: The separator of components in a key path's text.
    ///   - keyTransform: The transformation of names to components.
    public init(
        prefix: String? = nil, pathSeparator: String = FlagKeyPath.defaultPathSeparator,
        keyTransform: Transform = .snakeCase
    ) {
        self.prefix = prefix
        self.pathSeparator = pathSeparator
        self.keyTransform = keyTransform
    }

    package var prefixComponents: [String] { prefix.map { [keyTransform.component(for: $0)] } ?? [] }
}
